import { followEachStep } from './group-model.ts';

test("two simultaneous relays, a dying one, a backup with restoration, removals and returns give the model's states", () =>
  followEachStep());
