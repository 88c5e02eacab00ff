import { and, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { changeCredentials } from './change-credentials.ts';
import { apiKeyIdKey, apiKeyItemKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import {
  type ApiKeyRecord,
  findApiKey,
  findById,
  notFoundKey,
  secretsAsRead,
  subjectOf,
  toApiKey,
  withOwners,
} from './api-keys.ts';
import { changeableAsRead } from './rotate-api-key.ts';
import { checkNarrower, checkTeam } from './team-keys.ts';

/** The fields of a key that can change. */
export interface ApiKeyChange {
  /** null removes the limit; undefined: unchanged. */
  rate_limit_per_minute?: number | null | undefined;
  /** A part of the present owners, or owners for a key without owners; undefined: unchanged. */
  owners?: readonly string[] | undefined;
}

function rateStep(hash: string, limit: number | null): TransactItem {
  const change = limit === null ? { remove: ['rate_limit_per_minute'] } : { set: { rate_limit_per_minute: limit } };
  return { update: apiKeyItemKey(hash), ...change, condition: PRESENT, onConditionFailed: stale };
}

/** Puts a secret with other owners as a whole item, so that it can be sealed. */
async function ownersStep(table: Table, hash: string, { owners, rate_limit_per_minute: limit }: ApiKeyChange) {
  const item = await readItem(table, apiKeyItemKey(hash));
  if (item === undefined || owners === undefined) throw stale();
  const { rate_limit_per_minute: present, ...rest }: Item = item;
  const rate = limit === undefined ? present : (limit ?? undefined);
  return {
    put: { ...withOwners({ ...rest, ...apiKeyItemKey(hash) }, owners), rate_limit_per_minute: rate },
    condition: and(PRESENT, changeableAsRead(toApiKey(item))),
    onConditionFailed: stale,
  };
}

/** The writes to each working secret. A secret that has expired may be deleted at any time. */
async function secretSteps(table: Table, known: ApiKeyRecord, change: ApiKeyChange, now: Date) {
  const older = (known.previous ?? []).filter(({ expires_at: until }) => until > secondsOf(now));
  const hashes = [known.key_hash, ...older.map(({ key_hash: hash }) => hash)];
  const { owners, rate_limit_per_minute: limit } = change;
  if (owners !== undefined) return Promise.all(hashes.map((hash) => ownersStep(table, hash, change)));
  return limit === undefined ? [] : hashes.map((hash) => rateStep(hash, limit));
}

/**
 * Changes the rate limit of all working secrets of a key, and narrows their owners. One read, for owners one more for
 * each secret, and one transaction.
 *
 * @throws ApiError `notFound`, also for a key of others if the caller has owners; `failedPrecondition` for owners that
 *   are not a part of the present ones.
 */
export async function changeApiKey(
  table: Table,
  keyId: string,
  change: ApiKeyChange,
  cause: AccessContext,
): Promise<void> {
  await retryOnContention(table, async () => {
    const known = await findById(table, keyId);
    if (known?.kind !== 'api_key' || known.provider !== undefined) throw notFoundKey(keyId);
    await checkTeam(table, known, cause);
    const { owners, rate_limit_per_minute } = change;
    if (owners !== undefined) {
      const newest = await findApiKey(table, known.key_hash);
      if (newest === undefined) throw stale();
      checkNarrower(newest, owners);
    }
    const steps = await secretSteps(table, known, change, cause.now);
    if (steps.length === 0) return;
    const after = { rate_limit_per_minute, ...(owners === undefined ? {} : { owners }) };
    await changeCredentials(
      table,
      [
        // A rotation in the meantime would leave its new secret with the old limits.
        { check: apiKeyIdKey(keyId), condition: secretsAsRead(known), onConditionFailed: stale },
        ...steps,
        accessStep({ event: 'api_key.changed', subject: subjectOf(known), after }, cause),
      ],
      cause,
    );
  });
}
