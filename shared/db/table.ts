import * as z from 'zod/mini';
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

const environmentSchema = z.object({
  AWS_REGION: z.string(),
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(z.string()),
  AWS_ENDPOINT_URL: z.optional(z.string()),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_SESSION_TOKEN: z.optional(z.string()),
});

/** The environment sets them: Lambda for a function, and the local server for itself. */
function settingsFrom(environment: NodeJS.ProcessEnv): ClientSettings {
  const of = z.parse(environmentSchema, environment);
  const token = of.AWS_SESSION_TOKEN;
  const credentials = {
    accessKeyId: of.AWS_ACCESS_KEY_ID,
    secretAccessKey: of.AWS_SECRET_ACCESS_KEY,
    ...(token === undefined || token === '' ? {} : { sessionToken: token }),
  };
  return { region: of.AWS_REGION, endpoint: of.AWS_ENDPOINT_URL_DYNAMODB ?? of.AWS_ENDPOINT_URL, credentials };
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
  const client = new HttpTableClient({ ...settingsFrom(environment), ...options, errorFor: meaningOf });
  client.use(
    (next) => (call) => {
      if (isTooLate()) throw new OutcomeUnknown('too late');
      return next(call);
    },
    'attempt',
  );
  return { client, name };
}
