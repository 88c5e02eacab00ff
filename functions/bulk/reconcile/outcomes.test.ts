import { ApiError } from '../../../shared/core/errors.ts';
import { node } from '../../../tests/support/store.ts';
import { idOf } from '../../store/entities/entity.ts';
import type { Outcome } from './execute.ts';
import { Outcomes } from './outcomes.ts';
import type { Step } from './plan/step.ts';

const step = (action: Step['action'], name: string, more: Partial<Step> = {}): Step => {
  const old = action === 'add' ? {} : { old: node({ node_id: name, node_name: name }) };
  const id = action === 'add' ? idOf(node()) : name;
  return { action, kind: 'node', id, named: { node_name: name }, changes: [], after: new Set(), ...old, ...more };
};
const plan = (steps: Step[], blocked: Step[] = []) => ({
  groups: steps.map((member) => [member]),
  blocked,
  inScope: 9,
  unchanged: 0,
  removals: 0,
});
const [busy, outdated, lost, refused] = [
  new ApiError('unavailable', 'busy'),
  new ApiError('revisionMismatch', 'outdated'),
  new ApiError('internal', 'lost'),
  new ApiError('alreadyExists', 'taken'),
];

test('progress counts done, failed and left steps', () => {
  const steps = ['a', 'b', 'c', 'd'].map((name) => step('change', name)) as [Step, Step, Step, Step];
  const outcomes = new Outcomes();
  outcomes.plan(plan(steps));
  expect(outcomes.progress()).toEqual({ state: 'applying', total: 4, done: 0, failed: 0, skipped: 0, failures: [] });
  outcomes.record(
    new Map<Step, Outcome>([
      [steps[0], 'done'],
      [steps[1], refused],
      [steps[2], busy],
    ]),
  );
  expect(outcomes.left).toBe(2);
  expect(outcomes.progress()).toMatchObject({
    ...{ state: 'applying', total: 4, done: 1, failed: 1 },
    failures: [{ item: { node_name: 'b', id: 'b', revision: 1 }, message: 'taken' }],
  });
  outcomes.record(new Map(steps.slice(2).map((recorded) => [recorded, 'done'] as const)));
  expect(outcomes.progress()).toMatchObject({ state: 'done', done: 3, failed: 1 });
  // With the steps of earlier requests.
  expect(outcomes.progress(10)).toMatchObject({ total: 10, done: 9 });
});

test('at most 50 failures are kept', () => {
  const steps = Array.from({ length: 51 }, (_, index) => step('change', String(index)));
  const outcomes = new Outcomes();
  outcomes.plan(plan(steps));
  outcomes.record(new Map(steps.map((recorded) => [recorded, refused])));
  const { failed, failures } = outcomes.progress();
  expect([failed, failures.length]).toEqual([51, 50]);
});

test.each([
  ['unavailable', 1],
  ['internal', 1],
  ['revisionMismatch', 1],
  ['alreadyExists', 0],
  ['failedPrecondition', 0],
] as const)('%s: %d steps are left', (kind, left) => {
  const outcomes = new Outcomes();
  const changeStep = step('change', 'a');
  outcomes.plan(plan([changeStep]));
  outcomes.record(new Map([[changeStep, new ApiError(kind, 'x')]]));
  expect(outcomes.left).toBe(left);
});

describe('a step that the next plan does not contain any more', () => {
  const next = (action: Step['action'], outcome: ApiError, existing: string[] = []) => {
    const outcomes = new Outcomes();
    const changeStep = step(action, 'a');
    outcomes.plan(plan([changeStep]));
    outcomes.record(new Map([[changeStep, outcome]]));
    expect(outcomes.unfinished).toEqual(action === 'add' ? [] : [changeStep]);
    outcomes.noteExisting(new Set(existing));
    outcomes.plan(plan([]));
    const [{ outcome: now, isFound } = { outcome: undefined, isFound: undefined }] = outcomes.entries;
    return { now, isFound, ...outcomes.progress() };
  };

  test('is done, also by another request', () => {
    for (const action of ['add', 'change'] as const)
      expect(next(action, outdated, ['a'])).toMatchObject({ now: 'done', isFound: true, state: 'done', done: 1 });
    expect(next('add', outdated)).toMatchObject({ now: 'done', isFound: true });
  });

  test('is skipped if it changes an object that no longer exists, also if its own reply was lost', () => {
    for (const outcome of [outdated, lost])
      expect(next('change', outcome)).toMatchObject({
        now: { skipped: 'Another request removed the object; it was not changed.' },
        ...{ done: 0, skipped: 1 },
      });
  });

  test('is skipped if it removes an object that exists', () => {
    expect(next('remove', outdated, ['a'])).toMatchObject({
      ...{ now: { skipped: 'The object left the scope and was not removed.' } },
      ...{ state: 'done', done: 0, skipped: 1 },
    });
  });

  test('is skipped if another request removed the object, and done if its own reply was lost', () => {
    expect(next('remove', outdated)).toMatchObject({
      now: { skipped: 'Another request removed the object.' },
      skipped: 1,
    });
    expect(next('remove', lost)).toMatchObject({ now: 'done', isFound: true, done: 1, skipped: 0 });
  });

  test("is done if its first removal's reply was lost, although the next plan still contained it", () => {
    const outcomes = new Outcomes();
    for (const outcome of [lost, outdated]) {
      const changeStep = step('remove', 'a');
      outcomes.plan(plan([changeStep]));
      outcomes.record(new Map([[changeStep, outcome]]));
    }
    outcomes.plan(plan([]));
    expect(outcomes.progress()).toMatchObject({ total: 1, done: 1, skipped: 0 });
  });
});

test.each(['alreadyExists', 'notFound', 'failedPrecondition'] as const)(
  '%s is in doubt until the next plan contains the step again',
  (kind) => {
    const outcomes = new Outcomes();
    const rounds: boolean[] = [];
    for (const name of ['a', 'a', 'b']) {
      const steps = [step('add', name)];
      outcomes.plan(plan(steps));
      outcomes.record(new Map(steps.map((recorded) => [recorded, new ApiError(kind, 'x')])));
      rounds.push(outcomes.isDoubtful);
    }
    expect(rounds).toEqual([true, false, true]);
    outcomes.record(new Map());
    expect(outcomes.isDoubtful).toBe(false);
  },
);

test('a repeated step counts once in the total, and has failed if it is blocked now', () => {
  const outcomes = new Outcomes();
  const [added, changed] = [step('add', 'a'), step('change', 'b')];
  outcomes.plan(plan([added, changed]));
  outcomes.record(
    new Map([
      [added, busy],
      [changed, outdated],
    ]),
  );
  // The added object has another id in the next plan.
  outcomes.plan(
    plan([step('add', 'a')], [step('change', 'b', { blocked: 'why' }), step('change', 'new', { blocked: 'x' })]),
  );
  expect(outcomes.progress()).toMatchObject({
    ...{ total: 2, done: 0, failed: 1, state: 'applying' },
    failures: [{ message: 'why' }],
  });
});

test('a completed step stays completed when the next plan does not contain it', () => {
  const outcomes = new Outcomes();
  const removal = step('remove', 'a');
  outcomes.plan(plan([removal]));
  outcomes.record(new Map([[removal, 'done']]));
  outcomes.noteExisting(new Set(['a']));
  outcomes.plan(plan([]));
  expect(outcomes.entries).toEqual([{ step: removal, outcome: 'done' }]);
});
