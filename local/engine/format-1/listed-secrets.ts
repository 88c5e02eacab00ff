import * as z from 'zod/mini';
import { apiKeyIdKey, apiKeyNameKey, SESSIONS_PARTITION } from '../../../functions/store/table/keys.ts';
import type { Item, Key } from '../../../shared/db/item.ts';

type Find = (key: Key) => Item | undefined;

const secretSchema = z.object({ key_hash: z.string() });
const byIdSchema = z.extend(secretSchema, { previous: z.optional(z.array(secretSchema)) });

const SECRET_PARTITION = 'KEY#';

/**
 * Whether an item grants nothing, or is the secret of a key or session that the items for its list and removal name. Another
 * program could have put back a secret with its valid seal after its removal.
 */
export function isListed({ pk, key_id: id, kind, name, provider, slot }: Item, find: Find): boolean {
  if (typeof pk !== 'string' || !pk.startsWith(SECRET_PARTITION)) return true;
  const hash = pk.slice(SECRET_PARTITION.length);
  const byId = find(apiKeyIdKey(String(id)));
  if (byId === undefined) return false;
  const { key_hash: newest, previous = [] } = z.parse(byIdSchema, byId);
  if (newest !== hash && !previous.some((older) => older.key_hash === hash)) return false;
  // The key of a program of an identity provider has no name.
  if (kind !== 'session') return provider !== undefined || find(apiKeyNameKey(String(name)))?.['key_id'] === id;
  // A session of an older version does not name its slot.
  const place = slot ?? byId['slot'];
  const owner = find({ pk: SESSIONS_PARTITION, sk: String(place) });
  return byId['slot'] === place && owner !== undefined && owner['session_id'] === id && owner['key_hash'] === newest;
}
