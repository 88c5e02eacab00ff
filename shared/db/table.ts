import { type ClientSettings, DocumentTableClient, type TableClient } from './client.ts';
import { isTooLate } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { cloudFault } from './cloud-faults.ts';
import type { ClockSource } from '../core/monotonic-clock.ts';
import { OutcomeUnknown, ReadFailure } from './contention.ts';
import { DynamoDbError, UnansweredError } from './table-errors.ts';
import { TableFault } from './table-fault.ts';

export type { Item, Key } from './item.ts';

/**
 * A table and the client to reach it: the first argument of every store function. Its clock measures deadlines and
 * intervals of the work with it.
 */
export interface Table extends ClockSource {
  client: TableClient;
  name: string;
  /** Checks that the table can be written; throws a TableFault. Only for a table in a local file. */
  check?: () => Promise<void>;
}

/** Temporary refusals that the client has retried in vain. */
const PASSING: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];

/** Whether the call has no usable reply: no connection, a timeout, an incomplete reply, a server error. */
const isUnanswered = (error: unknown) =>
  error instanceof UnansweredError || (error instanceof DynamoDbError && error.status >= 500);

/** Also of several items: `BatchWriteItem`. */
export const isWrite = (operation: string) => /Put|Update|Delete|Write/.test(operation);

/** Maps an error of the client to one for the caller; our own errors are unchanged. */
function meaningOf(error: unknown, operation: string): unknown {
  if (error instanceof ApiError) return error;
  const fault = cloudFault(error);
  if (fault !== undefined) return new TableFault(fault, error);
  const Unavailable = isWrite(operation) ? OutcomeUnknown : ReadFailure;
  if (error instanceof Error && PASSING.includes(error.name)) return new Unavailable(error);
  return isUnanswered(error) ? new Unavailable(error, 'table_unanswered') : error;
}

/** Settings of the environment. The SDK would otherwise look for them with each call. It finds all others. */
function settingsOf(environment: NodeJS.ProcessEnv): ClientSettings {
  const { AWS_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const endpoint = environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? environment['AWS_ENDPOINT_URL'];
  const sessionToken = environment['AWS_SESSION_TOKEN'];
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(isGiven ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } } : {}),
  };
}

function refuseWhenTooLate(): void {
  if (isTooLate()) throw new OutcomeUnknown('too late');
}

/** The table with errors for the caller, reached by a client with these settings. */
export function tableOf(
  name: string,
  connect: (settings: Pick<ClientSettings, 'beforeAttempt' | 'errorFor'>) => TableClient,
): Table {
  return { client: connect({ beforeAttempt: refuseWhenTooLate, errorFor: meaningOf }), name };
}

/**
 * The table in DynamoDB. Region, credentials and endpoint are read from the environment (`AWS_ENDPOINT_URL_DYNAMODB` or
 * `AWS_ENDPOINT_URL` sets another endpoint).
 */
export function openTable(
  name: string,
  environment: NodeJS.ProcessEnv,
  options: Pick<ClientSettings, 'maxSockets'> = {},
): Table {
  const settings = { ...settingsOf(environment), ...options };
  return tableOf(name, (more) => new DocumentTableClient({ ...settings, ...more }));
}
