import { ApiError } from '../../../shared/core/errors.ts';
import { addAll, contextOf, node, service } from '../../../tests/support/store.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { type Entity, idOf } from '../../store/entities/entity.ts';
import { findObjects } from '../../store/entities/get.ts';
import { partsOf } from '../partial-failure.ts';
import { applyGroups, mayPass } from './execute.ts';
import type { Step } from './plan/step.ts';
import type { Ending, Watch } from './watch.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const add = (next: Entity, after: Step[] = []): Step => ({
  ...{ action: 'add', kind: next.kind, id: idOf(next), named: {}, changes: [] },
  ...{ next, after: new Set(after) },
});
const part = () => partsOf({ endpointId: 'test', requestId: 'r' }, { log: () => undefined, table });

async function apply(groups: Step[][], watch?: Watch) {
  const outcomes = await applyGroups({ table } as Dependencies, groups, {
    writeContext: contextOf(),
    part: part(),
    watch,
  });
  return groups.flat().map((step) => {
    const outcome = outcomes.get(step);
    return outcome instanceof ApiError ? [outcome.kind, outcome.message] : outcome;
  });
}
const count = async (...entities: readonly Entity[]) =>
  (
    await findObjects(
      table,
      entities.map((entity) => ({ kind: entity.kind, id: idOf(entity) })),
    )
  ).length;

test('groups are written after those on which they depend', async () => {
  const place = node();
  const [first, second] = [service([place]), service([place])];
  const before = add(place);
  const steps = [[before], [add(first, [before])], [add(second, [before])]];
  expect(await apply(steps)).toEqual(['done', 'done', 'done']);
  expect(await count(place, first, second)).toBe(3);
});

test('a group is written as a whole or not at all', async () => {
  const taken = node();
  await addAll(table, taken);
  const [free, same] = [node(), node({ container_id: 'c' })];
  await addAll(table, node({ container_id: 'c' }));
  const [firstOutcome, other] = await apply([[add(free), add(same)]]);
  expect([firstOutcome, other]).toEqual([
    ['alreadyExists', expect.anything()],
    ['alreadyExists', expect.anything()],
  ]);
  expect(await count(free, same)).toBe(0);
});

test('a failure prevents only the steps that depend on it', async () => {
  await addAll(table, node({ container_id: 'd' }));
  const [same, free] = [node({ container_id: 'd' }), node()];
  const failing = add(same);
  const dependent = add(service([same]), [failing]);
  const [first, second, third] = await apply([[failing], [dependent], [add(free)]]);
  expect(first).toEqual(['alreadyExists', expect.anything()]);
  expect(second).toEqual(['failedPrecondition', expect.stringContaining('An operation that it requires failed')]);
  expect(third).toBe('done');
});

test('a temporary failure also makes dependent steps fail temporarily', async () => {
  const name = node();
  await addAll(table, name);
  const outdated = add(node({ node_name: name.object.node_name }));
  const [first, second] = await apply([[outdated], [add(node(), [outdated])]]);
  expect([first?.[0], second?.[0]]).toEqual(['revisionMismatch', 'unavailable']);
});

test('no step begins after the job has ended', async () => {
  let ending: Ending | undefined;
  let looks = 0;
  const watch: Watch = {
    look: () => {
      looks += 1;
      if (looks === 2) ending = { state: 'cancelled', reason: 'It was cancelled.' };
      return Promise.resolve();
    },
    ending: () => ending,
  };
  const [place, target] = [node(), service()];
  const before = add(place);
  expect(await apply([[before], [add(target, [before])]], watch)).toEqual([
    'done',
    ['unavailable', 'Not done: It was cancelled.'],
  ]);
  expect(await count(place, target)).toBe(1);
});

test('only temporary outcomes may change in the next round', () => {
  const kinds = [
    'unavailable',
    'internal',
    'revisionMismatch',
    'failedPrecondition',
    'alreadyExists',
    'notFound',
  ] as const;
  expect(kinds.map((kind) => mayPass(new ApiError(kind, 'x')))).toEqual([true, true, true, false, false, false]);
  expect(mayPass('done')).toBe(false);
});
