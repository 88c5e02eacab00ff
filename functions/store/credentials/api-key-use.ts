import { UpdateCommand } from '../../../shared/db/commands.ts';
import { ConditionalCheckFailedException, TransactionConflictException } from '../../../shared/db/table-errors.ts';
import { Contention, retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { apiKeyItemKey } from '../table/keys.ts';
import { type ApiKey, findApiKey } from './api-keys.ts';

/** The last use is recorded at most this often, so that a busy key does not make its item hot. */
export const LAST_USED_EVERY_SECONDS = 300;

/** Whether the last recorded use is so old that this one must be recorded. */
export function isUseWorthRecording(key: ApiKey, nowSeconds: number): boolean {
  return key.last_used_at === undefined || key.last_used_at <= nowSeconds - LAST_USED_EVERY_SECONDS;
}

/** Records that the key was used. @returns false when the key was removed, or when a recent use is recorded. */
export async function recordUse(table: Table, hash: string, nowSeconds: number): Promise<boolean> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: apiKeyItemKey(hash),
        UpdateExpression: 'SET last_used_at = :now',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at <= :longAgo)',
        ExpressionAttributeValues: { ':now': nowSeconds, ':longAgo': nowSeconds - LAST_USED_EVERY_SECONDS },
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return false;
  }
}

/** Within the authorizer's timeout. A conflict with a repeated rotation at the same moment is retried. */
const FIRST_USE_MS = 3000;

/**
 * Records the first use of a secret that a previous secret could still replace by repeating its rotation. Must succeed
 * before the secret is accepted: from then on, a condition refuses the repetition. Until it is recorded, no reply of
 * the authorizer may be cached.
 *
 * @returns false when the secret does not exist any more.
 * @throws ApiError `unavailable` when the use cannot be recorded: the caller must be refused.
 */
export async function recordFirstUse(table: Table, hash: string, nowSeconds: number): Promise<boolean> {
  return retryOnContention(async () => {
    try {
      if (await recordUse(table, hash, nowSeconds)) return true;
    } catch (error) {
      throw error instanceof TransactionConflictException ? new Contention(error) : error;
    }
    return (await findApiKey(table, hash)) !== undefined;
  }, FIRST_USE_MS);
}
