import { stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Key, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { changeCredentials } from './change-credentials.ts';
import { apiKeyNameKey, credentialIdKey, OF_LOG_IN } from '../table/keys.ts';
import { type ApiKeyRecord, deletion, findById, notFoundKey, secretsAsRead, subjectOf, textsOf } from './api-keys.ts';
import { filtersOfKey, ownFilterKeys } from './own-filters.ts';
import { checkTeam } from './team-keys.ts';
import { uncountStep } from './key-counters.ts';
import { endKey } from './last-admin.ts';

/**
 * Removes an API key with all its previous secrets and its private filters; it is refused from then on.
 *
 * @throws ApiError `notFound`, also for a key of others if the caller has owners; `failedPrecondition` for the last admin
 *   credential.
 */
export async function removeApiKey(table: Table, keyId: string, cause: AccessContext): Promise<void> {
  await retryOnContention(table, async () => {
    const [listedKey, filters] = await Promise.all([findById(table, keyId), ownFilterKeys(table, filtersOfKey(keyId))]);
    // The key of a program is in no list. The audit names its id.
    const key = listedKey ?? (await findById(table, keyId, OF_LOG_IN));
    if (key?.kind !== 'api_key') throw notFoundKey(keyId);
    await checkTeam(table, key, cause);
    const event = accessStep({ event: 'api_key.removed', subject: subjectOf(key) }, cause);
    await endKey(key, cause.now, (steps, needsOther) =>
      changeCredentials(table, [...steps, ...removalSteps(key, needsOther), ...filters.map(deleteStep), event], cause),
    );
  });
}

/** A person has at most 50 filters and 10 pins: they fit into the transaction. */
const deleteStep = (key: Key): TransactItem => ({ delete: key });

function removalSteps(key: ApiKeyRecord, needsOther: boolean): TransactItem[] {
  const keyItems: TransactItem[] = [
    ...textsOf(key),
    { delete: credentialIdKey(key, key.key_id), condition: secretsAsRead(key), onConditionFailed: stale },
  ];
  if (key.provider !== undefined) return keyItems;
  return [uncountStep(key, needsOther), ...keyItems, deletion(apiKeyNameKey(key.name))];
}
