import * as z from 'zod/mini';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { heartbeatKey } from '../table/keys.ts';
import { readItems } from '../table/read.ts';

/** The attribute of a heartbeat with the last stored report that the host made with its own key. */
export const KEY_USE = 'key_use';

/** The key of a host in a request, with which it reports. */
export interface HostKey {
  /** The digest under which the secret is stored. */
  secretDigest: string;
  /** The source address, as the gateway saw it. */
  sourceIp: string;
}

/** Characters of the digest of a secret: enough to distinguish the secrets of one node. */
const DIGEST_CHARACTERS = 8;

const digestIn = (secretDigest: string) => secretDigest.slice(0, DIGEST_CHARACTERS);

/** A list, because lists by state read all heartbeats: of the present secret, then of the one that reported before it. */
const keyUseSchema = z.union([
  z.tuple([z.string(), z.int(), z.string()]),
  z.tuple([z.string(), z.int(), z.string(), z.int(), z.string()]),
]);

interface SecretUse {
  /** Seconds since 1970. */
  at: number;
  from: string;
}

interface KeyUse extends SecretUse {
  /** The first characters of the digest. */
  secret: string;
  former: SecretUse | undefined;
}

function keyUseIn(value: unknown): KeyUse | undefined {
  const { data } = z.safeParse(keyUseSchema, value);
  if (data === undefined) return undefined;
  const [secret, at, from, formerAt, formerFrom] = data;
  const former = formerAt === undefined || formerFrom === undefined ? undefined : { at: formerAt, from: formerFrom };
  return { secret, at, from, former };
}

/**
 * The use of the key of a host by a report that is stored, as an attribute of the heartbeat. So the authorizer need not
 * write the last use of each key.
 *
 * @param last the attribute in the heartbeat so far.
 */
export function keyUseAttribute({ secretDigest, sourceIp }: HostKey, now: Date, last: unknown): Item {
  const before = keyUseIn(last);
  const secret = digestIn(secretDigest);
  const former = before?.secret === secret ? before.former : before;
  return { [KEY_USE]: [secret, secondsOf(now), sourceIp, ...(former === undefined ? [] : [former.at, former.from])] };
}

/** The fields of a key that its use concerns. Times in seconds since 1970, but `created_at`. */
interface UsedKey {
  node_id?: string | undefined;
  created_at: string;
  rotated_at?: string | undefined;
  last_used_at?: number | undefined;
  last_used_from?: string | undefined;
  former_last_used_at?: number | undefined;
  former_last_used_from?: string | undefined;
}

const isLater = (at: number, stored: number | undefined) => stored === undefined || at > stored;

/**
 * The key with the later of its stored last use and the one in the heartbeat of its node; so of former secrets. Reports
 * before the key was added were made with another key of the node.
 */
function withUse<Key extends UsedKey>(key: Key, secretDigest: string, use: KeyUse | undefined): Key {
  if (use === undefined) return key;
  const isPresent = use.secret === digestIn(secretDigest);
  const present = isPresent ? use : undefined;
  const former = isPresent ? use.former : use;
  const isOfKey =
    key.rotated_at !== undefined && former !== undefined && former.at * 1000 >= Date.parse(key.created_at);
  return {
    ...key,
    ...(present !== undefined && isLater(present.at, key.last_used_at)
      ? { last_used_at: present.at, last_used_from: present.from }
      : {}),
    ...(isOfKey && isLater(former.at, key.former_last_used_at)
      ? { former_last_used_at: former.at, former_last_used_from: former.from }
      : {}),
  };
}

/**
 * The keys, those of hosts with their last use by a report: one more round of batch reads, half a unit for each key of a
 * host. Reports of a relay for the host are no use of its key, so the times of groups do not matter.
 *
 * @param keys with the digest of their newest secret.
 */
export async function withReportedUse<Key extends UsedKey>(
  table: Table,
  keys: readonly (readonly [key: Key, secretDigest: string])[],
): Promise<Key[]> {
  const nodeIds = new Set(keys.flatMap(([{ node_id: id }]) => id ?? []));
  const items = nodeIds.size === 0 ? [] : await readItems(table, [...nodeIds].map(heartbeatKey), false);
  const uses = new Map(items.map((item) => [String(item['sk']), keyUseIn(item[KEY_USE])]));
  return keys.map(([key, secretDigest]) =>
    key.node_id === undefined ? key : withUse(key, secretDigest, uses.get(key.node_id)),
  );
}
