import { absent, and, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { endAfter, secondsOf } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { SupersededSecret } from '../../contract/refusal.ts';
import { timeOf } from '../../domain/fields/time.ts';
import { accessStep, type AccessContext } from '../audit/access-events.ts';
import {
  addition,
  type ApiKey,
  apiKeyItem,
  findApiKey,
  findById,
  idItem,
  type ApiKeyRecord,
  notFoundKey,
  previousSecretItems,
  type PreviousSecrets,
  type rotators,
  secretsAsRead,
  subjectOf,
} from './api-keys.ts';
import { pointSteps } from './named-keys.ts';
import { changeCredentials, endedCredential } from './change-credentials.ts';
import { filtersOfKey, keepOwnFilters } from './own-filters.ts';
import { isOfTeam } from './team-keys.ts';
import { apiKeyItemKey, TTL_ATTRIBUTE } from '../table/keys.ts';

/** Number of previous secrets of a key that may work beside its newest one. */
export const MAX_PREVIOUS = 4;

export interface Rotation {
  /** The hash of the new secret, and the prefix of it that lists show. */
  hash: string;
  prefix: string;
  overlapSeconds: number;
  cause: AccessContext;
  /** By an Admin, the lifetime of the key starts again with the same length. By the key itself, its end stays. */
  rotatedBy: (typeof rotators)[number];
}

const ofProgram = () =>
  new ApiError(
    'permissionDenied',
    'Access denied: the key of a program is not rotated. Log in again with a new token.',
  );

/** The key and its newest secret, as read. */
interface KeySnapshot {
  record: ApiKeyRecord;
  newest: ApiKey;
}

interface KeyRotationPlan {
  key: ApiKey;
  steps: TransactItem[];
}

/** The end of a key whose lifetime starts again now, with the same length: its start is rounded as its end was. */
function renewedEnd({ expires_at: end, created_at: created, renewed_at: renewed }: ApiKey, now: Date) {
  return end === undefined ? undefined : endAfter(now, end - endAfter(new Date(renewed ?? created), 0));
}

/**
 * Gives a key a new secret. The present secret works until the end of the overlap, but not beyond its own end. Secrets
 * of earlier rotations keep their ends. Without an overlap all previous secrets end at once. Two reads, one
 * transaction; one query of the private filters of a key whose lifetime starts again.
 *
 * A key may rotate itself only with its newest secret. The secret before that may repeat the rotation that it made
 * itself, for a client that did not receive the reply: one more read.
 *
 * @throws ApiError `notFound`; `failedPrecondition` for a key that has expired, or has too many working secrets;
 *   `unauthenticated` for a secret that has ended; `permissionDenied` for a key that would end later than that of the
 *   caller; SupersededSecret.
 */
export async function rotateApiKey(table: Table, keyId: string, rotation: Rotation): Promise<ApiKey> {
  const { cause } = rotation;
  const presented = cause.credential?.secret;
  const callerSecret = presented?.keyId === keyId ? presented : undefined;
  if (callerSecret?.provider !== undefined) throw ofProgram();
  const rotated = await retryOnContention(table, async () => {
    const record = await findById(table, keyId);
    if (record?.kind !== 'api_key')
      throw callerSecret === undefined ? notFoundKey(keyId) : endedCredential(cause.actor);
    const newest = await findApiKey(table, record.key_hash);
    if (newest === undefined) throw stale();
    if (callerSecret === undefined && !isOfTeam(cause, newest)) throw notFoundKey(keyId);
    // This very rotation has taken effect in an attempt whose reply was lost.
    if (record.key_hash === rotation.hash) return newest;
    const { key, steps } =
      callerSecret === undefined || callerSecret.digest === record.key_hash
        ? planRotation({ record, newest }, rotation)
        : planRepetition({ record, newest }, rotation, {
            hash: callerSecret.digest,
            old: await findApiKey(table, callerSecret.digest),
          });
    const { expires_at: until = Infinity } = key;
    await changeCredentials(table, steps, cause, { until, isOpenToSuperseded: callerSecret !== undefined });
    return key;
  });
  // Its lifetime has started again. A key that rotates itself keeps its end.
  if (rotation.rotatedBy === 'admin' && rotated.expires_at !== undefined)
    await keepOwnFilters(table, filtersOfKey(keyId), rotated.expires_at);
  return rotated;
}

const worksAt = (now: Date) => (secret: { expires_at: number }) => secret.expires_at > secondsOf(now);

function assertRoom(previous: PreviousSecrets, keyId: string): void {
  if (previous.length <= MAX_PREVIOUS) return;
  throw new ApiError(
    'failedPrecondition',
    `API key "${keyId}" already has ${MAX_PREVIOUS} previous secrets in their overlap period. Wait until one expires, or remove the key.`,
  );
}

/** The fields of the newest secret that the new one inherits. The last use of the former secrets remains known. */
function inherited({
  last_used_at: used,
  last_used_from: from,
  previous_expires_at: _previous,
  expires_at: _end,
  first_use_counts: _counts,
  ...rest
}: ApiKey) {
  const isLatest = used !== undefined && used >= (rest.former_last_used_at ?? used);
  return isLatest ? { ...rest, former_last_used_at: used, former_last_used_from: from } : rest;
}

/** The fields of a secret that change without a rotation. */
const changeable = ['rate_limit_per_minute', 'owners', 'disabled', 'last_used_at', 'former_last_used_at'] as const;

/** The condition that these fields of a secret are as they were read. */
export const changeableAsRead = (secret: ApiKey) => and(...changeable.map((name) => equals(name, secret[name])));

/** The condition that the newest secret is as it was read. */
const newestAsRead = (newest: ApiKey) => and(PRESENT, changeableAsRead(newest));

function planRotation({ record, newest }: KeySnapshot, rotation: Rotation): KeyRotationPlan {
  const { hash, prefix, overlapSeconds, cause, rotatedBy } = rotation;
  const { now } = cause;
  const { key_id: keyId, expires_at: end } = newest;
  if (end !== undefined && end <= secondsOf(now))
    throw new ApiError('failedPrecondition', `API key with ID "${keyId}" has expired.`);
  const oldEnd = Math.min(end ?? Infinity, endAfter(now, overlapSeconds));
  const overlaps = overlapSeconds > 0;
  const previous = overlaps
    ? [...(record.previous ?? []).filter(worksAt(now)), { key_hash: record.key_hash, expires_at: oldEnd }]
    : [];
  assertRoom(previous, keyId);
  const byAdmin = rotatedBy === 'admin';
  const newEnd = byAdmin ? renewedEnd(newest, now) : end;
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
    ...pointSteps(record, key, hash),
    overlaps
      ? supersede({ record, newest }, { hash, rotatedBy, end: oldEnd })
      : { delete: apiKeyItemKey(record.key_hash), condition: newestAsRead(newest), onConditionFailed: stale },
    ...(overlaps ? [] : previousSecretItems(record)),
    addition(apiKeyItem(key, hash)),
    { put: idItem(hash, key, previous), condition: secretsAsRead(record), onConditionFailed: stale },
    rotatedStep(key, { rotation, superseded: newest }, cause),
  ];
  return { key, steps };
}

