import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { roles } from '../../shared/auth/roles.ts';
import { StaleRead, withPatience } from '../../shared/db/contention.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import { type Step, transact } from '../../shared/db/transact.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { ACCOUNT_NAME } from './accounts.ts';
import { accountKey, apiKeyCounterKey, apiKeyIdKey, apiKeyItemKey, apiKeyNameKey, TTL_ATTRIBUTE } from './keys.ts';
import { listApiKeyItems, type Page, type PageOptions } from './lists.ts';

export const MAX_API_KEYS = 1000;

/** Last use is written down at most this often, so that a busy key does not make its item hot. */
const LAST_USED_EVERY_SECONDS = 300;

const actorSchema = z.object({ kind: z.string(), id: z.string(), name: z.string() });

/** A key at rest: everything but the key itself, of which only the hash is known (it is the item's partition key). */
const apiKeySchema = z.object({
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
});

export type ApiKey = z.output<typeof apiKeySchema>;

/** What removing a key takes to know of it, found by its id. None of it ever changes. */
const knownByIdSchema = z.object({
  key_hash: z.string(),
  ...z.pick(apiKeySchema, { key_id: true, kind: true, name: true, role: true, expires_at: true }).shape,
});

type KnownById = z.output<typeof knownByIdSchema>;

function idItem(hash: string, key: ApiKey): Item {
  const { key_id, kind, name, role, expires_at } = key;
  return { ...apiKeyIdKey(key_id), key_hash: hash, key_id, kind, name, role, expires_at };
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

/** @throws ApiError `alreadyExists`, `resourceExhausted` at the limit. */
export async function addApiKey(table: Table, key: ApiKey, hash: string): Promise<void> {
  const { key_id: keyId, name } = key;
  const steps: Step[] = [
    {
      Put: { Item: { ...apiKeyNameKey(name), key_hash: hash, key_id: keyId }, ConditionExpression: ABSENT },
      refused: () => new ApiError('alreadyExists', `API key with name "${name}" already exists.`),
    },
    {
      Update: {
        Key: apiKeyCounterKey,
        UpdateExpression: 'ADD api_keys :one, permanent_admins :admins',
        ConditionExpression: 'attribute_not_exists(api_keys) OR api_keys < :most',
        ExpressionAttributeValues: { ':one': 1, ':admins': isPermanentAdmin(key) ? 1 : 0, ':most': MAX_API_KEYS },
      },
      refused: () =>
        new ApiError('resourceExhausted', `There are ${MAX_API_KEYS} API keys, the most there can be. Remove some.`),
    },
    { Put: { Item: { ...key, ...apiKeyItemKey(hash) }, ConditionExpression: ABSENT }, refused: stale },
    { Put: { Item: idItem(hash, key), ConditionExpression: ABSENT }, refused: stale },
  ];
  await withPatience(() => transact(table, steps));
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
 * Removes an API key; from then on it is refused. Nobody removes the last way in: unless the account with its password
 * is there, a permanent Admin key must remain when one of Admin's keys goes.
 *
 * @throws ApiError `notFound`, `failedPrecondition`.
 */
export async function removeApiKey(table: Table, keyId: string, nowSeconds: number): Promise<void> {
  await withPatience(async () => {
    const key = await findById(table, keyId);
    if (key?.kind !== 'api_key') throw new ApiError('notFound', `API key with ID "${keyId}" not found.`);
    const isWayIn = key.role === 'Admin' && (key.expires_at === undefined || key.expires_at > nowSeconds);
    try {
      await transact(table, removalSteps(key, isWayIn ? 'account' : 'nothing'));
    } catch (error) {
      if (!(error instanceof NoAccount)) throw error;
      await transact(table, removalSteps(key, 'key'));
    }
  });
}

class NoAccount extends Error {}

/** @param remains what must still let an Admin in afterwards. */
function removalSteps(key: KnownById, remains: 'nothing' | 'account' | 'key'): Step[] {
  const admins = isPermanentAdmin(key) ? 1 : 0;
  const deletion = (Key: { pk: string; sk: string }): Step => ({
    Delete: { Key, ConditionExpression: 'attribute_exists(pk)' },
    refused: stale,
  });
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
        UpdateExpression: 'ADD api_keys :minusOne, permanent_admins :minusAdmins',
        ConditionExpression: remains === 'key' ? 'permanent_admins > :admins' : 'permanent_admins >= :admins',
        ExpressionAttributeValues: { ':minusOne': -1, ':minusAdmins': -admins, ':admins': admins },
      },
      refused: () =>
        new ApiError('failedPrecondition', 'This is the last way in for an Admin. Add another Admin key first.'),
    },
    deletion(apiKeyItemKey(key.key_hash)),
    deletion(apiKeyIdKey(key.key_id)),
    deletion(apiKeyNameKey(key.name)),
  ];
}

/** A session is a key without a name of its own; DynamoDB clears it away some time after its end. */
export async function addSession(table: Table, session: ApiKey & { expires_at: number }, hash: string): Promise<void> {
  const steps: Step[] = [
    {
      Put: {
        Item: { ...session, ...apiKeyItemKey(hash), [TTL_ATTRIBUTE]: session.expires_at },
        ConditionExpression: ABSENT,
      },
      refused: stale,
    },
    {
      Put: {
        Item: { ...idItem(hash, session), [TTL_ATTRIBUTE]: session.expires_at },
        ConditionExpression: ABSENT,
      },
      refused: stale,
    },
  ];
  await withPatience(() => transact(table, steps));
}

/** Ends a session; one that has ended already is fine. */
export async function removeSession(table: Table, keyId: string): Promise<void> {
  const session = await findById(table, keyId);
  if (session?.kind !== 'session') return;
  const steps = [apiKeyItemKey(session.key_hash), apiKeyIdKey(keyId)].map((Key) => ({ Delete: { Key } }));
  await withPatience(() => transact(table, steps));
}
