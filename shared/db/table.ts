import { settingsOf } from '../aws/settings.ts';
import { type ClientSettings, HttpTableClient, type TableClient } from './client.ts';
import { isTooLate } from '../http/deadline.ts';
import { ApiError } from '../http/errors.ts';
import { cloudFault } from './cloud-faults.ts';
import { OutcomeUnknown } from './contention.ts';
import { DynamoDbError, UnansweredError } from './table-errors.ts';
import { TableFault } from './table-fault.ts';

export type { Item, Key } from './item.ts';

/** A table and the client to reach it: the first argument of every store function. */
export interface Table {
  client: TableClient;
  name: string;
  /** Checks that the table can be written; throws a TableFault. Only for a table in a local file. */
  check?: () => Promise<void>;
  /** Other programs can write the table, so its items that grant access have seals (seal.ts). */
  isSealed?: true;
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

/** Maps an error of the client to one for the caller; our own errors are unchanged. */
function meaningOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const fault = cloudFault(error);
  if (fault !== undefined) return new TableFault(fault, error);
  if (error instanceof Error && PASSING.includes(error.name)) return new OutcomeUnknown(error);
  return isUnanswered(error) ? new OutcomeUnknown(error, 'table_unanswered') : error;
}

/**
 * The table with errors for the caller. Region, credentials and endpoint are read from the environment
 * (`AWS_ENDPOINT_URL_DYNAMODB` or `AWS_ENDPOINT_URL` sets another endpoint).
 */
export function openTable(
  name: string,
  environment: NodeJS.ProcessEnv,
  options: Pick<ClientSettings, 'maxSockets'> = {},
): Table {
  const client = new HttpTableClient({
    ...settingsOf('dynamodb', environment, 'AWS_ENDPOINT_URL_DYNAMODB'),
    ...options,
    errorFor: meaningOf,
  });
  client.use(
    (next) => (call) => {
      if (isTooLate()) throw new OutcomeUnknown('too late');
      return next(call);
    },
    'attempt',
  );
  return { client, name };
}
