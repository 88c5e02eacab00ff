import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A table and the client to reach it: the first argument of every store function. */
export interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

/** An item as it comes from the table, not yet parsed. */
export type Item = Record<string, unknown>;

export interface Key {
  pk: string;
  sk: string;
}

/**
 * Bounds that keep every request well inside the 29 s of API Gateway: a dead connection is noticed within a second, a
 * hanging call within three, and three attempts with the SDK's own back-off come to less than 10 s in all.
 */
const CONNECTION_TIMEOUT_MS = 1000;
const REQUEST_TIMEOUT_MS = 3000;
const MAX_ATTEMPTS = 3;

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
      throwOnRequestTimeout: true,
    },
  });
  // It copies every request and reply for a log before it finds that nobody keeps one: 12 % of a list of 100.
  client.middlewareStack.remove('loggerMiddleware');
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions }),
    name,
  };
}
