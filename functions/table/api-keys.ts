import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { roles } from '../../shared/auth/roles.ts';
import { StaleRead, withPatience } from '../../shared/db/contention.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import { type Step, transact } from '../../shared/db/transact.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { timeOf } from '../catalogue/time.ts';
import { accessStep, type Cause } from './access-events.ts';
import { ACCOUNT_NAME } from './accounts.ts';
import { accountKey, apiKeyCounterKey, apiKeyIdKey, apiKeyItemKey, apiKeyNameKey, TTL_ATTRIBUTE } from './keys.ts';
import { listApiKeyItems, type Page, type PageOptions } from './lists.ts';

export const MAX_API_KEYS = 1000;

/** Keys that belong to a node are counted apart: there is one for each host that has enrolled. */
export const MAX_REGISTRARS = 20_000;

/** How many texts of a key can work beside its newest one. */
export const MAX_PREVIOUS = 4;

/** Last use is written down at most this often, so that a busy key does not make its item hot. */
const LAST_USED_EVERY_SECONDS = 300;

const actorSchema = z.object({ kind: z.string(), id: z.string(), name: z.string() });

/** A key at rest: everything but the key itself, of which only the hash is known (it is the item's partition key). */
export const apiKeySchema = z.object({
  key_id: z.string(),
  kind: z.enum(['api_key', 'session']),
  name: z.string(),
  role: z.enum(roles),
  /** First characters, to tell keys apart. */
  prefix: z.string(),
  created_at: z.string(),
  created_by: actorSchema,
  /** Seconds since 1970; undefined: never. */
  expires_at: z.optional(z.int()),
  /** Seconds since 1970. */
  last_used_at: z.optional(z.int()),
  /** The node of a Registrar. */
  node_id: z.optional(z.string()),
  rate_limit_per_minute: z.optional(z.int()),
  /** When it got the text that it has now, if that is not the first. */
  rotated_at: z.optional(z.string()),
  /** When its life last began anew, if not when it was added. */
  renewed_at: z.optional(z.string()),
  /** Until when an older text works beside this one; seconds since 1970. */
  previous_expires_at: z.optional(z.int()),
  /** This is an older text of a key that has a newer one: in no list, and in no count. */
  superseded: z.optional(z.literal(true)),
  /** Of a session: since when its user has the password that it was opened with. */
  account_version: z.optional(z.string()),
});

export type ApiKey = z.output<typeof apiKeySchema>;

/** Older texts of a key that may still work, oldest first. */
const previousSchema = z.array(z.object({ key_hash: z.string(), expires_at: z.int() }));

/** What removing or rotating a key takes to know of it, found by its id. Only a rotation changes it. */
const knownByIdSchema = z.object({
  key_hash: z.string(),
  previous: z.optional(previousSchema),
  ...z.pick(apiKeySchema, { key_id: true, kind: true, name: true, role: true, expires_at: true }).shape,
});

type KnownById = z.output<typeof knownByIdSchema>;

export function idItem(hash: string, key: ApiKey, previous: z.output<typeof previousSchema> = []): Item {
  const { key_id, kind, name, role, expires_at } = key;
  const older = previous.length === 0 ? {} : { previous };
  return { ...apiKeyIdKey(key_id), key_hash: hash, key_id, kind, name, role, expires_at, ...older };
}

const toApiKey = (item: Item): ApiKey => z.parse(apiKeySchema, item);

/** Which key has this hash? One strongly consistent read, by primary key. */
export async function findApiKey(table: Table, hash: string): Promise<ApiKey | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: apiKeyItemKey(hash), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toApiKey(Item);
}

/** Whether the last use on record is so old that this one is to be written down. */
export function isUseWorthRecording(key: ApiKey, nowSeconds: number): boolean {
  return key.last_used_at === undefined || key.last_used_at <= nowSeconds - LAST_USED_EVERY_SECONDS;
}

/** Writes down that the key was used. A key that is gone meanwhile stays gone. */
export async function recordUse(table: Table, hash: string, nowSeconds: number): Promise<void> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: apiKeyItemKey(hash),
        UpdateExpression: 'SET last_used_at = :now',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at <= :longAgo)',
        ExpressionAttributeValues: { ':now': nowSeconds, ':longAgo': nowSeconds - LAST_USED_EVERY_SECONDS },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** A key that lets an Admin in for as long as the table lives. */
const isPermanentAdmin = (key: Pick<ApiKey, 'role' | 'expires_at'>) =>
  key.role === 'Admin' && key.expires_at === undefined;

const ABSENT = 'attribute_not_exists(pk)';
const stale = () => new StaleRead();

