import { randomUUID } from 'node:crypto';
import type { Table } from '../../../shared/db/table.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { fakeTable } from '../../../tests/support/table.ts';
import { changeIdOf, changeKey, STATE_CHANGES_PARTITION, stateChangeIdOf, stateChangeKey } from '../table/keys.ts';
import { feedTime, feedTimeKnown, forgetFeedTime, latestChange, noteChange, noteFeedTime } from './feed-time.ts';

const TIME = Date.parse('2026-05-01T10:00:00Z');
const at = (milliseconds: number) => new Date(TIME + milliseconds);

/** Four partitions of changes, their number, and the partition of changes of states. */
const READS = 6;

const monotonic = manualClock();

/**
 * A table with these changes (by partition, milliseconds after TIME) and this change of a state, and the number of its
 * reads.
 */
function tableWith(
  changes: Record<number, number>,
  ofState?: number,
): {
  table: Table;
  asked: () => number;
  fail: (times: number) => void;
} {
  let asked = 0;
  let failures = 0;
  const table = fakeTable((_, { ExpressionAttributeValues: values }) => {
    asked += 1;
    failures -= 1;
    if (failures >= 0) throw new Error('no reply');
    if (values === undefined) return {};
    if (values[':pk'] === STATE_CHANGES_PARTITION)
      return { Items: ofState === undefined ? [] : [stateChangeKey(stateChangeIdOf(TIME + ofState, 'aaaaaa'))] };
    const shard = Number.parseInt(String(values[':pk']).slice(-1), 36);
    const time = changes[shard];
    return { Items: time === undefined ? [] : [changeKey(changeIdOf(shard, TIME + time, 'aaaaaa', 0))] };
  });
  return {
    table: { ...table, name: randomUUID(), monotonic },
    asked: () => asked,
    fail: (times) => (failures = times),
  };
}

test("is the clock's time, unless the feed is ahead; then it continues at half the real speed", () => {
  const { table } = tableWith({});
  expect(feedTimeKnown(table, at(0))).toBe(TIME);
  noteFeedTime(table, TIME + 100);
  expect(feedTimeKnown(table, at(0))).toBe(TIME + 100);
  expect(feedTimeKnown(table, at(101))).toBe(TIME + 101);
  monotonic.advance(15);
  expect(feedTimeKnown(table, at(0))).toBe(TIME + 107);
  noteFeedTime(table, TIME + 50);
  expect(feedTimeKnown(table, at(0))).toBe(TIME + 107);
  forgetFeedTime(table);
  expect(feedTimeKnown(table, at(0))).toBe(TIME);
});

test('the latest change is that of any partition, and later changes get a later time', async () => {
  const { table } = tableWith({ 0: 5, 2: 9, 3: 7 });
  expect(await latestChange(table)).toBe(TIME + 9);
  expect(await feedTime(table, at(0))).toBe(TIME + 10);
  expect(await latestChange(tableWith({ 0: 5 }, 9).table)).toBe(TIME + 9);
  expect(await latestChange(tableWith({}).table)).toBeUndefined();
});

test('only the first change of a process reads the table', async () => {
  const { table, asked } = tableWith({ 1: 500 });
  expect(await feedTime(table, at(0))).toBe(TIME + 501);
  expect(asked()).toBe(READS);
  expect(await feedTime(table, at(2000))).toBe(TIME + 2000);
  expect(asked()).toBe(READS);
});

test('a clock more than a second behind the feed causes another read', async () => {
  const { table, asked } = tableWith({});
  await feedTime(table, at(0));
  noteFeedTime(table, TIME + 1500);
  expect(await feedTime(table, at(500))).toBe(TIME + 1500);
  expect(asked()).toBe(READS);
  expect(await feedTime(table, at(499))).toBe(TIME + 1501);
  expect(asked()).toBe(2 * READS);
});

test('changes at the same reading of the clock have increasing times, later than that of a noted change', async () => {
  const { table } = tableWith({});
  const given = async () => (await feedTime(table, at(0))) - TIME;
  expect([await given(), await given()]).toEqual([0, 1]);
  noteChange(table, TIME + 5);
  noteChange(table, TIME + 3);
  expect([await given(), await given()]).toEqual([6, 7]);
});

test('many changes do not move the feed ahead of the clock, so none of them reads the table again', async () => {
  const { table, asked } = tableWith({});
  let now = 0;
  for (let burst = 0; burst < 500; burst += 1) {
    for (let change = 0; change < 8; change += 1) await feedTime(table, at(now));
    monotonic.advance(20);
    now += 20;
  }
  expect(await feedTime(table, at(now))).toBe(TIME + now);
  expect(asked()).toBe(READS);
});

test('after a change of a clock that was ahead, the reads end when the other clocks have caught up', async () => {
  const { table, asked } = tableWith({});
  await feedTime(table, at(0));
  noteFeedTime(table, TIME + 5000);
  monotonic.advance(7000);
  await feedTime(table, at(7000));
  expect(asked()).toBe(2 * READS);
  monotonic.advance(1000);
  expect(await feedTime(table, at(8000))).toBe(TIME + 9000);
  expect(asked()).toBe(2 * READS);
});

test('a known time does not replace the read of the table', async () => {
  const { table, asked } = tableWith({ 0: 900 });
  noteFeedTime(table, TIME + 10);
  expect(await feedTime(table, at(0))).toBe(TIME + 901);
  expect(asked()).toBe(READS);
});

test('simultaneous first changes share one read, and read alone when it fails', async () => {
  const shared = tableWith({ 1: 500 });
  expect(await Promise.all([feedTime(shared.table, at(0)), feedTime(shared.table, at(0))])).toEqual([
    TIME + 501,
    TIME + 502,
  ]);
  expect(shared.asked()).toBe(READS);
  const failing = tableWith({ 1: 500 });
  failing.fail(1);
  const [first, second] = await Promise.allSettled([feedTime(failing.table, at(0)), feedTime(failing.table, at(0))]);
  expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: TIME + 501 }]);
});
