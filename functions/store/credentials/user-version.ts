import type { Table } from '../../../shared/db/table.ts';
import { userKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

/** Whether the user exists, is not disabled and has this version. One strongly consistent read, without a schema. */
export async function hasUserVersion(table: Table, id: string, version: string | undefined): Promise<boolean> {
  const user = await readItem(table, userKey(id));
  return user !== undefined && user['version'] === version && user['disabled'] !== true;
}
