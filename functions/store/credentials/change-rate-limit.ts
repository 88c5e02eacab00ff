import { PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { changeCredentials } from './change-credentials.ts';
import { apiKeyIdKey, apiKeyItemKey } from '../table/keys.ts';
import { findById, notFoundKey, secretsAsRead, subjectOf } from './api-keys.ts';

/**
 * Changes the rate limit of all working secrets of a key; null removes it. One read, one transaction.
 *
 * @throws ApiError `notFound`.
 */
export async function changeRateLimit(
  table: Table,
  keyId: string,
  limit: number | null | undefined,
  cause: AccessContext,
): Promise<void> {
  await retryOnContention(table, async () => {
    const known = await findById(table, keyId);
    if (known?.kind !== 'api_key') throw notFoundKey(keyId);
    if (limit === undefined) return;
    // A secret that has expired may be deleted at any time.
    const older = (known.previous ?? []).filter(({ expires_at: until }) => until > secondsOf(cause.now));
    const change = limit === null ? { remove: ['rate_limit_per_minute'] } : { set: { rate_limit_per_minute: limit } };
    const texts = [known.key_hash, ...older.map(({ key_hash: hash }) => hash)];
    const after = { rate_limit_per_minute: limit };
    await changeCredentials(
      table,
      [
        // A rotation in the meantime would leave its new secret with the old limit.
        { check: apiKeyIdKey(keyId), condition: secretsAsRead(known), onConditionFailed: stale },
        ...texts.map((hash) => ({
          update: apiKeyItemKey(hash),
          ...change,
          condition: PRESENT,
          onConditionFailed: stale,
        })),
        accessStep({ event: 'api_key.changed', subject: subjectOf(known), after }, cause),
      ],
      cause,
    );
  });
}
