import { inFull } from '../../shared/testing/extent.ts';
import { followRandomSteps } from './group-model.ts';

test("any sequence of relay reports, direct reports, losses, removals and restorations gives the model's states", () =>
  followRandomSteps(inFull(40, 4), { minLength: 8, maxLength: 24 }));