/** What a change in the number of keys does to the counter. */
function countingStep(key: Pick<ApiKey, 'role' | 'expires_at'>): Step {
  const isRegistrar = key.role === 'Registrar';
  const most = isRegistrar ? MAX_REGISTRARS : MAX_API_KEYS;
  return {
    Update: {
      Key: apiKeyCounterKey,
      UpdateExpression: 'ADD #count :one, permanent_admins :admins',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
      ExpressionAttributeNames: { '#count': isRegistrar ? 'registrars' : 'api_keys' },
      ExpressionAttributeValues: { ':one': 1, ':admins': isPermanentAdmin(key) ? 1 : 0, ':most': most },
    },
    refused: () => new ApiError('resourceExhausted', `There are ${most} API keys, the most there can be. Remove some.`),
  };
}

/** The key and how its id is found. */
function putSteps(key: ApiKey, hash: string): Step[] {
  return [
    { Put: { Item: { ...key, ...apiKeyItemKey(hash) }, ConditionExpression: ABSENT }, refused: stale },
    { Put: { Item: idItem(hash, key), ConditionExpression: ABSENT }, refused: stale },
  ];
}

/** @throws ApiError `alreadyExists`, `resourceExhausted` at the limit. */
export async function addApiKey(table: Table, key: ApiKey, hash: string, cause: Cause): Promise<void> {
  const steps = addApiKeySteps(key, hash, cause);
  await withPatience(() => transact(table, steps));
}

/** Of a key, for the audit. */
const subjectOf = ({ key_id: id, name }: Pick<ApiKey, 'key_id' | 'name'>) => ({ id, name });

/** What may be told of a key that was added. */
export function addedStep(key: ApiKey, cause: Cause): Step {
  const { role, expires_at: end, rate_limit_per_minute, node_id } = key;
  const after = { role, ...timeOf('expires_at', end), rate_limit_per_minute, node_id };
  return accessStep({ event: `${key.kind}.added`, subject: subjectOf(key), after }, cause);
}

/** A key, its name, its id, and its place among all keys. */
export function addApiKeySteps(key: ApiKey, hash: string, cause: Cause): Step[] {
  const { key_id: keyId, name } = key;
  return [
    {
      Put: { Item: { ...apiKeyNameKey(name), key_hash: hash, key_id: keyId }, ConditionExpression: ABSENT },
      refused: () => new ApiError('alreadyExists', `API key with name "${name}" already exists.`),
    },
    countingStep(key),
    ...putSteps(key, hash),
    addedStep(key, cause),
  ];
}

const namedSchema = z.object({ key_hash: z.string(), key_id: z.string() });

/** Which key has this name? One strongly consistent read. */
export async function findByName(table: Table, name: string): Promise<KnownById | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: apiKeyNameKey(name), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : findById(table, z.parse(namedSchema, Item).key_id);
}

/** Puts a key in the place of another one of the same name, whose texts end at once. */
export function replaceApiKeySteps(old: KnownById, key: ApiKey, hash: string, cause: Cause): Step[] {
  return [
    ...pointSteps(old, key, hash),
    ...textsOf(old),
    deletion(apiKeyIdKey(old.key_id)),
    ...putSteps(key, hash),
    accessStep({ event: 'api_key.removed', subject: subjectOf(old) }, cause),
    addedStep(key, cause),
  ];
}

/** The name leads to another text from now on. */
function pointSteps(old: KnownById, { key_id: keyId, name }: Pick<ApiKey, 'key_id' | 'name'>, hash: string): Step[] {
  return [
    {
      Put: {
        Item: { ...apiKeyNameKey(name), key_hash: hash, key_id: keyId },
        ConditionExpression: 'key_hash = :old',
        ExpressionAttributeValues: { ':old': old.key_hash },
      },
      refused: stale,
    },
  ];
}

function deletion(Key: { pk: string; sk: string }): Step {
  return { Delete: { Key, ConditionExpression: 'attribute_exists(pk)' }, refused: stale };
}

/** Every text of a key that may still work goes. */
function textsOf(known: KnownById): Step[] {
  return [deletion(apiKeyItemKey(known.key_hash)), ...olderTexts(known)];
}

/** They may be gone already, by their time to live. */
function olderTexts({ previous = [] }: KnownById): Step[] {
  return previous.map((older) => ({ Delete: { Key: apiKeyItemKey(older.key_hash) } }));
}

export interface Rotation {
  /** The new text, by its hash and by what of it may be shown. */
  hash: string;
  prefix: string;
  overlapSeconds: number;
  now: Date;
  cause: Cause;
  /** Whether its life starts anew, as long as it was; else it ends when it would have. */
  renews: boolean;
}

/** When a key ends that starts a life of the same length now. */
function renewedEnd({ expires_at: end, created_at: created, renewed_at: renewed }: ApiKey, nowSeconds: number) {
  return end === undefined ? undefined : nowSeconds + end - secondsOf(new Date(renewed ?? created));
}

