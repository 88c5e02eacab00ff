import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isTooLate } from '../http/deadline.ts';
import { ApiError } from '../http/errors.ts';
import { cloudFault } from './cloud-faults.ts';
import { OutcomeUnknown } from './contention.ts';
import { TableFault } from './table-fault.ts';

/** A table and the client to reach it: the first argument of every store function. */
export interface Table {
  client: DynamoDBDocumentClient;
  name: string;
  /** Makes sure that the table can be written; throws a TableFault. Only where it is a file of our own. */
  check?: () => Promise<void>;
}

/** An item as it comes from the table, not yet parsed. */
export type Item = Record<string, unknown>;

export interface Key {
  pk: string;
  sk: string;
}

/**
 * A dead connection is noticed within a second, a hanging call or an answer that stalls within three, and three attempts
 * with the SDK's own back-off come to less than 13 s in all. What a request makes of several calls is bounded by its own
 * deadline (shared/http/deadline.ts).
 */
const CONNECTION_TIMEOUT_MS = 1000;
const REQUEST_TIMEOUT_MS = 3000;
const MAX_ATTEMPTS = 3;

/** Refusals that pass by themselves, and that the SDK has repeated in vain; what it calls throttling. */
const PASSING: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];

/** No connection, no answer in time, an answer cut short, an engine that fails. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException) return (error.$metadata.httpStatusCode ?? 500) >= 500;
  // Attempts were made, and none was answered in a way that the SDK could read; a mistake of ours fails before.
  return error instanceof Error && '$metadata' in error;
}

/** What an error of the SDK means to the caller; one of ours stays. */
function meaningOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const fault = cloudFault(error);
  if (fault !== undefined) return new TableFault(fault, error);
  if (error instanceof Error && PASSING.includes(error.name)) return new OutcomeUnknown(error);
  return isUnanswered(error) ? new OutcomeUnknown(error, 'table_unanswered') : error;
}

/**
 * How values become attributes. The SDK asks an object for its `constructor` to tell maps from class instances; without
 * the second option it refuses a map that has an entry of that name, such as a label.
 */
export const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true };

/** Region, credentials and endpoint come from the environment (`AWS_ENDPOINT_URL_DYNAMODB` names another engine). */
export function openTable(name: string): Table {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // The one above ends with the headers of the answer, and the SDK's own for the body is five minutes.
      socketTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  // It copies every request and reply for a log before it finds that nobody keeps one: 12 % of a list of 100.
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw meaningOf(error);
      }
    },
    // Around the SDK's own retries.
    { name: 'outcomeUnknown', step: 'initialize', priority: 'high' },
  );
  client.middlewareStack.add(
    (next) => (args) => {
      if (isTooLate()) throw new OutcomeUnknown('too late');
      return next(args);
    },
    // Inside of them: every attempt passes here.
    { name: 'tooLate', step: 'finalizeRequest', priority: 'low' },
  );
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions }),
    name,
  };
}
