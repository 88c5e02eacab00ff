import type { Table } from '../../shared/db/table.ts';
import { areIndexesBuilt } from '../../functions/store/table/built-indexes.ts';
import { jobKey } from '../../functions/store/table/keys.ts';
import { putItem } from './table.ts';

/** All objects have their index entries, as those that this version wrote have, and this process knows it. */
export async function indexesAreBuilt(table: Table): Promise<void> {
  await putItem(table, { ...jobKey('indexing'), state: 'done' });
  await areIndexesBuilt(table);
}
