import type { Table } from '../../../shared/db/table.ts';
import { apiKeyIdKey, apiKeyNameKey, nameOfKey, SESSIONS_PARTITION } from '../table/keys.ts';
import { readAhead } from '../table/read.ts';
import { type ApiKey, type ApiKeyRecord, findById, toKnownById } from './api-keys.ts';

/** One read; two for a session that an earlier version of the service opened, whose item does not name its slot. */
async function newestOfSlot(
  table: Table,
  { key_id: id, slot: named }: ApiKey,
  hash: string,
): Promise<string | undefined> {
  const slot = named ?? (await findById(table, id))?.slot;
  if (slot === undefined) return undefined;
  const [byId, bySlot] = [apiKeyIdKey(id), { pk: SESSIONS_PARTITION, sk: slot }];
  const items = await readAhead(table, [byId, bySlot]);
  const [known, owner] = [items.get(nameOfKey(byId)), items.get(nameOfKey(bySlot))];
  // The slot that the item by its id names is the one that the end of the session frees.
  if (known?.['slot'] !== slot || owner?.['session_id'] !== id || owner['key_hash'] !== known['key_hash'])
    return undefined;
  return newestWith(toKnownById(known), hash);
}

/** The newest secret of a key or session, if it has the secret with this hash. */
const newestWith = ({ key_hash: newest, previous = [] }: ApiKeyRecord, hash: string) =>
  newest === hash || previous.some((older) => older.key_hash === hash) ? newest : undefined;

/**
 * The hash of the newest secret of a key or session. Undefined if another program could have written its item: a program
 * that writes to the table past the service could have put it back after its removal, so the items by which it is listed
 * and removed must name this secret. Where such programs exist, items have seals, and this is one read. Elsewhere the
 * service writes and deletes these items in one transaction: only an older secret takes the read, of the newest one.
 */
export async function findNewestSecret(table: Table, credential: ApiKey, hash: string): Promise<string | undefined> {
  const { key_id: id, kind, name, superseded, provider } = credential;
  if (table.isSealed !== true && superseded !== true) return hash;
  if (kind === 'session' && table.isSealed === true) return newestOfSlot(table, credential, hash);
  const [byId, byName] = [apiKeyIdKey(id), apiKeyNameKey(name)];
  // The key of a program has no name.
  const isNamed = table.isSealed === true && provider === undefined;
  const items = await readAhead(table, isNamed ? [byId, byName] : [byId]);
  const known = items.get(nameOfKey(byId));
  if (known === undefined || (isNamed && items.get(nameOfKey(byName))?.['key_id'] !== id)) return undefined;
  return newestWith(toKnownById(known), hash);
}
