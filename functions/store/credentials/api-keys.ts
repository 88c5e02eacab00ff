import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { type Role, roles } from '../../../shared/auth/roles.ts';
import { ABSENT, and, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { timeOf } from '../../domain/fields/time.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { apiKeyItemKey, credentialIdKey, isOfLogIn, type Origin, secretItemKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

/** The callers that may rotate a key. */
export const rotators = ['admin', 'key'] as const;

const usesByDay = z.record(z.string(), z.int());

const actorSchema = z.object({ kind: z.string(), id: z.string(), name: z.string() });

/**
 * A stored key: everything except the secret. Only the hash of the secret is stored, as the partition key of the item.
 */
export const apiKeySchema = z.object({
  key_id: z.string(),
  kind: openEnum(['api_key', 'session']),
  name: z.string(),
  role: openEnum(roles),
  /** The first characters, by which people recognise the key. */
  prefix: z.string(),
  created_at: z.string(),
  created_by: actorSchema,
  /** Seconds since 1970; undefined: never. */
  expires_at: z.optional(z.int()),
  /** It is refused until it is enabled. All its secrets have the mark. */
  disabled: z.optional(z.literal(true)),
  /** Seconds since 1970. */
  last_used_at: z.optional(z.int()),
  /** The source address of that use. */
  last_used_from: z.optional(z.string()),
  /** The same of the secrets before this one, also of their use during the overlap. */
  former_last_used_at: z.optional(z.int()),
  former_last_used_from: z.optional(z.string()),
  /** Authorizations by day (use-counts.ts), and those by a former secret in its overlap. */
  uses: z.optional(usesByDay),
  former_uses: z.optional(usesByDay),
  /** The node of a Registrar key. */
  node_id: z.optional(z.string()),
  /** Addresses that a Registrar may give besides its source address. */
  allowed_addresses: z.optional(z.array(z.string())),
  rate_limit_per_minute: z.optional(z.int()),
  /** The key whose count of requests this one shares: a key with owners and a limit added it. Undefined: it counts alone. */
  rate_group: z.optional(z.string()),
  /** The owners to which an Editor or a host is limited; of a Viewer, those of the team that it belongs to. */
  owners: z.optional(z.array(z.string())),
  /** The name of the service account that it belongs to, if a client of PMM added it to one. */
  service_account: z.optional(z.string()),
  /** When it got its present secret, if that is not the first one. */
  rotated_at: z.optional(z.string()),
  /** When its lifetime last started again, if that was after it was added. */
  renewed_at: z.optional(z.string()),
  /** Until when a previous secret works beside this one; seconds since 1970. */
  previous_expires_at: z.optional(z.int()),
  /** This secret is not the newest one: it ends with its overlap, and is in no list and no count. */
  superseded: z.optional(z.literal(true)),
  /** The caller that replaced it: an Admin, or the key itself, which presented this secret. */
  superseded_by: z.optional(openEnum(rotators)),
  /** Digest of the secret that superseded it. */
  successor_hash: z.optional(z.string()),
  /**
   * The first use must be recorded before this secret is accepted: until then a previous secret may repeat the
   * rotation.
   */
  first_use_counts: z.optional(z.literal(true)),
  /** Of a session: the version of the account (the time of its password) with which it was opened. */
  account_version: z.optional(z.string()),
  /** Of a session of another user than `admin`: its user, whose version is `account_version`. */
  user_id: z.optional(z.string()),
  /**
   * Of the key of a program: the identity provider whose token it presented. Such a key is in no list and no count; it
   * ends after minutes.
   */
  provider: z.optional(z.string()),
  /** The role bindings on which it rests, with their versions (binding-versions.ts). */
  rests_on: z.optional(z.record(z.string(), z.string())),
  /** Of a session: the sort key of its slot. */
  slot: z.optional(z.string()),
});

export type ApiKey = z.output<typeof apiKeySchema>;

/** The end that a disabled key has again when it is enabled. */
const enabledEnd = { enabled_expires_at: z.optional(z.int()) };

/**
 * Versions before the role Gateway, before owners, or before keys could be disabled, do not know them. For them the key
 * has fewer rights: a Gateway is stored as a Relay, an Editor with owners as a Viewer, and a disabled key as one that has
 * expired, each with a mark. So every condition on the end of a key also refuses a disabled one.
 */
const storedSchema = z.extend(apiKeySchema, {
  gateway: z.optional(z.literal(true)),
  limited_editor: z.optional(z.literal(true)),
  ...enabledEnd,
});

const storedEnd = ({ disabled, expires_at: end }: Pick<ApiKey, 'disabled' | 'expires_at'>): Item =>
  disabled === true ? { expires_at: 0, enabled_expires_at: end } : {};

interface StoredEnd extends Pick<ApiKey, 'disabled' | 'expires_at'> {
  enabled_expires_at?: number | undefined;
}

function withEnd<Stored extends StoredEnd>({ enabled_expires_at: end, ...key }: Stored) {
  return key.disabled === true ? { ...key, expires_at: end } : key;
}

type RoleAndOwners = Pick<ApiKey, 'role' | 'owners'>;

const isLimitedEditor = ({ role, owners }: RoleAndOwners) => role === 'Editor' && owners !== undefined;

function storedRole(key: RoleAndOwners): Role {
  if (key.role === 'Gateway') return 'Relay';
  return isLimitedEditor(key) ? 'Viewer' : key.role;
}

/** The item of a key by the hash of a secret. */
export const apiKeyItem = (key: ApiKey, hash: string): Item & Key => ({
  ...key,
  role: storedRole(key),
  ...(key.role === 'Gateway' ? { gateway: true } : {}),
  ...(isLimitedEditor(key) ? { limited_editor: true } : {}),
  ...storedEnd(key),
  ...secretItemKey(key, hash),
});

/**
 * Secrets of a key that may still work beside the newest one, oldest first. `repeats` is the digest of the superseded
 * secret that obtained this one by repeating its rotation, after the reply was lost.
 */
const previousSchema = z.array(
  z.object({ key_hash: z.string(), expires_at: z.int(), repeats: z.optional(z.string()) }),
);

export type PreviousSecrets = z.output<typeof previousSchema>;

/**
 * The properties of a key that its removal and rotation need, found by its id. Only a rotation, and disabling or enabling
 * the key, change them.
 */
const knownByIdSchema = z.object({
  key_hash: z.string(),
  previous: z.optional(previousSchema),
  ...z.pick(apiKeySchema, {
    key_id: true,
    kind: true,
    name: true,
    role: true,
    expires_at: true,
    disabled: true,
    slot: true,
    provider: true,
  }).shape,
});

export type ApiKeyRecord = z.output<typeof knownByIdSchema>;

export const toKnownById = (item: Item): ApiKeyRecord => withEnd(z.parse(z.extend(knownByIdSchema, enabledEnd), item));

export function idItem(hash: string, key: ApiKey, previous: PreviousSecrets = []): Item {
  const { key_id, kind, name, expires_at, disabled, slot, user_id, provider } = key;
  const older = previous.length === 0 ? {} : { previous };
  const fields = { key_id, kind, name, role: storedRole(key), expires_at, disabled, slot, user_id, provider };
  return { ...credentialIdKey(key, key_id), key_hash: hash, ...fields, ...storedEnd(key), ...older };
}

export function toApiKey(item: Item): ApiKey {
  const { gateway, limited_editor: isLimited, ...key } = withEnd(z.parse(storedSchema, item));
  if (gateway === true) return { ...key, role: 'Gateway' };
  return isLimited === true ? { ...key, role: 'Editor' } : key;
}

/** The API key with this hash. One strongly consistent read. */
export const findApiKey = (table: Table, hash: string): Promise<ApiKey | undefined> =>
  findSecret(table, { kind: 'api_key' }, hash);

/** The key or session with this hash. One strongly consistent read. */
export async function findSecret(table: Table, of: Origin, hash: string): Promise<ApiKey | undefined> {
  const item = await readItem(table, secretItemKey(of, hash));
  if (item === undefined) return undefined;
  const key = toApiKey(item);
  // Nothing in the partition of the other kind grants anything: sessions of older versions, or what somebody put there.
  return isOfLogIn(key) === isOfLogIn(of) ? key : undefined;
}

/** The condition that the secrets of the key are those that were read: no rotation in the meantime. */
export const secretsAsRead = ({ key_hash: newest, previous }: ApiKeyRecord) =>
  and(equals('key_hash', newest), equals('previous', previous));

/** Puts an item whose key contains a random id or a digest, so that nothing has the key. */
export const addition = (item: Item): TransactItem => ({ put: item, condition: ABSENT, onConditionFailed: stale });

/** The subject of an audit event about a key. */
export const subjectOf = ({ key_id: id, name }: Pick<ApiKey, 'key_id' | 'name'>) => ({ id, name });

/** The audit event of a new key. @param more properties of it that only the audit shows. */
export function addedStep(key: ApiKey, cause: AccessContext, more: Record<string, unknown> = {}): TransactItem {
  const { role, expires_at: end, rate_limit_per_minute, node_id, owners } = key;
  const after = { role, ...timeOf('expires_at', end), rate_limit_per_minute, node_id, owners, ...more };
  return accessStep({ event: `${key.kind}.added`, subject: subjectOf(key), after }, cause);
}

/** Deletes the previous secrets. They may have been deleted already after their expiry, so there is no condition. */
export function previousSecretItems({ previous = [] }: ApiKeyRecord): TransactItem[] {
  return previous.map((older) => ({ delete: apiKeyItemKey(older.key_hash) }));
}

export const notFoundKey = (keyId: string) => new ApiError('notFound', `API key with ID "${keyId}" not found.`);

/** @param of default: an API key. */
export async function findById(
  table: Table,
  keyId: string,
  of: Origin = { kind: 'api_key' },
): Promise<ApiKeyRecord | undefined> {
  const item = await readItem(table, credentialIdKey(of, keyId));
  return item === undefined ? undefined : toKnownById(item);
}

export const deletion = (key: Key): TransactItem => ({ delete: key, condition: PRESENT, onConditionFailed: stale });

/** Deletes all secrets of a key that may still work. */
export function textsOf(key: ApiKeyRecord): TransactItem[] {
  return [deletion(secretItemKey(key, key.key_hash)), ...previousSecretItems(key)];
}
