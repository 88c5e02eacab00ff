import * as z from 'zod/mini';
import { apiKeyIdKey, apiKeyNameKey, isOfLogIn as isCredentialOfLogIn } from '../../../functions/store/table/keys.ts';
import type { Item, Key } from '../../../shared/db/item.ts';

type Find = (key: Key) => Item | undefined;

const secretSchema = z.object({ key_hash: z.string() });
const byIdSchema = z.extend(secretSchema, { previous: z.optional(z.array(secretSchema)) });

const SECRET_PARTITION = 'KEY#';

const originSchema = z.object({ kind: z.string(), provider: z.optional(z.string()) });

/** Whether an item is the secret of a session or of the key of a program. */
export function isOfLogIn(item: Item): boolean {
  const { data } = z.safeParse(originSchema, item);
  return data !== undefined && isCredentialOfLogIn(data);
}

/**
 * Whether an item grants nothing, or is the secret of an API key that the items for its list and removal name. Another
 * program could have put back a secret with its valid seal after its removal.
 */
export function isListed(item: Item, find: Find): boolean {
  const { pk, key_id: id, name } = item;
  if (typeof pk !== 'string' || !pk.startsWith(SECRET_PARTITION)) return true;
  if (isOfLogIn(item)) return false;
  const hash = pk.slice(SECRET_PARTITION.length);
  const byId = find(apiKeyIdKey(String(id)));
  if (byId === undefined) return false;
  const { key_hash: newest, previous = [] } = z.parse(byIdSchema, byId);
  if (newest !== hash && !previous.some((older) => older.key_hash === hash)) return false;
  return find(apiKeyNameKey(String(name)))?.['key_id'] === id;
}
