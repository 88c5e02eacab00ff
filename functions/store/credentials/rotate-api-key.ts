import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { SupersededSecret } from '../../../shared/http/superseded-secret.ts';
import { timeOf } from '../../domain/fields/time.ts';
import { accessStep, type AccessContext } from '../audit/access-events.ts';
import {
  ABSENT,
  type ApiKey,
  findApiKey,
  findById,
  idItem,
  type KnownById,
  notFoundKey,
  previousSecretItems,
  pointSteps,
  type PreviousSecrets,
  type rotators,
  secondsOf,
  secretsAsRead,
  stale,
  subjectOf,
} from './api-keys.ts';
import { changeCredentials, endedCredential } from './change-credentials.ts';
import { apiKeyItemKey, TTL_ATTRIBUTE } from '../table/keys.ts';

/** How many secrets of a key can work beside its newest one. */
export const MAX_PREVIOUS = 4;

export interface Rotation {
  /** The new secret, by its hash and by the characters of it that lists show. */
  hash: string;
  prefix: string;
  overlapSeconds: number;
  now: Date;
  cause: AccessContext;
  /** By an Admin the life of the key starts anew, as long as it was; by the key itself its end stays. */
  rotatedBy: (typeof rotators)[number];
}

/** What is known of the key and of its newest secret, as read. */
interface AsRead {
  known: KnownById;
  newest: ApiKey;
}

interface Planned {
  key: ApiKey;
  steps: TransactItem[];
}

/** When a key ends that starts a life of the same length now. */
function renewedEnd({ expires_at: end, created_at: created, renewed_at: renewed }: ApiKey, nowSeconds: number) {
  return end === undefined ? undefined : nowSeconds + end - secondsOf(new Date(renewed ?? created));
}

/**
 * Gives a key a new secret; the present one works on for the overlap, though not beyond its own end. What an earlier
 * rotation has left working keeps its end: no secret ends sooner than was said. Without an overlap every other secret ends
 * at once. Two reads, one transaction.
 *
 * A key rotates itself with its newest secret only. The secret before it may repeat its own rotation, for a client that did
 * not receive the reply: one more read.
 *
 * @throws ApiError `notFound`; `failedPrecondition` for a key that has expired or has too many secrets that still work;
 *   `unauthenticated` for a secret that has ended; SupersededSecret.
 */
export async function rotateApiKey(table: Table, keyId: string, rotation: Rotation): Promise<ApiKey> {
  const { cause } = rotation;
  const presented = cause.credential?.secret;
  const own = presented?.keyId === keyId ? presented : undefined;
  return retryOnContention(async () => {
    const known = await findById(table, keyId);
    if (known?.kind !== 'api_key') throw own === undefined ? notFoundKey(keyId) : endedCredential(cause.actor);
    const newest = await findApiKey(table, known.key_hash);
    if (newest === undefined) throw stale();
    // The very rotation that was thought to have failed.
    if (known.key_hash === rotation.hash) return newest;
    const { key, steps } =
      own === undefined || own.digest === known.key_hash
        ? planRotation({ known, newest }, rotation)
        : planRepetition({ known, newest }, rotation, { hash: own.digest, old: await findApiKey(table, own.digest) });
    await changeCredentials(table, steps, cause);
    return key;
  });
}

const worksAt = (now: Date) => (secret: { expires_at: number }) => secret.expires_at * 1000 > now.getTime();

function assertRoom(previous: PreviousSecrets, keyId: string): void {
  if (previous.length <= MAX_PREVIOUS) return;
  throw new ApiError(
    'failedPrecondition',
    `API key "${keyId}" already has ${MAX_PREVIOUS} previous secrets in their overlap period. Wait until one expires, or remove the key.`,
  );
}

/** What the new secret takes over from the newest one. */
function inherited({
  last_used_at: _used,
  previous_expires_at: _previous,
  expires_at: _end,
  first_use_counts: _counts,
  ...rest
}: ApiKey) {
  return rest;
}

/** The newest secret, on condition that it is as it was read: its rate limit is the one thing that changes. */
function newestAsRead({ key_hash: hash }: KnownById, { rate_limit_per_minute: rate }: ApiKey) {
  return {
    Key: apiKeyItemKey(hash),
    ConditionExpression: `attribute_exists(pk) AND ${rate === undefined ? 'attribute_not_exists(#rate)' : '#rate = :rate'}`,
    ExpressionAttributeNames: { '#rate': 'rate_limit_per_minute' },
    ...(rate === undefined ? {} : { ExpressionAttributeValues: { ':rate': rate } }),
  };
}

