import { secondsOf } from '../../../shared/core/seconds.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import type { AccessContext } from '../audit/access-events.ts';
import { type ApiKey, type ApiKeyRecord, findApiKey } from './api-keys.ts';
import { addApiKeySteps, findByName, KeyNameConflict, replaceApiKeySteps } from './named-keys.ts';
import { changeCredentials } from './change-credentials.ts';
import { replacementCountSteps } from './key-counters.ts';
import { isOfTeam } from './team-keys.ts';

/**
 * The key with this name, if it has ended and may be replaced: not that of a host, which is counted elsewhere, and by a caller with owners
 * only one of its team.
 */
async function findEnded(table: Table, name: string, cause: AccessContext): Promise<ApiKeyRecord | undefined> {
  const ended = await findByName(table, name);
  const { expires_at: end = Infinity } = ended ?? {};
  if (ended === undefined || ended.role === 'Registrar' || end > secondsOf(cause.now)) return undefined;
  if (cause.limit === undefined) return ended;
  const key = await findApiKey(table, ended.key_hash);
  return key !== undefined && isOfTeam(cause, key) ? ended : undefined;
}

/**
 * Adds a key. It replaces a key that has ended under its name, in the same transaction, and takes its place in the number of keys. Only
 * then it reads: the name first, in two or three reads.
 *
 * @param conditions under which it is added, besides, as of each attempt.
 * @throws ApiError `alreadyExists`, `resourceExhausted` at the limit; as `changeCredentials`.
 */
export async function addApiKey(
  table: Table,
  key: ApiKey,
  hash: string,
  cause: AccessContext,
  conditions: () => Promise<readonly TransactItem[]> = () => Promise.resolve([]),
): Promise<void> {
  const { expires_at: until = Infinity } = key;
  const change = async (steps: readonly TransactItem[]) =>
    changeCredentials(table, [...(await conditions()), ...steps], cause, { until });
  await retryOnContention(table, async () => {
    try {
      await change(addApiKeySteps(key, hash, cause));
    } catch (error) {
      if (!(error instanceof KeyNameConflict)) throw error;
      const old = await findEnded(table, key.name, cause);
      if (old === undefined) throw error;
      await change([...replaceApiKeySteps(old, key, hash, cause), ...replacementCountSteps(key)]);
    }
  });
}
