import { randomUUID } from 'node:crypto';
import { addAll, contextOf, node, pmmAgent, service, presenceOf } from '../../../tests/support/store.ts';
import { disturbed, fakeTable } from '../../../tests/support/table.ts';
import { TransactionCanceledException } from '../../../shared/db/table-errors.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { readFeed } from '../history/change-feed.ts';
import type { ObjectKind } from '../table/keys.ts';
import { markRemoving } from './mark-removing.ts';
import { commit } from './commit.ts';
import { removeObject } from './remove.ts';
import { type Write, writeAtomically } from './write-many.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

const { table } = useCheckedTable();

const write = (writes: readonly Write[], at = table) => writeAtomically(at, writes, contextOf());
const stored = <Kind extends ObjectKind>(entity: EntityOf<Kind>) => getObject(table, entity.kind, idOf(entity));

async function existing(more: object = {}): Promise<EntityOf<'node'>> {
  const entity = node({ ...more });
  await addAll(table, entity);
  return stored(entity);
}

const changed = ({ object }: EntityOf<'node'>, more: object): EntityOf<'node'> => ({
  kind: 'node',
  object: { ...object, revision: object.revision + 1, ...more },
});

const present = (...entities: readonly Entity[]) => presenceOf(table, ...entities);

test('adds, changes and removes are written together in any order', async () => {
  const [kept, gone] = [await existing(), await existing()];
  const place = node();
  const target = service([place]);
  await write([{ old: gone }, { next: target }, { old: kept, next: changed(kept, { address: 'b' }) }, { next: place }]);
  expect(await present(kept, gone, place, target)).toEqual([true, false, true, true]);
  expect((await stored(kept)).object).toMatchObject({ address: 'b', revision: 2 });
});

test('the feed contains adds, changes and removals, with objects before their references', async () => {
  const [kept, gone] = [await existing(), await existing()];
  const ofGone = service([gone]);
  await addAll(table, ofGone);
  const place = node();
  const [target, process] = [service([place]), pmmAgent(place)];
  const start = TEST_TIME;
  await write([
    { old: gone },
    { old: await stored(ofGone) },
    { old: kept, next: changed(kept, { address: 'b' }) },
    { next: process },
    { next: target },
    { next: place },
  ]);
  const { changes } = await readFeed(table, { time: start, names: new Set() }, { most: 100, now: testTime() });
  expect(changes.slice(-6).map(({ action, kind }) => `${action} ${kind}`)).toEqual([
    'added node',
    'added service',
    'added agent',
    'changed node',
    'removed service',
    'removed node',
  ]);
});

test('objects may swap a unique value', async () => {
  const [left, right] = [
    await existing({ container_id: randomUUID() }),
    await existing({ container_id: randomUUID() }),
  ];
  const ids = [left.object.container_id, right.object.container_id];
  await write([
    { old: left, next: changed(left, { container_id: ids[1] }) },
    { old: right, next: changed(right, { container_id: ids[0] }) },
  ]);
  expect([(await stored(left)).object.container_id, (await stored(right)).object.container_id]).toEqual([
    ids[1],
    ids[0],
  ]);
});

test('if one object has changed since the read, nothing is written', async () => {
  const [first, second] = [await existing(), await existing()];
  await write([{ old: first, next: changed(first, { address: 'b' }) }]);
  for (const outdated of [{ old: first, next: changed(first, { address: 'c' }) }, { old: first }])
    await expect(write([outdated, { old: second }])).rejects.toMatchObject({ kind: 'revisionMismatch' });
  expect(await present(first, second)).toEqual([true, true]);
});

test('a taken name that was free at the read, and an added dependant, count as a change', async () => {
  const taken = await existing();
  const same = node({ node_name: taken.object.node_name });
  await expect(write([{ next: same }])).rejects.toMatchObject({ kind: 'revisionMismatch' });
  await addAll(table, service([taken]));
  await expect(write([{ old: taken }])).rejects.toMatchObject({ kind: 'revisionMismatch' });
  const other = node({ container_id: randomUUID() });
  await addAll(table, other);
  await expect(write([{ next: node({ container_id: other.object.container_id }) }])).rejects.toMatchObject({
    kind: 'alreadyExists',
  });
});

test('four refusals count as a change, three do not', async () => {
  const refusal = new TransactionCanceledException({
    message: 'x',
    CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
  });
  let writes = 0;
  const refusing = (times: number) =>
    fakeTable((command) => {
      if (command !== 'TransactWriteCommand') return { Items: [] };
      writes += 1;
      if (writes <= times) throw refusal;
      return {};
    });
  const old = node();
  const change = [{ old, next: changed(old, { custom_labels: { a: 'b' } }) }];
  await expect(write(change, refusing(3))).resolves.toBeUndefined();
  expect(writes).toBe(4);
  writes = 0;
  await expect(write(change, refusing(9))).rejects.toMatchObject({ kind: 'revisionMismatch' });
  expect(writes).toBe(4);
});

test('a service that is being removed can change its labels, but not its references', async () => {
  const [place, other] = [await existing(), await existing()];
  const target = service([place]);
  await addAll(table, target);
  const now = await stored(target);
  await commit(table, contextOf(), (plan) => markRemoving(plan, now));
  const marked = await stored(target);
  const moved = { ...marked.object, revision: 2, node_ids: [idOf(other)] };
  await expect(write([{ old: marked, next: { kind: 'service', object: moved } }])).rejects.toMatchObject({
    kind: 'failedPrecondition',
  });
  const labelled = { ...marked.object, revision: 2, custom_labels: { a: 'b' } };
  await expect(write([{ old: marked, next: { kind: 'service', object: labelled } }])).resolves.toBeUndefined();
  await removeObject(table, 'service', idOf(target), { force: true, ifMatch: undefined, writeContext: contextOf() });
});

test('a concurrent write of the same counters is repeated', async () => {
  const place = await existing();
  const [mine, theirs] = [service([place]), service([place])];
  await write(
    [{ next: mine }],
    disturbed(table, () => addAll(table, theirs)),
  );
  expect(await present(mine, theirs)).toEqual([true, true]);
});
