import type { Table } from '../../../shared/db/table.ts';
import { addIn, contextOf, node } from '../../../tests/support/store.ts';
import { startTable, withSend } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { CHANGE_HOURS } from '../../domain/records/summary.ts';
import { type ChangeCount, countChanges, latestChanges } from './changes.ts';

const HOUR_MS = 3_600_000;

let table: Table;
let stop: () => Promise<void>;
beforeEach(async () => ({ table, stop } = await startTable(/./)));
afterEach(() => stop());

/** A node that is added then. */
const addAt = (milliseconds: number) => addIn(contextOf({ clock: () => testTime(milliseconds) }), table, node());

const sumOf = (hours: ChangeCount['hours']) => hours.reduce((sum, [, , , count]) => sum + count, 0);

/** The same table, of which a query returns fewer items than it asks for. */
const withPages = (Limit: number): Table => {
  const send = (command: any) => {
    if (command.constructor.name === 'QueryCommand') command.input.Limit = Limit;
    return table.client.send(command);
  };
  return withSend(table, send);
};

test('a count that cannot read all changes at once says so, and later passes count the rest, each change once', async () => {
  for (let count = 0; count < 40; count += 1) await addAt(count);
  const small = withPages(3);
  let count: ChangeCount | undefined;
  const passes: [sum: number, isComplete: boolean][] = [];
  do {
    const pass = await countChanges(small, count, testTime(60_000));
    passes.push([sumOf(pass.hours), pass.isComplete]);
    ({ count } = pass);
  } while (!passes.at(-1)![1] && passes.length < 100);
  expect(passes.length).toBeGreaterThan(3);
  expect(passes.map(([sum]) => sum)).toEqual(passes.map(([sum]) => sum).toSorted((left, right) => left - right));
  expect(passes.at(-1)).toEqual([40, true]);
  expect(sumOf(count.hours)).toBe(40);
});

test('counts changes by hour, kind and action for the hours that are shown', async () => {
  const begin = Math.ceil(testTime().getTime() / HOUR_MS) * HOUR_MS - testTime().getTime();
  for (const at of [begin - 1, begin, begin + HOUR_MS - 1, begin + HOUR_MS]) await addAt(at);
  const hour = testTime(begin).getTime();
  const counted = async (hours: number) =>
    (await countChanges(table, undefined, testTime(begin + hours * HOUR_MS))).hours.map(([at, ...more]) => [
      (at - hour) / HOUR_MS,
      ...more,
    ]);
  const first = [-1, 'node', 'added', 1];
  const others = [
    [0, 'node', 'added', 2],
    [1, 'node', 'added', 1],
  ];
  expect(await counted(2)).toEqual([first, ...others]);
  expect(await counted(CHANGE_HOURS - 1)).toEqual([first, ...others]);
  expect(await counted(CHANGE_HOURS)).toEqual(others);
});

test('counts changes of the last 20 seconds anew each time, as more may become visible', async () => {
  await addAt(0);
  const at = (milliseconds: number, former?: ChangeCount) => countChanges(table, former, testTime(milliseconds));
  const early = await at(20_000);
  expect([sumOf(early.hours), sumOf(early.count.hours)]).toEqual([1, 0]);
  const late = await at(20_001, early.count);
  expect([sumOf(late.hours), sumOf(late.count.hours)]).toEqual([1, 1]);
  expect(sumOf((await at(60_000, late.count)).hours)).toBe(1);
});

test('shows the newest changes of all partitions without their fields', async () => {
  for (let count = 0; count < 20; count += 1) await addAt(count);
  const latest = await latestChanges(table);
  const times = latest.map(({ time }) => Date.parse(time) - testTime().getTime());
  expect(times).toEqual(Array.from({ length: times.length }, (_, index) => 19 - index));
  expect(latest[0]).toMatchObject({ kind: 'node', action: 'added', revision: 1 });
  expect(latest[0]).not.toHaveProperty('after');
});