/** In whole seconds, later rather than earlier, so that nothing lives shorter than was said. */
export const secondsOf = (time: Date) => Math.ceil(time.getTime() / 1000);

/**
 * Gives a key a new text; the present one works on for the overlap, though not beyond its own end. What an earlier rotation
 * has left working keeps the end that it was given: nobody's key ends sooner than was said. Without an overlap every other
 * text ends at once. Two reads, one transaction.
 *
 * @throws ApiError `notFound`, `failedPrecondition` for a key that has expired or has too many texts that still work.
 */
export async function rotateApiKey(table: Table, keyId: string, rotation: Rotation): Promise<ApiKey> {
  return withPatience(async () => {
    const known = await findById(table, keyId);
    if (known?.kind !== 'api_key') throw notFoundKey(keyId);
    const old = await findApiKey(table, known.key_hash);
    if (old === undefined) throw stale();
    // The very rotation that was thought to have failed.
    if (known.key_hash === rotation.hash) return old;
    const { key, steps } = planRotation(known, old, rotation);
    await transact(table, steps);
    return key;
  });
}

/**
 * Changes the limit of every text of a key that works; null takes it away. One read, one transaction.
 *
 * @throws ApiError `notFound`.
 */
export async function changeRateLimit(
  table: Table,
  keyId: string,
  limit: number | null | undefined,
  cause: Cause,
): Promise<void> {
  const now = cause.clock();
  await withPatience(async () => {
    const known = await findById(table, keyId);
    if (known?.kind !== 'api_key') throw notFoundKey(keyId);
    if (limit === undefined) return;
    // One that has ended may be swept away at any time.
    const older = (known.previous ?? []).filter(({ expires_at: until }) => until * 1000 > now.getTime());
    const update =
      limit === null
        ? { UpdateExpression: 'REMOVE rate_limit_per_minute' }
        : { UpdateExpression: 'SET rate_limit_per_minute = :limit', ExpressionAttributeValues: { ':limit': limit } };
    const texts = [known.key_hash, ...older.map(({ key_hash: hash }) => hash)];
    const after = { rate_limit_per_minute: limit };
    await transact(table, [
      ...texts.map((hash, index) => ({
        Update: {
          Key: apiKeyItemKey(hash),
          ...update,
          // A rotation in between would leave its new text with the old limit.
          ConditionExpression:
            index === 0 ? 'attribute_exists(pk) AND attribute_not_exists(superseded)' : 'attribute_exists(pk)',
        },
        refused: stale,
      })),
      accessStep({ event: 'api_key.changed', subject: subjectOf(known), after }, cause),
    ]);
  });
}

const notFoundKey = (keyId: string) => new ApiError('notFound', `API key with ID "${keyId}" not found.`);

