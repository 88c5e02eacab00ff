import type { Table } from '../../../shared/db/table.ts';
import { jobKey } from './keys.ts';
import { readItem } from './read.ts';

const built = new WeakSet<Table['client']>();

/**
 * Whether the list of clusters and those by address are complete: the job `indexing` adds what older versions wrote. One strongly consistent read,
 * none once it is known.
 */
export async function areIndexesBuilt(table: Table): Promise<boolean> {
  if (built.has(table.client)) return true;
  const isBuilt = (await readItem(table, jobKey('indexing')))?.['state'] === 'done';
  if (isBuilt) built.add(table.client);
  return isBuilt;
}
