import { removeObject } from '../../functions/store/inventory/remove.ts';
import type { Table } from '../../shared/db/table.ts';
import { contextOf } from './store.ts';
import { testTime } from './test-time.ts';

/** Removes a node with its dependants. */
export async function forcedRemoval(table: Table, nodeId: string, now = testTime()): Promise<void> {
  const writeContext = contextOf({ clock: () => now });
  await removeObject(table, 'node', nodeId, { force: true, ifMatch: undefined, writeContext });
}
