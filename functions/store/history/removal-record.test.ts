import type { Writable } from '../entities/key-scope.ts';
import type { Position } from '../../../shared/db/page-token.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { transact } from '../../../shared/db/transact.ts';
import { contextOf, node, pmmAgent } from '../../../tests/support/store.ts';
import { itemAt } from '../../../tests/support/table.ts';
import { idOf } from '../entities/entity.ts';
import { changeIdOf, removalIdOf } from '../table/keys.ts';
import {
  forgetRemoval,
  listRemovals,
  newRemovalId,
  readRemoval,
  removalSteps,
  withoutReturned,
} from './removal-record.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const WEEK = 7 * 86_400_000;
let time = Date.parse('2026-05-01T10:00:00Z');
/** Each test has a time of its own, weeks after the others, so that its list contains only its removals. */
beforeEach(() => (time += 10 * WEEK));

const writeContext = contextOf({ actor: { kind: 'api_key', id: 'key', name: 'name' }, requestId: 'request' });

const removed = (entities: readonly Writable[], at = time) =>
  entities.map((before, index) => ({ changeId: changeIdOf(0, at, 'aaaaaa', index), change: { before } }));

/** Writes the record of a removal at a time; resolves to its id. */
async function remove(entities: readonly Writable[], at = time, removalId = newRemovalId(at)): Promise<string> {
  await transact(table, removalSteps(removed(entities, at), { writeContext, removalId }, at));
  return removalId;
}

const all = { size: 100, after: undefined };

test('the record names the removed objects, the actor and the time', async () => {
  const place = node({ node_name: 'n' });
  const process = pmmAgent(place);
  const removalId = await remove([process, place]);
  expect(await readRemoval(table, removalId, new Date(time))).toEqual([
    {
      removalId,
      key: expect.anything(),
      removedAt: new Date(time),
      actor: writeContext.actor,
      requestId: 'request',
      objects: [
        { kind: 'agent', id: idOf(process), name: 'pmm_agent', change_id: changeIdOf(0, time, 'aaaaaa', 0) },
        { kind: 'node', id: idOf(place), name: 'n', change_id: changeIdOf(0, time, 'aaaaaa', 1) },
      ],
    },
  ]);
});

test('only removals are recorded', () => {
  const [before, after] = [node(), node()];
  const context = { writeContext, removalId: undefined };
  const changeId = changeIdOf(0, time, 'aaaaaa', 0);
  expect(removalSteps([{ changeId, change: { after } }], context, time)).toEqual([]);
  expect(removalSteps([{ changeId, change: { before, after } }], context, time)).toEqual([]);
  expect(removalSteps([{ changeId, change: { after } }, ...removed([before])], context, time)).toHaveLength(1);
});

test('the table may delete the record after a week, rounded up to a second', async () => {
  const { key } = (await readRemoval(table, await remove([node()], time + 1), new Date(time)))[0]!;
  expect((await itemAt(table, key))?.['ttl']).toBe((time + WEEK) / 1000 + 1);
});

test('a removal can be restored for a week, to the millisecond', async () => {
  const removalId = await remove([node()]);
  expect(await readRemoval(table, removalId, new Date(time + WEEK))).toHaveLength(1);
  expect(await readRemoval(table, removalId, new Date(time + WEEK + 1))).toEqual([]);
  expect((await listRemovals(table, all, new Date(time + WEEK))).objects).toHaveLength(1);
  expect((await listRemovals(table, all, new Date(time + WEEK + 1))).objects).toEqual([]);
});

test('a malformed id is no removal, and needs no read', async () => {
  for (const id of ['', 'x', `${removalIdOf(time, 'aaaaaa')}0`, removalIdOf(time, 'aaaaaa').slice(1), '#'.repeat(15)])
    expect(await readRemoval(table, id, new Date(time))).toEqual([]);
});

test('lists removals newest first across pages, and the last page says so', async () => {
  const ids = [];
  for (const at of [time, time + 1, time + 2]) ids.unshift(await remove([node()], at));
  const first = await listRemovals(table, { size: 2, after: undefined }, new Date(time + 2));
  expect(first.objects.map(({ removalId }) => removalId)).toEqual(ids.slice(0, 2));
  expect(first.next).toBeDefined();
  const second = await listRemovals(table, { size: 1, after: first.next }, new Date(time + 2));
  expect(second.objects.map(({ removalId }) => removalId)).toEqual(ids.slice(2));
  expect(second.next).toBeUndefined();
});

test('a removal in several transactions has one part for each', async () => {
  const removalId = newRemovalId(time);
  await remove([node()], time, removalId);
  await remove([node()], time + 5, removalId);
  const parts = await readRemoval(table, removalId, new Date(time + 5));
  expect(parts.map(({ objects }) => objects.length)).toEqual([1, 1]);
  expect(parts.map(({ removedAt }) => removedAt)).toEqual([new Date(time), new Date(time)]);
});

describe('the list', () => {
  /** A removal of three parts between two of one part; resolves to their ids, newest first. */
  async function three(): Promise<string[]> {
    const old = await remove([node()], time);
    const large = newRemovalId(time + 1);
    for (const name of ['a', 'b', 'c']) await remove([node({ node_name: name })], time + 1 + name.charCodeAt(0), large);
    return [await remove([node()], time + 200), large, old];
  }
  const pageOf = (size: number, after?: Position) => listRemovals(table, { size, after }, new Date(time + 200));

  test('contains a removal of several parts once, with all objects in order', async () => {
    const ids = await three();
    const { objects, next } = await pageOf(100);
    expect(objects.map(({ removalId }) => removalId)).toEqual(ids);
    expect(objects[1]!.objects.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(next).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 5])('shows each removal once, whole, with pages of up to %d', async (size) => {
    const ids = await three();
    const listed: [string, number][] = [];
    let after: Position | undefined;
    do {
      const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(size, after);
      expect(page.objects.length).toBeGreaterThan(0);
      expect(page.objects.length).toBeLessThanOrEqual(size);
      listed.push(...page.objects.map(({ removalId, objects }): [string, number] => [removalId, objects.length]));
      after = page.next;
    } while (after !== undefined);
    expect(listed).toEqual(ids.map((id, index) => [id, index === 1 ? 3 : 1]));
  });

  test('ends with a removal whose parts exceed the last page', async () => {
    const large = newRemovalId(time);
    for (const at of [1, 2, 3]) await remove([node()], time + at, large);
    const { objects, next } = await pageOf(2);
    expect([objects.length, objects[0]?.objects.length, next]).toEqual([1, 3, undefined]);
  });
});

test('a restored object leaves the record, the last one deletes it, and none is restored twice', async () => {
  const removalId = await remove([node(), node()]);
  const read = () => readRemoval(table, removalId, new Date(time));
  const [whole] = await read();
  const [first, second] = whole!.objects;
  const { left, step } = withoutReturned(whole!, first!);
  await transact(table, [step]);
  expect((await read()).map(({ objects }) => objects)).toEqual([[second]]);
  await expect(transact(table, [step])).rejects.toBeInstanceOf(StaleRead);
  await transact(table, [withoutReturned(left, second!).step]);
  expect(await read()).toEqual([]);
  await expect(transact(table, [forgetRemoval(whole!)])).rejects.toBeInstanceOf(StaleRead);
});
