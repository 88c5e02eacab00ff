import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import http from 'node:http';
import https from 'node:https';
import { type ClockSource, clockOf, type MonotonicClock } from '../core/monotonic-clock.ts';
import { isRecord, type Item } from './item.ts';
import { readJsonOnce } from './read-json-once.ts';
import { errorOf } from './sdk-errors.ts';
import { RequestSigner } from './request-signer.ts';
import { type SdkCommand, sendThroughSharedMiddleware, sentCommand } from './shared-middleware.ts';

/** A command of the SDK. Its values are plain, except in commands of `@aws-sdk/client-dynamodb`. */
export interface Command {
  readonly input: object;
}

/** The reply to a call, with plain values. Each command has some of these fields. */
export interface Output {
  Item?: Item | undefined;
  Attributes?: Item | undefined;
  Items?: Item[] | undefined;
  Count?: number | undefined;
  LastEvaluatedKey?: Item | undefined;
  /** Of a BatchGetItem: the items by table. */
  Responses?: Record<string, Item[]> | undefined;
  UnprocessedKeys?: Record<string, { Keys: Item[] }> | undefined;
  UnprocessedItems?: Record<string, ({ PutRequest: { Item: Item } } | { DeleteRequest: { Key: Item } })[]> | undefined;
  ConsumedCapacity?: unknown;
  /** Of a DescribeTable. */
  Table?: unknown;
}

/** A call as the layers around the client see it. */
export interface DynamoDbCall {
  /** The name in the API of DynamoDB: `GetItem`. */
  operation: string;
  input: Record<string, unknown>;
  command: Command;
}

export type Send = (call: DynamoDbCall) => Promise<Output>;

/** Something around each call: it may change the input or the output of the call, or fail. */
export type Layer = (next: Send) => Send;

/** Reaches the tables of one region. */
export interface TableClient {
  /** @throws DynamoDbError when the database refused the call; UnansweredError. */
  send: (command: Command) => Promise<Output>;
  /** Puts a layer around all others. */
  use: (layer: Layer) => void;
  /** Closes the connections. */
  destroy: () => void;
}

/** Region, endpoint and credentials that are not given are found by the SDK. */
export interface ClientSettings extends ClockSource {
  region?: string;
  credentials?: NonNullable<DynamoDBClientConfig['credentials']>;
  /** A URL. */
  endpoint?: string;
  /** The largest number of connections. */
  maxSockets?: number;
  /** Throws before an attempt that would be useless. */
  beforeAttempt?: () => void;
  /** The error for the caller of an operation. It is outside all layers, which see the errors of the client. */
  errorFor?: (error: unknown, operation: string) => unknown;
}

/** Three attempts take less than 13 s. A request that makes several calls is limited by its own deadline. */
const MAX_ATTEMPTS = 3;

/** A dead connection is detected within 1 s, and a reply that stalls within 3 s. */
const CONNECTION_TIMEOUT_MS = 1000;
const SOCKET_TIMEOUT_MS = 3000;

/** Enough for the concurrency of one process. */
const MAX_SOCKETS = 50;

/**
 * `removeUndefinedValues`: an absent attribute. `convertClassInstanceToMap`: the SDK reads the `constructor` of an object
 * to distinguish maps from class instances, and would refuse a map with an entry of that name, such as a label.
 */
const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true };

/** Middleware that every call would run without a use: the logger copies each request and reply also without a log. */
const unused = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** The SDK has no type for all of its commands. */
const isOfSdk = (command: Command): command is SdkCommand => 'middlewareStack' in command;

/** The type of a reply is the union of those of all commands, also of those that nothing here sends. */
const isOutput = (reply: object): reply is Output => isRecord(reply);

const operations = new Map<unknown, string>();

