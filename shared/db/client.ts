import { randomUUID } from 'node:crypto';
import { JsonService } from '../aws/json-service.ts';
import { MAX_ATTEMPTS, type Passing, repeat } from '../aws/repeat.ts';
import { RetryQuota } from '../aws/retry-quota.ts';
import { publicEndpoint } from '../aws/settings.ts';
import type { Credentials } from '../aws/sign-request.ts';
import type { Command } from './commands.ts';
import { DynamoDbError, UnansweredError } from './table-errors.ts';
import { errorOf, type Output, outputOf, toWire } from './wire.ts';

/*
 * A client of DynamoDB for the calls that the service makes. docs/decisions/0022-table-client.md states why the AWS SDK
 * is not used.
 */

/** Reaches the tables of one region. */
export interface TableClient {
  /** @throws DynamoDbError when the database refused the call; UnansweredError. */
  send: (command: Command) => Promise<Output>;
  /** Puts a layer around all others: around a whole call (the default), or around each of its attempts. */
  use: (layer: Layer, around?: 'call' | 'attempt') => void;
  /** Closes the connections. */
  destroy: () => void;
}

export interface ClientSettings {
  region: string;
  /** A URL; undefined: the public endpoint of the region. */
  endpoint?: string | undefined;
  credentials: Credentials;
  /** The largest number of connections. */
  maxSockets?: number;
  /** The error for the caller. It is outside all layers, which see the errors of the client. */
  errorFor?: (error: unknown) => unknown;
}

/** A call as the layers around the client see it; values are plain. */
export interface Call {
  operation: string;
  input: Record<string, unknown>;
  /** Set around an attempt: its number, from 1. */
  attempt?: number;
}

export type Send = (call: Call) => Promise<Output>;

/** Something around each call: it may change the call or its output, or fail. */
export type Layer = (next: Send) => Send;

/** Enough for the concurrency of one process. */
const MAX_SOCKETS = 50;

/** Refusals that pass: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const passing: ReadonlySet<string> = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TransactionInProgressException',
]);

/** Notes the number of attempts in the error. */
function passingOf(error: unknown, attempt: number): Passing | undefined {
  if (error instanceof UnansweredError) return 'unanswered';
  if (!(error instanceof DynamoDbError)) return undefined;
  error.attempts = attempt;
  return error.status >= 500 || passing.has(error.name) ? 'refused' : undefined;
}

export class HttpTableClient implements TableClient {
  readonly #service: JsonService;
  readonly #errorFor: ClientSettings['errorFor'];
  readonly #quota = new RetryQuota();
  #send: Send = (call) => this.#repeat(call);
  #attempt: Send = (call) => this.#exchange(call);

  constructor({ region, endpoint, credentials, maxSockets = MAX_SOCKETS, errorFor }: ClientSettings) {
    this.#errorFor = errorFor;
    this.#service = new JsonService({
      service: 'dynamodb',
      region,
      endpoint: endpoint ?? publicEndpoint('dynamodb', region),
      credentials,
      version: '1.0',
      prefix: 'DynamoDB_20120810',
      maxSockets,
    });
  }

  use(layer: Layer, around?: 'call' | 'attempt'): void {
    if (around === 'attempt') this.#attempt = layer(this.#attempt);
    else this.#send = layer(this.#send);
  }

  async send({ operation, input }: Command): Promise<Output> {
    // The token makes a repetition of a transaction whose reply was lost harmless.
    const token = operation === 'TransactWriteItems' ? { ClientRequestToken: randomUUID() } : {};
    try {
      return await this.#send({ operation, input: { ...token, ...input } });
    } catch (error) {
      throw this.#errorFor?.(error) ?? error;
    }
  }

  destroy(): void {
    this.#service.destroy();
  }

  /**
   * Three attempts take less than 13 s. A request that makes several calls is limited by its own deadline
   * (shared/http/deadline.ts).
   */
  #repeat(call: Call): Promise<Output> {
    return repeat((attempt) => this.#attempt({ ...call, attempt }), { quota: this.#quota, passingOf });
  }

  async #exchange({ operation, input, attempt }: Call): Promise<Output> {
    // As the AWS SDK numbers its attempts.
    const headers = { 'amz-sdk-request': `attempt=${attempt ?? 1}; max=${MAX_ATTEMPTS}` };
    const body = JSON.stringify(toWire(input));
    const reply = await this.#service.send(operation, body, headers).catch((error: unknown) => {
      throw new UnansweredError(error);
    });
    if (reply.status === 200) return outputOf(reply.body);
    throw errorOf(reply.status, reply.body);
  }
}
