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
  /** Checks that the table can be written; throws a TableFault. Only for a table in a local file. */
  check?: () => Promise<void>;
}

/** An item as read from the table, not yet parsed. */
export type Item = Record<string, unknown>;

export interface Key {
  pk: string;
  sk: string;
}

/**
 * A dead connection is detected within 1 s, a call or reply that stalls within 3 s. Three attempts with the back-off of
 * the SDK take less than 13 s. A request that makes several calls is limited by its own deadline
 * (shared/http/deadline.ts).
 */
const CONNECTION_TIMEOUT_MS = 1000;
const REQUEST_TIMEOUT_MS = 3000;
const MAX_ATTEMPTS = 3;

/** Temporary refusals that the SDK has retried in vain; the SDK classifies them as throttling. */
const PASSING: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];

/** Whether the call has no usable reply: no connection, a timeout, an incomplete reply, a server error. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException) return (error.$metadata.httpStatusCode ?? 500) >= 500;
  // Attempts were made, and the SDK could read none of the replies. A mistake in the call fails before the first
  // attempt, without metadata.
  return error instanceof Error && '$metadata' in error;
}

/** Maps an error of the SDK to one of ours; our own errors are unchanged. */
function meaningOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const fault = cloudFault(error);
  if (fault !== undefined) return new TableFault(fault, error);
  if (error instanceof Error && PASSING.includes(error.name)) return new OutcomeUnknown(error);
  return isUnanswered(error) ? new OutcomeUnknown(error, 'table_unanswered') : error;
}

/**
 * How values become attributes. The SDK reads the `constructor` of an object to distinguish maps from class instances.
 * Without the second option it refuses a map with an entry of that name, such as a label.
 */
export const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true };

/**
 * Region, credentials and endpoint are read from the environment (`AWS_ENDPOINT_URL_DYNAMODB` sets another endpoint).
 */
export function openTable(name: string): Table {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // `requestTimeout` ends with the headers of the reply, and the SDK's default for the body is five minutes.
      socketTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  // The logger copies every request and reply even when no log is configured: 12 % of a list of 100.
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw meaningOf(error);
      }
    },
    // Outside the retries of the SDK.
    { name: 'outcomeUnknown', step: 'initialize', priority: 'high' },
  );
  client.middlewareStack.add(
    (next) => (args) => {
      if (isTooLate()) throw new OutcomeUnknown('too late');
      return next(args);
    },
    // Inside the retries: runs for every attempt.
    { name: 'tooLate', step: 'finalizeRequest', priority: 'low' },
  );
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions }),
    name,
  };
}
