import type { Table } from '../../../shared/db/table.ts';
import { type ApiKey, findById } from './api-keys.ts';

/**
 * The hash of the newest secret of a key or session with this secret; undefined if it no longer has it. Only an older secret
 * takes a read: the service writes and deletes the items of a key in one transaction.
 */
export async function findNewestSecret(
  table: Table,
  { key_id: id, superseded }: ApiKey,
  hash: string,
): Promise<string | undefined> {
  if (superseded !== true) return hash;
  const { key_hash: newest, previous = [] } = (await findById(table, id)) ?? {};
  return newest === hash || previous.some((older) => older.key_hash === hash) ? newest : undefined;
}
