import type { Table } from '../../../shared/db/table.ts';
import { apiKeyIdKey, apiKeyNameKey, nameOfKey } from '../table/keys.ts';
import { readAhead } from '../table/read.ts';
import { type ApiKey, findById, toKnownById } from './api-keys.ts';
import { findSlotOwner } from './sessions.ts';

/**
 * The hash of the newest secret of a key or session, if the items by which it is listed and removed name this secret.
 * Otherwise undefined: its own item alone grants nothing, because a program that writes to the table past the service
 * could have put it back after its removal. One read for a key, two for a session. The item by name, which makes the list
 * of keys, is read in the same batch only where such programs exist: all keys share its partition.
 */
export async function findNewestSecret(table: Table, credential: ApiKey, hash: string): Promise<string | undefined> {
  const { key_id: id, kind, name } = credential;
  if (kind === 'session') {
    const known = await findById(table, id);
    const owner = known?.slot === undefined ? undefined : await findSlotOwner(table, known.slot);
    return known?.key_hash === hash && owner?.key_hash === hash && owner.session_id === id ? hash : undefined;
  }
  const [byId, byName] = [apiKeyIdKey(id), apiKeyNameKey(name)];
  const items = await readAhead(table, table.isSealed === true ? [byId, byName] : [byId]);
  const known = items.get(nameOfKey(byId));
  if (known === undefined || (table.isSealed === true && items.get(nameOfKey(byName))?.['key_id'] !== id))
    return undefined;
  const { key_hash: newest, previous = [] } = toKnownById(known);
  return newest === hash || previous.some((older) => older.key_hash === hash) ? newest : undefined;
}
