import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { timeText } from '../../../shared/core/seconds.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { TTL_ATTRIBUTE } from '../table/keys.ts';
import { addition, apiKeyItem, type ApiKey, idItem, subjectOf } from './api-keys.ts';
import { changeCredentials } from './change-credentials.ts';

/** A key of a program, which has a provider and an end. */
export type ProgramKey = ApiKey & { provider: string; expires_at: number };

/**
 * Adds the key of a program: by hash and by id, without a name and without a count. DynamoDB deletes it some time after its
 * end. One transaction.
 *
 * @param bindings the names of the role bindings that give its role, for the audit.
 * @param more steps of the same transaction.
 */
export async function addProgramKey(
  table: Table,
  { key, hash, bindings }: { key: ProgramKey; hash: string; bindings: readonly string[] },
  cause: AccessContext,
  more: readonly TransactItem[],
): Promise<void> {
  const { role, owners, provider, expires_at: end } = key;
  const ttl = { [TTL_ATTRIBUTE]: end };
  const after = { role, owners, expires_at: timeText(end), provider, bindings };
  const steps: TransactItem[] = [
    ...more,
    addition({ ...apiKeyItem(key, hash), ...ttl }),
    addition({ ...idItem(hash, key), ...ttl }),
    accessStep({ event: 'api_key.added', subject: subjectOf(key), after }, cause),
  ];
  await retryOnContention(table, () => changeCredentials(table, steps, cause, { until: end }));
}
