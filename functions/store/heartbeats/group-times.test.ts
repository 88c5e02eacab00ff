import { fakeTable } from '../../../tests/support/table.ts';
import { groupTimesKey } from '../table/keys.ts';
import { timesAttributes } from './group.ts';
import { GROUP, type GroupPointer, pointerIn, readGroupTimes, withGroupTimes } from './group-times.ts';
import type { Report } from './stored-report.ts';

interface Heartbeat {
  nodeId: string;
  processes: ReadonlyMap<string, Report | undefined>;
  group?: GroupPointer;
}

const report = (at: number): Report => ({ at, agents: {} });

/** A heartbeat whose process last stored its report at 10. */
const heartbeat = (nodeId: string, id?: string, slot = 0, stored: Report | undefined = report(10)): Heartbeat => ({
  nodeId,
  processes: new Map([
    ['p', stored],
    ['other', report(5)],
  ]),
  ...(id === undefined ? {} : { group: { id, slot, process: 'p' } }),
});

interface BatchRequest {
  keys: string[];
  isConsistent: boolean;
}

/** A table with the times of groups, by slot. Each read of heartbeats has the next result; without one, none exists. */
function tableOf(groups: Readonly<Record<string, readonly number[]>>, ...rereads: (readonly Heartbeat[])[]) {
  const reads: BatchRequest[] = [];
  const items = Object.entries(groups).map(([id, times]) => ({
    ...groupTimesKey(id),
    ...timesAttributes({ version: 1, membersVersion: 1, times: new Map(times.entries()) }),
  }));
  const table = fakeTable((_, { RequestItems: { t } }) => {
    const keys: string[] = t.Keys.map(({ pk, sk }: { pk: string; sk: string }) => (sk === 'TIMES' ? pk : sk));
    reads.push({ keys, isConsistent: t.ConsistentRead });
    const isOfGroups = t.Keys.some(({ sk }: { sk: string }) => sk === 'TIMES');
    const found = isOfGroups
      ? items.filter(({ pk }) => keys.includes(pk))
      : (rereads.shift() ?? []).map((value) => ({ value }));
    return { Responses: { t: found } };
  });
  return { table, reads };
}

const read = (item: Record<string, unknown>) => item['value'] as Heartbeat;

const timesOf = (heartbeats: readonly Heartbeat[]) =>
  heartbeats.map(({ nodeId, processes }) => [nodeId, ...Array.from(processes.values(), (found) => found?.at)]);

const group = (id: string) => groupTimesKey(id).pk;

test('heartbeats outside groups are returned as they are, without a read', async () => {
  const { table, reads } = tableOf({});
  const heartbeats = [heartbeat('a'), heartbeat('b')];
  expect(await withGroupTimes(table, heartbeats, read)).toEqual(heartbeats);
  expect(reads).toEqual([]);
});

test('a process in a group has the later of the time in its slot and the stored one, in the order of the heartbeats', async () => {
  const { table, reads } = tableOf({ g: [7, 20], h: [30] });
  const heartbeats = [heartbeat('d', 'h'), heartbeat('c'), heartbeat('b', 'g', 1), heartbeat('a', 'g', 0)];
  expect(timesOf(await withGroupTimes(table, heartbeats, read))).toEqual([
    ['d', 30, 5],
    ['c', 10, 5],
    ['b', 20, 5],
    ['a', 10, 5],
  ]);
  expect(reads).toEqual([{ keys: [group('h'), group('g')], isConsistent: true }]);
});

test('a process without a report has no time of its group', async () => {
  const { table } = tableOf({ g: [20] });
  const silent = { ...heartbeat('a', 'g'), processes: new Map([['p', undefined]]) };
  expect(await withGroupTimes(table, [silent], read)).toEqual([silent]);
});

describe('a heartbeat that its group does not contain', () => {
  test('is read again, strongly consistent, also for a caller that reads eventually consistent', async () => {
    const { table, reads } = tableOf({ g: [20], h: [40] }, [
      heartbeat('b', undefined, 0, report(30)),
      heartbeat('c', 'h'),
    ]);
    const heartbeats = [heartbeat('a', 'g'), heartbeat('b', 'g', 1), heartbeat('c', 'gone')];
    expect(timesOf(await withGroupTimes(table, heartbeats, read, false))).toEqual([
      ['a', 20, 5],
      ['b', 30, 5],
      ['c', 40, 5],
    ]);
    expect(reads).toEqual([
      { keys: [group('g'), group('gone')], isConsistent: false },
      { keys: ['b', 'c'], isConsistent: true },
      { keys: [group('h')], isConsistent: true },
    ]);
  });

  test('is left out if its node was removed', async () => {
    const { table } = tableOf({ g: [20] }, []);
    expect(timesOf(await withGroupTimes(table, [heartbeat('a', 'g', 1), heartbeat('b', 'g')], read))).toEqual([
      ['b', 20, 5],
    ]);
  });

  test('is read again three times at most; then it has the stored time', async () => {
    const torn = heartbeat('a', 'gone');
    const { table, reads } = tableOf({}, ...Array.from({ length: 9 }, () => [torn]));
    expect(await withGroupTimes(table, [torn], read)).toEqual([torn]);
    expect(reads.filter(({ keys }) => keys.includes('a'))).toHaveLength(3);
  });
});

test('the times of one group are read strongly consistent by default; a missing group has none', async () => {
  const consistency: unknown[] = [];
  const item = timesAttributes({ version: 1, membersVersion: 1, times: new Map([[0, 20]]) });
  const table = fakeTable((_, { Key, ConsistentRead }) => {
    consistency.push(ConsistentRead);
    return Key.pk === group('g') ? { Item: item } : {};
  });
  expect((await readGroupTimes(table, 'g'))?.times).toEqual(new Map([[0, 20]]));
  expect(await readGroupTimes(table, 'gone', false)).toBeUndefined();
  expect(consistency).toEqual([true, false]);
});

test('a heartbeat names its group in one attribute', () => {
  const pointer = { id: 'g', slot: 1, process: 'p' };
  expect([pointerIn({ [GROUP]: pointer }), pointerIn({}), pointerIn(undefined)]).toEqual([
    pointer,
    undefined,
    undefined,
  ]);
  expect(pointerIn({ [GROUP]: { ...pointer, slot: 'one' } })).toBeUndefined();
});
