import { inFull } from '../../shared/testing/extent.ts';
import { followRandomSteps } from './group-model.ts';

test('any sequence of reports of relays, direct reports, losses, removals and restorations gives the states of the model', () =>
  followRandomSteps(inFull(40, 4), { minLength: 8, maxLength: 24 }));
