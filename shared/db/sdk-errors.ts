import {
  type AttributeValue,
  ConditionalCheckFailedException as ConditionFailed,
  DynamoDBServiceException,
  TransactionCanceledException as Cancelled,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './item.ts';
import {
  ConditionalCheckFailedException,
  DynamoDbError,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
  UnansweredError,
} from './table-errors.ts';

/** The present item of a refusal, with plain values; the SDK leaves it as it is. */
const itemOf = (item: Record<string, AttributeValue> | undefined): Item | undefined => item && unmarshall(item);

/**
 * The error of a call by the SDK, as the service handles it. Our own errors are unchanged, and so is a mistake in a
 * call, which fails before the first attempt.
 */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof DynamoDBServiceException))
    // The SDK notes the number of attempts in the error of a call without a usable reply.
    return error instanceof Error && '$metadata' in error ? new UnansweredError(error) : error;
  const { message, $metadata } = error;
  const details = { message, attempts: $metadata.attempts ?? 1, status: $metadata.httpStatusCode ?? 500 };
  if (error instanceof ConditionFailed)
    return new ConditionalCheckFailedException({ ...details, Item: itemOf(error.Item) });
  if (error instanceof Cancelled) {
    const reasons = error.CancellationReasons ?? [];
    const CancellationReasons = reasons.map(({ Item: item, ...reason }) => ({ ...reason, Item: itemOf(item) }));
    return new TransactionCanceledException({ ...details, CancellationReasons });
  }
  if (error.name === 'TransactionConflictException') return new TransactionConflictException(details);
  if (error.name === 'TransactionInProgressException') return new TransactionInProgressException(details);
  return new DynamoDbError(error.name, details);
}