/** The name in the API of DynamoDB. */
function operationOf(command: Command): string {
  const cached = operations.get(command.constructor);
  if (cached !== undefined) return cached;
  const sent = sentCommand(command);
  const schema: unknown = isRecord(sent) ? sent['schema'] : undefined;
  const operation = Array.isArray(schema) ? String(schema[2]) : '';
  operations.set(command.constructor, operation);
  return operation;
}

/**
 * Ends connections that are not established in time. The SDK's own limit would include the time that a call waits for one
 * of the connections.
 */
function connectInTime<Agent extends http.Agent>(agent: Agent, clock: MonotonicClock): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    // The SDK repeats a call after an error with this code.
    const error = Object.assign(new Error(`no connection after ${CONNECTION_TIMEOUT_MS} ms`), { code: 'ETIMEDOUT' });
    const cancel = clock.after(CONNECTION_TIMEOUT_MS, () => socket?.destroy(error));
    for (const event of ['connect', 'close']) socket?.once(event, cancel);
    return socket;
  };
  return agent;
}

/** Calls that name their table by its name, not by its ARN, have one endpoint. */
function resolveEndpointOnce(config: DynamoDBClient['config']): void {
  const resolve = config.endpointProvider;
  let endpoint: ReturnType<typeof resolve> | undefined;
  config.endpointProvider = (parameters, context) => (endpoint ??= resolve(parameters, context));
}

function openDynamoDb({
  maxSockets = MAX_SOCKETS,
  beforeAttempt,
  monotonic,
  ...settings
}: ClientSettings): DynamoDBClient {
  const clock = clockOf({ monotonic });
  const signer = new RequestSigner(() => client.config);
  const client: DynamoDBClient = new DynamoDBClient({
    ...settings,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    requestHandler: {
      socketTimeout: SOCKET_TIMEOUT_MS,
      httpAgent: connectInTime(new http.Agent({ keepAlive: true, maxSockets }), clock),
      httpsAgent: connectInTime(new https.Agent({ keepAlive: true, maxSockets }), clock),
    },
    signer: () => Promise.resolve(signer),
  });
  readJsonOnce(client.config.protocol);
  resolveEndpointOnce(client.config);
  for (const name of unused) client.middlewareStack.remove(name);
  if (beforeAttempt !== undefined)
    client.middlewareStack.add(
      (next) => (args) => {
        beforeAttempt();
        return next(args);
      },
      // Inside the retries: runs for every attempt.
      { name: 'beforeAttempt', step: 'finalizeRequest', priority: 'low' },
    );
  return client;
}

/** Sends calls, with layers around them. */
export class LayeredClient implements TableClient {
  readonly #errorFor: ClientSettings['errorFor'];
  readonly #destroy: () => void;
  #send: Send;

  constructor(send: Send, errorFor: ClientSettings['errorFor'], destroy: () => void = () => undefined) {
    this.#send = send;
    this.#errorFor = errorFor;
    this.#destroy = destroy;
  }

  use(layer: Layer): void {
    this.#send = layer(this.#send);
  }

  async send(command: Command): Promise<Output> {
    const operation = operationOf(command);
    try {
      return await this.#send({ operation, input: { ...command.input }, command });
    } catch (error) {
      throw this.#errorFor?.(error, operation) ?? error;
    }
  }

  destroy(): void {
    this.#destroy();
  }
}

/** The document client of the SDK. docs/decisions/0022-table-client.md states what is replaced in the SDK. */
export class DocumentTableClient extends LayeredClient {
  constructor({ errorFor, ...settings }: ClientSettings) {
    const client = openDynamoDb(settings);
    const sendShared = sendThroughSharedMiddleware(DynamoDBDocumentClient.from(client, { marshallOptions }));
    const send: Send = async ({ command, input }) => {
      if (!isOfSdk(command)) throw new TypeError('not a command of the SDK');
      Object.assign(command.input, input);
      try {
        const reply = await sendShared(command);
        return isOutput(reply) ? reply : {};
      } catch (error) {
        throw errorOf(error);
      }
    };
    super(send, errorFor, () => client.destroy());
  }
}
