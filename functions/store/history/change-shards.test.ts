import type { Table } from '../../../shared/db/table.ts';
import { asProcess } from '../../../tests/support/processes.ts';
import { clear, itemAt } from '../../../tests/support/table.ts';
import { changeShardsKey } from '../table/keys.ts';
import {
  changeShardsKnown,
  changeShardsToWrite,
  forgetChangeShards,
  growChangeShards,
  GROWTH_DELAY_MS,
  inEveryShard,
  lookForGrowth,
  ROLLBACK_MS,
} from './change-shards.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table, passing } = useTable();
afterEach(async () => {
  forgetChangeShards(table);
  await clear(table);
});

const START = Date.parse('2026-05-01T10:00:00Z');
const at = (milliseconds: number) => new Date(START + milliseconds);
const shardsOf = (process: Table) => inEveryShard(process, (shard) => Promise.resolve(shard));

test('a new table has four partitions, and an item only after a growth', async () => {
  expect(await shardsOf(table)).toEqual([0, 1, 2, 3]);
  await growChangeShards(table, 4, at(0));
  expect(await itemAt(table, changeShardsKey)).toBeUndefined();
});

test('readers read the new partitions at once, and writers write to them after the delay', async () => {
  const [reader, writer] = [asProcess(table), asProcess(table)];
  await shardsOf(reader);
  await growChangeShards(table, 6, at(0));
  expect(await shardsOf(reader)).toEqual([0, 1, 2, 3, 4, 5]);
  await shardsOf(writer);
  // The time to write the item, a request of a version without it, and the difference of clocks.
  expect(GROWTH_DELAY_MS).toBeGreaterThan(21_000 + 29_000 + 20_000);
  expect(changeShardsToWrite(writer, at(GROWTH_DELAY_MS - 1))).toBe(4);
  expect(changeShardsToWrite(writer, at(GROWTH_DELAY_MS))).toBe(6);
});

test('a read returns at least as many partitions as earlier reads of the process', async () => {
  await growChangeShards(table, 6, at(0));
  await shardsOf(table);
  await clear(table);
  expect(await shardsOf(table)).toHaveLength(6);
});

test('the number never decreases', async () => {
  await growChangeShards(table, 6, at(0));
  await growChangeShards(table, 8, at(ROLLBACK_MS));
  const refused = { message: expect.stringContaining('Set 8 or more, or omit the setting') };
  await expect(growChangeShards(table, 4, at(ROLLBACK_MS))).rejects.toMatchObject(refused);
  await expect(growChangeShards(table, 7, at(ROLLBACK_MS))).rejects.toMatchObject(refused);
  await expect(growChangeShards(table, 6, at(2 * ROLLBACK_MS))).rejects.toMatchObject(refused);
  expect(await shardsOf(table)).toHaveLength(8);
});

test('a rolled back deployment may set the former number within an hour, and the larger one stays', async () => {
  await growChangeShards(table, 8, at(0));
  await growChangeShards(table, 4, at(ROLLBACK_MS - 1));
  expect(await shardsOf(table)).toHaveLength(8);
});

test('a further growth waits until writers may use the former one', async () => {
  await growChangeShards(table, 6, at(0));
  await expect(growChangeShards(table, 8, at(GROWTH_DELAY_MS - 1))).rejects.toThrow('two minutes');
  await growChangeShards(table, 8, at(GROWTH_DELAY_MS));
  expect(changeShardsToWrite(table, at(2 * GROWTH_DELAY_MS - 1))).toBe(6);
});

test('of simultaneous growths the larger number stays', async () => {
  const results = await Promise.allSettled(
    [8, 6, 8, 6].map((wanted) => growChangeShards(asProcess(table), wanted, at(0))),
  );
  const { shards } = (await itemAt(table, changeShardsKey))!;
  const isDone = results.map(({ status }) => status === 'fulfilled');
  // Of the two numbers, the first one that was written is in force for the delay.
  expect(isDone).toEqual(shards === 8 ? [true, false, true, false] : [false, true, false, true]);
});

test('a writing process looks for a larger number every ten minutes, and a failure has no effect', async () => {
  let failures = 0;
  const writer = asProcess(table, () => {
    failures -= 1;
    if (failures >= 0) throw new Error('no reply');
  });
  await shardsOf(writer);
  await growChangeShards(table, 6, at(0));
  passing.advance(599_999);
  await lookForGrowth(writer);
  expect(changeShardsKnown(writer)).toBe(4);
  passing.advance(1);
  failures = 1;
  await lookForGrowth(writer);
  expect(changeShardsKnown(writer)).toBe(4);
  await lookForGrowth(writer);
  expect(changeShardsKnown(writer)).toBe(6);
});