/**
 * Ends the secret at the end of its overlap, and stores its successor. Put as a whole item.
 */
function supersede(
  { record, newest }: KeySnapshot,
  { hash, rotatedBy, end }: Pick<Rotation, 'hash' | 'rotatedBy'> & { end: number },
): TransactItem {
  const ended = {
    ...newest,
    expires_at: end,
    superseded: true,
    superseded_by: rotatedBy,
    successor_hash: hash,
  } as const;
  return {
    put: { ...apiKeyItem(ended, record.key_hash), [TTL_ATTRIBUTE]: end },
    condition: newestAsRead(newest),
    onConditionFailed: stale,
  };
}

const isUnused = absent('last_used_at');

/**
 * Plans the repetition of a rotation by a superseded secret. Permitted only if the reply may have been lost: the secret
 * was superseded by itself, and no secret that resulted has been used. The new secret works beside the newest one, and
 * ends together with the superseded one. So a thief of the superseded secret can neither lock the owner out nor keep
 * access for longer.
 */
function planRepetition(
  { record, newest }: KeySnapshot,
  rotation: Rotation,
  { hash: oldHash, old }: { hash: string; old: ApiKey | undefined },
): KeyRotationPlan {
  const { hash, prefix, overlapSeconds, cause, rotatedBy } = rotation;
  const { now } = cause;
  const end = old?.expires_at;
  if (old === undefined || old.key_id !== newest.key_id || end === undefined || !worksAt(now)({ expires_at: end }))
    throw endedCredential(cause.actor);
  const repeatsItself = rotatedBy === 'key' && overlapSeconds > 0 && old.superseded_by === 'key';
  if (!repeatsItself || old.successor_hash !== record.key_hash) throw new SupersededSecret();
  const working = (record.previous ?? []).filter(worksAt(now));
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
  const used = () => new SupersededSecret();
  const steps: TransactItem[] = [
    {
      check: apiKeyItemKey(record.key_hash),
      condition: and(newestAsRead(newest), isUnused),
      onConditionFailed: (item) => (item?.['last_used_at'] === undefined ? stale() : used()),
    },
    ...lost.map((secret) => ({
      // A secret that has expired may have been deleted already.
      delete: apiKeyItemKey(secret.key_hash),
      condition: isUnused,
      onConditionFailed: used,
    })),
    addition({ ...apiKeyItem(key, hash), [TTL_ATTRIBUTE]: end }),
    { put: idItem(record.key_hash, newest, previous), condition: secretsAsRead(record), onConditionFailed: stale },
    rotatedStep(key, { rotation, superseded: old, isRepeated: true }, cause),
  ];
  const { previous_expires_at } = newest;
  return { key: { ...key, ...(previous_expires_at === undefined ? {} : { previous_expires_at }) }, steps };
}

/** The audit event: the actor, and the prefixes of the new and the superseded secret. */
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