function planRotation(
  known: KnownById,
  old: ApiKey,
  { hash, prefix, overlapSeconds, now, cause, renews }: Rotation,
): { key: ApiKey; steps: Step[] } {
  const nowSeconds = secondsOf(now);
  const { key_id: keyId, name, expires_at: end } = old;
  if (end !== undefined && end * 1000 <= now.getTime())
    throw new ApiError('failedPrecondition', `API key with ID "${keyId}" has expired.`);
  const oldEnd = Math.min(end ?? Infinity, nowSeconds + overlapSeconds);
  const overlaps = overlapSeconds > 0;
  const previous = overlaps
    ? [
        ...(known.previous ?? []).filter(({ expires_at: until }) => until * 1000 > now.getTime()),
        { key_hash: known.key_hash, expires_at: oldEnd },
      ]
    : [];
  if (previous.length > MAX_PREVIOUS)
    throw new ApiError(
      'failedPrecondition',
      `API key with ID "${keyId}" has ${MAX_PREVIOUS} older texts that still work. Wait until one ends, or remove the key.`,
    );
  const { last_used_at: _used, previous_expires_at: _previous, expires_at: _end, ...kept } = old;
  const newEnd = renews ? renewedEnd(old, nowSeconds) : end;
  const key: ApiKey = {
    ...kept,
    prefix,
    rotated_at: now.toISOString(),
    ...(renews ? { renewed_at: now.toISOString() } : {}),
    ...(newEnd === undefined ? {} : { expires_at: newEnd }),
    ...(previous.length === 0
      ? {}
      : { previous_expires_at: Math.max(...previous.map(({ expires_at: until }) => until)) }),
  };
  // The new text takes over what the old one had when it was read: the limit is the one thing that changes.
  const isAsRead = old.rate_limit_per_minute === undefined ? 'attribute_not_exists(#rate)' : '#rate = :rate';
  const asRead = {
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(superseded) AND ${isAsRead}`,
    ExpressionAttributeNames: { '#rate': 'rate_limit_per_minute' },
  };
  const rate = old.rate_limit_per_minute === undefined ? {} : { ':rate': old.rate_limit_per_minute };
  const Key = apiKeyItemKey(known.key_hash);
  const values = Object.keys(rate).length === 0 ? {} : { ExpressionAttributeValues: rate };
  const oldText: Step = overlaps
    ? {
        // The whole of it, so that it can be sealed; a use that is noted at this very moment is not worth more.
        Put: {
          Item: { ...old, ...Key, expires_at: oldEnd, superseded: true, [TTL_ATTRIBUTE]: oldEnd },
          ...asRead,
          ...values,
        },
        refused: stale,
      }
    : {
        Delete: {
          Key,
          ...asRead,
          ...values,
        },
        refused: stale,
      };
  const steps: Step[] = [
    ...pointSteps(known, { key_id: keyId, name }, hash),
    oldText,
    ...(overlaps ? [] : olderTexts(known)),
    { Put: { Item: { ...key, ...apiKeyItemKey(hash) }, ConditionExpression: ABSENT }, refused: stale },
    {
      Put: {
        Item: idItem(hash, key, previous),
        ConditionExpression: 'key_hash = :old',
        ExpressionAttributeValues: { ':old': known.key_hash },
      },
      refused: stale,
    },
    accessStep({ event: 'api_key.rotated', subject: subjectOf(known), after: rotatedTo(key) }, cause),
  ];
  return { key, steps };
}

/** What may be told of a key that was rotated. */
function rotatedTo({ expires_at: end, previous_expires_at: previous }: ApiKey) {
  return { ...timeOf('expires_at', end), ...timeOf('previous_expires_at', previous) };
}

export async function listApiKeys(table: Table, page: PageOptions): Promise<Page<ApiKey>> {
  const { objects, next } = await listApiKeyItems(table, page);
  return { objects: objects.map(toApiKey), next };
}

async function findById(table: Table, keyId: string): Promise<KnownById | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: apiKeyIdKey(keyId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : z.parse(knownByIdSchema, Item);
}

/**
 * Removes an API key; from then on it is refused, with every older text of it that still works. Nobody removes the last way in: unless the account with its password
 * is there, a permanent Admin key must remain when one of Admin's keys goes.
 *
 * @throws ApiError `notFound`, `failedPrecondition`.
 */
export async function removeApiKey(table: Table, keyId: string, cause: Cause): Promise<void> {
  const nowSeconds = cause.clock().getTime() / 1000;
  await withPatience(async () => {
    const key = await findById(table, keyId);
    if (key?.kind !== 'api_key') throw notFoundKey(keyId);
    const isWayIn = key.role === 'Admin' && (key.expires_at === undefined || key.expires_at > nowSeconds);
    const event = accessStep({ event: 'api_key.removed', subject: subjectOf(key) }, cause);
    try {
      await transact(table, [...removalSteps(key, isWayIn ? 'account' : 'nothing'), event]);
    } catch (error) {
      if (!(error instanceof NoAccount)) throw error;
      await transact(table, [...removalSteps(key, 'key'), event]);
    }
  });
}

class NoAccount extends Error {}

/** @param remains what must still let an Admin in afterwards. */
function removalSteps(key: KnownById, remains: 'nothing' | 'account' | 'key'): Step[] {
  const admins = isPermanentAdmin(key) ? 1 : 0;
  return [
    ...(remains === 'account'
      ? [
          {
            ConditionCheck: { Key: accountKey(ACCOUNT_NAME), ConditionExpression: 'attribute_exists(pk)' },
            refused: () => new NoAccount(),
          },
        ]
      : []),
    {
      Update: {
        Key: apiKeyCounterKey,
        UpdateExpression: 'ADD #count :minusOne, permanent_admins :minusAdmins',
        ExpressionAttributeNames: { '#count': key.role === 'Registrar' ? 'registrars' : 'api_keys' },
        ConditionExpression: remains === 'key' ? 'permanent_admins > :admins' : 'permanent_admins >= :admins',
        ExpressionAttributeValues: { ':minusOne': -1, ':minusAdmins': -admins, ':admins': admins },
      },
      refused: () =>
        new ApiError('failedPrecondition', 'This is the last way in for an Admin. Add another Admin key first.'),
    },
    ...textsOf(key),
    {
      Delete: {
        Key: apiKeyIdKey(key.key_id),
        ConditionExpression: 'key_hash = :hash',
        ExpressionAttributeValues: { ':hash': key.key_hash },
      },
      refused: stale,
    },
    deletion(apiKeyNameKey(key.name)),
  ];
}
