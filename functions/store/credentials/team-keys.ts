import { equals, stale } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { Caller } from '../../contract/caller.ts';
import { rolesWithOwners } from '../../domain/access/api-key.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { additionStep } from '../table/additions.ts';
import { API_KEYS_PARTITION, apiKeyCounterKey, secretItemKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { MAX_TEAM_KEYS } from './key-counters.ts';
import { allApiKeys } from './list-api-keys.ts';
import { type ApiKey, type ApiKeyRecord, findSecret, notFoundKey } from './api-keys.ts';

type TeamLimit = Partial<Pick<WriteContext, 'limit'>>;

const isPart = (part: readonly string[], whole: readonly string[]) => part.every((owner) => whole.includes(owner));

/** Whether a caller may see and change a key: with owners, only keys with a part of these owners. */
export const isOfTeam = ({ limit }: TeamLimit, { owners }: Pick<ApiKey, 'owners'>): boolean =>
  limit === undefined || (owners !== undefined && isPart(owners, limit.owners));

/**
 * Checks that a caller may change a key. One read for a caller with owners. Owners of a key are only narrowed, so the
 * result stays true.
 *
 * @throws ApiError `notFound` for a key of others: the reply does not reveal that it exists.
 */
export async function checkTeam(table: Table, record: ApiKeyRecord, cause: TeamLimit): Promise<void> {
  if (cause.limit === undefined) return;
  const key = await findSecret(table, record, record.key_hash);
  if (key === undefined) throw stale();
  if (!isOfTeam(cause, key)) throw notFoundKey(record.key_id);
}

/**
 * Checks that a caller with owners lowers a rate limit: it could free itself otherwise.
 *
 * @param next null removes the limit.
 * @throws ApiError `permissionDenied`
 */
export function checkLowerRate({ limit }: TeamLimit, present: number | undefined, next: number | null): void {
  if (limit === undefined || present === undefined || (next !== null && next <= present)) return;
  throw new ApiError(
    'permissionDenied',
    `Access denied: a caller with owners only lowers a rate limit, which is ${present} requests per minute.`,
  );
}

type RateOfCaller = Pick<Caller, 'kind' | 'keyId' | 'provider' | 'ratePerMinute' | 'rateGroup' | 'secretDigest'>;

const changedRate = () =>
  new ApiError('permissionDenied', 'Access denied: the rate limit of this key has changed. Try again in five minutes.');

/**
 * The rate limit of a new key. That of a caller with owners and a limit is at most as high, and counts with it: more keys
 * make no more requests.
 *
 * @returns the fields of the key, and the condition that the caller has the limit that the gateway knows.
 * @throws ApiError `permissionDenied` for a higher limit.
 */
export function rateOfNewKey(
  { limit }: TeamLimit,
  caller: RateOfCaller,
  given: number | undefined,
): { fields: Pick<ApiKey, 'rate_limit_per_minute' | 'rate_group'>; conditions: TransactItem[] } {
  const { kind, keyId, ratePerMinute: ownRate, rateGroup = keyId, secretDigest: digest } = caller;
  const fields = given === undefined ? {} : { rate_limit_per_minute: given };
  if (limit === undefined || kind !== 'api_key' || digest === undefined) return { fields, conditions: [] };
  const conditions: TransactItem[] = [
    {
      check: secretItemKey(caller, digest),
      condition: equals('rate_limit_per_minute', ownRate),
      onConditionFailed: changedRate,
    },
  ];
  if (ownRate === undefined) return { fields, conditions };
  checkLowerRate({ limit }, ownRate, given ?? ownRate);
  return { fields: { rate_limit_per_minute: given ?? ownRate, rate_group: rateGroup }, conditions };
}

/**
 * The owners of a new key: those that are given, and by default those of a caller with owners.
 *
 * @throws ApiError `permissionDenied` when a caller with owners gives others, or another role than it may.
 */
export function ownersOfNewKey(
  { limit }: TeamLimit,
  { role, owners }: Pick<ApiKey, 'role' | 'owners'>,
): readonly string[] | undefined {
  if (limit === undefined) return owners;
  if (!rolesWithOwners.includes(role))
    throw new ApiError(
      'permissionDenied',
      `Access denied: a key with owners adds keys with the roles Editor and Viewer.`,
    );
  const keyOwners = owners ?? limit.owners;
  if (isPart(keyOwners, limit.owners)) return keyOwners;
  throw new ApiError('permissionDenied', 'Access denied: the owners of the key must be a part of your own.');
}

/**
 * The step that keeps the keys of a team within its share, which its callers with owners cannot exceed. In an inventory with few
 * keys two reads; otherwise it lists the keys of programs.
 *
 * @throws ApiError `resourceExhausted`
 */
export async function teamShareSteps(table: Table, { limit, now }: TeamLimit & { now: Date }): Promise<TransactItem[]> {
  if (limit === undefined) return [];
  const addition = await additionStep(table, API_KEYS_PARTITION, now);
  const { api_keys: all } = (await readItem(table, apiKeyCounterKey)) ?? {};
  const mayBeFull = typeof all === 'number' && all >= MAX_TEAM_KEYS;
  const keys = mayBeFull ? (await allApiKeys(table)).filter((key) => isOfTeam({ limit }, key)) : [];
  if (keys.length < MAX_TEAM_KEYS) return [addition];
  throw new ApiError(
    'resourceExhausted',
    `The maximum of ${MAX_TEAM_KEYS} API keys of ${limit.label} ${limit.owners.join(', ')} is reached. Remove a key first.`,
  );
}

/**
 * Narrows the owners of a key.
 *
 * @throws ApiError `failedPrecondition` when they would not be a part of the present ones, or for another role.
 */
export function checkNarrower({ role, owners }: ApiKey, next: readonly string[]): void {
  if (!rolesWithOwners.includes(role))
    throw new ApiError('failedPrecondition', 'Only a key with the role Editor or Viewer can have owners.');
  if (owners !== undefined && !isPart(next, owners))
    throw new ApiError('failedPrecondition', 'The owners of a key can only be narrowed. Add another key.');
}
