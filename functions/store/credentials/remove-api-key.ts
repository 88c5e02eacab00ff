import { PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { ACCOUNT_NAME } from './accounts.ts';
import { changeCredentials } from './change-credentials.ts';
import { accountKey, apiKeyIdKey, apiKeyNameKey } from '../table/keys.ts';
import { deletion, findById, type ApiKeyRecord, notFoundKey, secretsAsRead, subjectOf, textsOf } from './api-keys.ts';
import { checkTeam } from './team-keys.ts';
import { uncountStep } from './key-counters.ts';

/**
 * Removes an API key with all its previous secrets; it is refused from then on. The last admin credential cannot be
 * removed: if the account with a password does not exist, a permanent Admin key must remain after an Admin key is
 * removed.
 *
 * @throws ApiError `notFound`, also for a key of others if the caller has owners; `failedPrecondition`.
 */
export async function removeApiKey(table: Table, keyId: string, cause: AccessContext): Promise<void> {
  const nowSeconds = secondsOf(cause.now);
  await retryOnContention(table, async () => {
    const key = await findById(table, keyId);
    if (key?.kind !== 'api_key') throw notFoundKey(keyId);
    await checkTeam(table, key, cause);
    const isWayIn = key.role === 'Admin' && (key.expires_at === undefined || key.expires_at > nowSeconds);
    const event = accessStep({ event: 'api_key.removed', subject: subjectOf(key) }, cause);
    try {
      await changeCredentials(table, [...removalSteps(key, isWayIn ? 'account' : 'nothing'), event], cause);
    } catch (error) {
      if (!(error instanceof NoAccount)) throw error;
      await changeCredentials(table, [...removalSteps(key, 'key'), event], cause);
    }
  });
}

class NoAccount extends Error {}

/** @param remains the admin credential that must remain. */
function removalSteps(key: ApiKeyRecord, remains: 'nothing' | 'account' | 'key'): TransactItem[] {
  const own: TransactItem[] = [
    ...textsOf(key),
    { delete: apiKeyIdKey(key.key_id), condition: secretsAsRead(key), onConditionFailed: stale },
  ];
  if (key.provider !== undefined) return own;
  return [
    ...(remains === 'account'
      ? [
          {
            check: accountKey(ACCOUNT_NAME),
            condition: PRESENT,
            onConditionFailed: () => new NoAccount(),
          },
        ]
      : []),
    uncountStep(key, remains),
    ...own,
    deletion(apiKeyNameKey(key.name)),
  ];
}
