import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { rateKey, TTL_ATTRIBUTE } from '../table/keys.ts';

const WINDOW_SECONDS = 60;

/** Long after its minute the count may go. */
const KEPT_SECONDS = 3600;

/**
 * Counts a request of a key in the present minute, if that does not lead beyond its limit. One conditional write.
 *
 * The minutes are those of the clock, so that up to twice the limit can pass within one minute that spans two of them. An
 * attempt whose answer was lost may be counted twice.
 *
 * @param cost how many requests it counts as; none of them when there are too few left.
 * @returns seconds to the next minute when there are too few left, else undefined.
 */
export async function consumeRateLimit(
  table: Table,
  { keyId, ratePerMinute, cost, now }: { keyId: string; ratePerMinute: number; cost: number; now: Date },
): Promise<number | undefined> {
  const seconds = now.getTime() / 1000;
  const minute = Math.floor(seconds / WINDOW_SECONDS);
  const end = (minute + 1) * WINDOW_SECONDS;
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: rateKey(keyId, minute),
        UpdateExpression: 'ADD requests :cost SET #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(requests) OR requests <= :most',
        ExpressionAttributeNames: { '#ttl': TTL_ATTRIBUTE },
        ExpressionAttributeValues: { ':cost': cost, ':most': ratePerMinute - cost, ':ttl': end + KEPT_SECONDS },
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return Math.max(1, Math.ceil(end - seconds));
  }
}
