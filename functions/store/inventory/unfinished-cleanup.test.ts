import type { Table } from '../../../shared/db/table.ts';
import { startTable } from '../../../tests/support/table.ts';
import { keepUnfinishedCleanup, unfinishedCleanup } from './unfinished-cleanup.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

const NOW = new Date('2026-05-01T10:00:00Z');

test('what was kept is found until it is finished, or a day old', async () => {
  expect(await unfinishedCleanup(table, NOW)).toBeUndefined();
  for (const place of [
    { phase: 'count', asOf: NOW.getTime(), after: 'x', objects: 3 },
    { phase: 'remove', asOf: NOW.getTime(), objects: 4 },
  ] as const) {
    await keepUnfinishedCleanup(table, place);
    expect(await unfinishedCleanup(table, NOW)).toEqual(place);
  }
  const at = (milliseconds: number) => unfinishedCleanup(table, new Date(NOW.getTime() + milliseconds));
  expect(await at(86_400_000)).toBeDefined();
  expect(await at(86_400_001)).toBeUndefined();
  await keepUnfinishedCleanup(table, undefined);
  expect(await unfinishedCleanup(table, NOW)).toBeUndefined();
});
