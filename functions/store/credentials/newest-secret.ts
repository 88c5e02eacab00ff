import type { Table } from '../../../shared/db/table.ts';
import { type ApiKey, findById } from './api-keys.ts';

export interface NewestSecret {
  hash: string;
  /** When the key ends, in seconds since 1970; undefined: never. An older secret ends earlier. */
  end: number | undefined;
}

/**
 * The newest secret of a key or session with this secret; undefined if it no longer has it. Only an older secret takes a read: the service writes and deletes the items of a key in one transaction.
 */
export async function findNewestSecret(
  table: Table,
  credential: ApiKey,
  hash: string,
): Promise<NewestSecret | undefined> {
  const { key_id: id, superseded, expires_at: end } = credential;
  if (superseded !== true) return { hash, end };
  const key = await findById(table, id, credential);
  const { key_hash: newest, previous = [] } = key ?? {};
  const isOfKey = newest === hash || previous.some((older) => older.key_hash === hash);
  return key !== undefined && isOfKey ? { hash: key.key_hash, end: key.expires_at } : undefined;
}