function planRotation({ known, newest }: AsRead, rotation: Rotation): Planned {
  const { hash, prefix, overlapSeconds, now, cause, rotatedBy } = rotation;
  const nowSeconds = secondsOf(now);
  const { key_id: keyId, expires_at: end } = newest;
  if (end !== undefined && end * 1000 <= now.getTime())
    throw new ApiError('failedPrecondition', `API key with ID "${keyId}" has expired.`);
  const oldEnd = Math.min(end ?? Infinity, nowSeconds + overlapSeconds);
  const overlaps = overlapSeconds > 0;
  const previous = overlaps
    ? [...(known.previous ?? []).filter(worksAt(now)), { key_hash: known.key_hash, expires_at: oldEnd }]
    : [];
  assertRoom(previous, keyId);
  const byAdmin = rotatedBy === 'admin';
  const newEnd = byAdmin ? renewedEnd(newest, nowSeconds) : end;
  const key: ApiKey = {
    ...inherited(newest),
    prefix,
    rotated_at: now.toISOString(),
    ...(byAdmin ? { renewed_at: now.toISOString() } : {}),
    ...(newEnd === undefined ? {} : { expires_at: newEnd }),
    ...(previous.length === 0 ? {} : { previous_expires_at: Math.max(...previous.map((secret) => secret.expires_at)) }),
    ...(overlaps && !byAdmin ? { first_use_counts: true } : {}),
  };
  const steps: TransactItem[] = [
    ...pointSteps(known, key, hash),
    overlaps
      ? supersede({ known, newest }, { hash, rotatedBy, end: oldEnd })
      : { Delete: newestAsRead(known, newest), onConditionFailed: stale },
    ...(overlaps ? [] : previousSecretItems(known)),
    { Put: { Item: { ...key, ...apiKeyItemKey(hash) }, ConditionExpression: ABSENT }, onConditionFailed: stale },
    { Put: { Item: idItem(hash, key, previous), ...secretsAsRead(known) }, onConditionFailed: stale },
    rotatedStep(key, { rotation, superseded: newest }, cause),
  ];
  return { key, steps };
}

/** The secret ends with its overlap, and says what came after it. Put as a whole, so that it can be sealed. */
function supersede(
  { known, newest }: AsRead,
  { hash, rotatedBy, end }: Pick<Rotation, 'hash' | 'rotatedBy'> & { end: number },
): TransactItem {
  const { Key, ...asRead } = newestAsRead(known, newest);
  const ended = { expires_at: end, [TTL_ATTRIBUTE]: end, superseded: true };
  const Item = { ...newest, ...Key, ...ended, superseded_by: rotatedBy, successor_hash: hash };
  return { Put: { Item, ...asRead }, onConditionFailed: stale };
}

const isUnused = 'attribute_not_exists(last_used_at)';

/**
 * A superseded secret rotates the key once more. Allowed only where it repeats its own rotation because the reply was lost:
 * it was superseded by itself, and no secret that this led to was ever used. The new secret works beside the newest one and
 * ends with the superseded one: a thief of that one can neither lock the owner out nor stay longer.
 */
function planRepetition(
  { known, newest }: AsRead,
  rotation: Rotation,
  { hash: oldHash, old }: { hash: string; old: ApiKey | undefined },
): Planned {
  const { hash, prefix, overlapSeconds, now, cause, rotatedBy } = rotation;
  const end = old?.expires_at;
  if (old === undefined || old.key_id !== newest.key_id || end === undefined || !worksAt(now)({ expires_at: end }))
    throw endedCredential(cause.actor);
  const repeatsItself = rotatedBy === 'key' && overlapSeconds > 0 && old.superseded_by === 'key';
  if (!repeatsItself || old.successor_hash !== known.key_hash) throw new SupersededSecret();
  const working = (known.previous ?? []).filter(worksAt(now));
  const lost = working.filter(({ repeats }) => repeats === oldHash);
  const previous = [
    ...working.filter((secret) => !lost.includes(secret)),
    { key_hash: hash, expires_at: end, repeats: oldHash },
  ];
  assertRoom(previous, newest.key_id);
  const key: ApiKey = {
    ...inherited(newest),
    prefix,
    rotated_at: now.toISOString(),
    expires_at: end,
    superseded: true,
    first_use_counts: true,
  };
  const successor = newestAsRead(known, newest);
  const used = () => new SupersededSecret();
  const steps: TransactItem[] = [
    {
      ConditionCheck: { ...successor, ConditionExpression: `${successor.ConditionExpression} AND ${isUnused}` },
      onConditionFailed: (found) => (found?.['last_used_at'] === undefined ? stale() : used()),
    },
    ...lost.map((secret) => ({
      // One that has ended may be swept away already.
      Delete: { Key: apiKeyItemKey(secret.key_hash), ConditionExpression: isUnused },
      onConditionFailed: used,
    })),
    {
      Put: { Item: { ...key, ...apiKeyItemKey(hash), [TTL_ATTRIBUTE]: end }, ConditionExpression: ABSENT },
      onConditionFailed: stale,
    },
    { Put: { Item: idItem(known.key_hash, newest, previous), ...secretsAsRead(known) }, onConditionFailed: stale },
    rotatedStep(key, { rotation, superseded: old, isRepeated: true }, cause),
  ];
  const { previous_expires_at } = newest;
  return { key: { ...key, ...(previous_expires_at === undefined ? {} : { previous_expires_at }) }, steps };
}

/** For the audit: who rotated, and which secret took the place of which one, by the characters that lists show. */
function rotatedStep(
  { key_id, name, prefix, expires_at, previous_expires_at }: ApiKey,
  { rotation, superseded, isRepeated }: { rotation: Rotation; superseded: ApiKey; isRepeated?: boolean },
  cause: AccessContext,
): TransactItem {
  const after = {
    rotated_by: rotation.rotatedBy,
    prefix,
    superseded_prefix: superseded.prefix,
    ...(isRepeated === undefined ? {} : { repeated: isRepeated }),
    ...timeOf('expires_at', expires_at),
    ...timeOf('previous_expires_at', previous_expires_at),
  };
  return accessStep({ event: 'api_key.rotated', subject: subjectOf({ key_id, name }), after }, cause);
}
