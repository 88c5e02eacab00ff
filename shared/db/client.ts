import { randomUUID } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import aws4 from 'aws4';
import type { Command } from './commands.ts';
import { isRecord } from './item.ts';
import { RetryQuota } from './retry-quota.ts';
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

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
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

/**
 * A dead connection is detected within 1 s; an attempt takes at most 3 s from the moment it has a connection to the end
 * of the reply. Three attempts take less than 13 s. A request that makes several calls is limited by its own deadline
 * (shared/http/deadline.ts).
 */
const CONNECTION_TIMEOUT_MS = 1000;
const REQUEST_TIMEOUT_MS = 3000;
const MAX_ATTEMPTS = 3;

/** https://docs.aws.amazon.com/general/latest/gr/ddb.html */
function publicEndpoint(region: string): string {
  return `https://dynamodb.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

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

const mayPass = (error: unknown): boolean =>
  error instanceof UnansweredError ||
  (error instanceof DynamoDbError && (error.status >= 500 || passing.has(error.name)));

/** The pause before a repetition grows from up to 50 ms; random, so that calls that failed together spread. */
const FIRST_PAUSE_MS = 50;

const pause = (attempt: number) => delay(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));

export class HttpTableClient implements TableClient {
  readonly #settings: ClientSettings;
  readonly #url: URL;
  readonly #agent: http.Agent;
  readonly #quota = new RetryQuota();
  #send: Send = (call) => this.#repeat(call);
  #attempt: Send = (call) => this.#exchange(call);

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#url = new URL(settings.endpoint ?? publicEndpoint(settings.region));
    const { Agent } = this.#url.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: settings.maxSockets ?? MAX_SOCKETS });
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
      throw this.#settings.errorFor?.(error) ?? error;
    }
  }

  destroy(): void {
    this.#agent.destroy();
  }

  async #repeat(call: Call): Promise<Output> {
    for (let attempt = 1; ; attempt += 1)
      try {
        const output = await this.#attempt({ ...call, attempt });
        this.#quota.refill();
        return output;
      } catch (error) {
        if (error instanceof DynamoDbError) error.attempts = attempt;
        const isLast = attempt >= MAX_ATTEMPTS || !mayPass(error);
        if (isLast || !this.#quota.take(error instanceof UnansweredError)) throw error;
        await pause(attempt);
      }
  }

  async #exchange({ operation, input, attempt }: Call): Promise<Output> {
    const body = JSON.stringify(toWire(input));
    // As the AWS SDK numbers its attempts.
    const headers = {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      'Amz-Sdk-Request': `attempt=${attempt ?? 1}; max=${MAX_ATTEMPTS}`,
    };
    const reply = await this.#post(headers, body).catch((error: unknown) => {
      throw new UnansweredError(error);
    });
    if (reply.status === 200) return outputOf(reply.body);
    throw errorOf(reply.status, reply.body);
  }

  async #post(plain: Record<string, string>, body: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const { region, credentials } = this.#settings;
    const { hostname, host, port, protocol } = this.#url;
    const { headers } = aws4.sign(
      {
        service: 'dynamodb',
        region,
        method: 'POST',
        path: '/',
        host,
        headers: plain,
        body,
      },
      credentials,
    );
    const { request } = protocol === 'https:' ? https : http;
    const { status, received } = await this.#receive(
      request({ hostname, port, path: '/', method: 'POST', headers, agent: this.#agent }),
      body,
    );
    const parsed: unknown = JSON.parse(received);
    if (!isRecord(parsed)) throw new TypeError('the reply is no object');
    return { status, body: parsed };
  }

  #receive(request: http.ClientRequest, body: string): Promise<{ status: number; received: string }> {
    return new Promise((resolve, reject) => {
      const end = (after: number, what: string) =>
        setTimeout(() => request.destroy(new Error(`${what} took longer than ${after} ms`)), after);
      let timer: NodeJS.Timeout | undefined;
      const finish = () => clearTimeout(timer);
      // The time that a call waits for one of the connections does not count.
      request.on('socket', (socket) => {
        timer = end(REQUEST_TIMEOUT_MS, 'the call');
        if (!socket.connecting) return;
        const connecting = end(CONNECTION_TIMEOUT_MS, 'the connection');
        socket.once('connect', () => clearTimeout(connecting));
        request.once('close', () => clearTimeout(connecting));
      });
      request.on('error', (error) => {
        finish();
        reject(error);
      });
      request.on('response', (response) => {
        let received = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (received += part));
        response.on('error', reject);
        response.on('close', finish);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, received }));
      });
      request.end(body);
    });
  }
}
