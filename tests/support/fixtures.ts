import type { Table } from '../../shared/db/table.ts';
import { checkInvariants } from '../consistency/invariants.ts';
import { type Inventory, type InventoryOptions, startInventory } from './inventory.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { startTable } from './table.ts';

interface TableFixture {
  table: Table;
  /** See `startTable`. */
  passing: ManualClock;
}

function tableFixture(check: (table: Table) => Promise<void>, eventual?: RegExp): TableFixture {
  const fixture = { table: {} as Table, passing: manualClock() };
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await startTable(eventual, fixture.passing);
    stop = started.stop;
    Object.assign(fixture.table, started.table);
  });
  afterAll(async () => {
    try {
      await check(fixture.table);
    } finally {
      await stop();
    }
  });
  return fixture;
}

/** A table for the tests of a file or block, from their start to their end. @param eventual see `startTable`. */
export const useTable = (eventual?: RegExp): TableFixture => tableFixture(() => Promise.resolve(), eventual);

/** The same, and at the end its items keep the invariants. */
export const useCheckedTable = (): TableFixture =>
  tableFixture(async (table) => expect(await checkInvariants(table)).toEqual([]));

/** An inventory for the tests of a file or block, from their start to their end. */
export function useInventory(options: InventoryOptions = {}): Inventory {
  const inventory = {} as Inventory;
  beforeAll(async () => void Object.assign(inventory, await startInventory(options)));
  afterAll(() => inventory.stop());
  return inventory;
}

/** The same. Its items keep the invariants after each test, and its clock is set back. */
export function useCheckedInventory(options: InventoryOptions = {}): Inventory {
  const inventory = useInventory(options);
  afterEach(async () => {
    inventory.clock.now = undefined;
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });
  return inventory;
}
