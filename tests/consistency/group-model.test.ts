import { followEachStep } from './group-model.ts';

test('two relays at once, one that dies, a backup and its restoration, removals and returns give the states of the model', () =>
  followEachStep());
