import { and, type Condition, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { changeCredentials } from './change-credentials.ts';
import { apiKeyIdKey, apiKeyItemKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import {
  type ApiKey,
  apiKeyItem,
  type ApiKeyRecord,
  findApiKey,
  findById,
  idItem,
  notFoundKey,
  secretsAsRead,
  subjectOf,
  toApiKey,
} from './api-keys.ts';
import { recountSteps } from './key-counters.ts';
import { endKey } from './last-admin.ts';
import { changeableAsRead } from './rotate-api-key.ts';
import { checkLowerRate, checkNarrower, checkTeam } from './team-keys.ts';

/** The fields of a key that can change. */
export interface ApiKeyChange {
  /** null removes the limit; undefined: unchanged. */
  rate_limit_per_minute?: number | null | undefined;
  /** A part of the present owners, or owners for a key without owners; undefined: unchanged. */
  owners?: readonly string[] | undefined;
  /** undefined: unchanged. */
  disabled?: boolean | undefined;
}

/** @param isAsRead of the limit that the caller lowers. */
function rateStep(hash: string, limit: number | null, isAsRead: Condition): TransactItem {
  const change = limit === null ? { remove: ['rate_limit_per_minute'] } : { set: { rate_limit_per_minute: limit } };
  return { update: apiKeyItemKey(hash), ...change, condition: and(PRESENT, isAsRead), onConditionFailed: stale };
}

const changed = (key: ApiKey, { owners, disabled, rate_limit_per_minute: limit }: ApiKeyChange): ApiKey => ({
  ...key,
  owners: owners === undefined ? key.owners : [...owners],
  rate_limit_per_minute: limit === undefined ? key.rate_limit_per_minute : (limit ?? undefined),
  disabled: (disabled ?? key.disabled) === true ? true : undefined,
});

/** Puts a changed secret as a whole item. */
async function secretStep(table: Table, hash: string, change: ApiKeyChange): Promise<TransactItem> {
  const item = await readItem(table, apiKeyItemKey(hash));
  if (item === undefined) throw stale();
  const key = toApiKey(item);
  return {
    put: { ...apiKeyItem(changed(key, change), hash), [TTL_ATTRIBUTE]: item[TTL_ATTRIBUTE] },
    condition: and(PRESENT, changeableAsRead(key)),
    onConditionFailed: stale,
  };
}

/** A key as it was read; `newest` only if the change depends on it. */
interface KeyToChange {
  record: ApiKeyRecord;
  newest: ApiKey | undefined;
}

/** The writes to each working secret. A secret that has expired may be deleted at any time. */
async function secretSteps(
  table: Table,
  { record, newest }: KeyToChange,
  change: ApiKeyChange,
  { now, limit: team }: AccessContext,
) {
  const older = (record.previous ?? []).filter(({ expires_at: until }) => until > secondsOf(now));
  const hashes = [record.key_hash, ...older.map(({ key_hash: hash }) => hash)];
  const { owners, disabled, rate_limit_per_minute: limit } = change;
  if (owners !== undefined || disabled !== undefined)
    return Promise.all(hashes.map((hash) => secretStep(table, hash, change)));
  const isAsRead = team === undefined ? PRESENT : equals('rate_limit_per_minute', newest?.rate_limit_per_minute);
  return limit === undefined ? [] : hashes.map((hash) => rateStep(hash, limit, isAsRead));
}

/** @param needsOther another permanent Admin key must remain. */
function keySteps({ record, newest }: KeyToChange, change: ApiKeyChange, needsOther: boolean): TransactItem[] {
  // A rotation in the meantime would leave its new secret as it was.
  const asRead = {
    condition: and(secretsAsRead(record), equals('disabled', record.disabled)),
    onConditionFailed: stale,
  };
  if (newest === undefined || change.disabled === undefined) return [{ check: apiKeyIdKey(record.key_id), ...asRead }];
  const next = changed(newest, change);
  return [
    { put: idItem(record.key_hash, next, record.previous), ...asRead },
    ...recountSteps(newest, next, needsOther),
  ];
}

function checkChange(
  key: ApiKey,
  { owners, disabled, rate_limit_per_minute: rate }: ApiKeyChange,
  cause: AccessContext,
): void {
  if (rate !== undefined) checkLowerRate(cause, key.rate_limit_per_minute, rate);
  if (owners !== undefined) checkNarrower(key, owners);
  if (disabled === true && cause.credential?.secret?.keyId === key.key_id)
    throw new ApiError(
      'failedPrecondition',
      'An API key cannot disable itself, because it could not enable itself again.',
    );
}

/**
 * Changes the rate limit of all working secrets of a key, narrows their owners, and disables or enables them. One read,
 * for owners and `disabled` one more for the key and for each secret, and one transaction.
 *
 * @throws ApiError `notFound`, also for a key of others if the caller has owners; `failedPrecondition` for owners that
 *   are not a part of the present ones, for a key that disables itself, and for the last admin credential.
 */
export async function changeApiKey(
  table: Table,
  keyId: string,
  request: ApiKeyChange,
  cause: AccessContext,
): Promise<void> {
  await retryOnContention(table, async () => {
    const record = await findById(table, keyId);
    if (record?.kind !== 'api_key') throw notFoundKey(keyId);
    await checkTeam(table, record, cause);
    const isDisabled = record.disabled === true;
    const change = { ...request, disabled: request.disabled === isDisabled ? undefined : request.disabled };
    const { owners, disabled, rate_limit_per_minute } = change;
    const isRateAlone = owners === undefined && disabled === undefined && cause.limit === undefined;
    const newest = isRateAlone ? undefined : await findApiKey(table, record.key_hash);
    if (newest !== undefined) checkChange(newest, change, cause);
    const secrets = await secretSteps(table, { record, newest }, change, cause);
    if (secrets.length === 0) return;
    const after = { rate_limit_per_minute, owners, disabled };
    const event = accessStep({ event: 'api_key.changed', subject: subjectOf(record), after }, cause);
    const write = (steps: readonly TransactItem[], needsOther: boolean) =>
      changeCredentials(
        table,
        [...steps, ...keySteps({ record, newest }, change, needsOther), ...secrets, event],
        cause,
      );
    await (disabled === true ? endKey(record, cause.now, write) : write([], false));
  });
}
