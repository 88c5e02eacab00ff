import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Random } from '../consistency/random.ts';

/** The calls that the service makes of the table. */
export type Operation =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'TransactWriteItems';

export const reads: readonly Operation[] = ['GetItem', 'BatchGetItem', 'Query'];
export const writes: readonly Operation[] = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

/** What the engine says when it turns a call away before it does anything, as it says it: status, type, message. */
const refusals = {
  ProvisionedThroughputExceededException: [400, 'com.amazonaws.dynamodb.v20120810#', 'The level of configured …'],
  ThrottlingException: [400, 'com.amazon.coral.availability#', 'Rate of requests exceeds the allowed throughput.'],
  RequestLimitExceeded: [400, 'com.amazonaws.dynamodb.v20120810#', 'Throughput exceeds the current limit …'],
  InternalServerError: [500, 'com.amazonaws.dynamodb.v20120810#', 'Internal server error'],
  ServiceUnavailable: [503, 'com.amazon.coral.availability#', 'Service is unavailable.'],
  TransactionInProgressException: [400, 'com.amazonaws.dynamodb.v20120810#', 'The transaction is in progress …'],
} as const;

/** The same for what passes only when somebody mends it. */
const lastingRefusals = {
  ResourceNotFoundException: [400, 'com.amazonaws.dynamodb.v20120810#', 'Requested resource not found'],
  AccessDeniedException: [400, 'com.amazon.coral.service#', 'User: arn:aws:… is not authorized to perform: …'],
  UnrecognizedClientException: [400, 'com.amazon.coral.service#', 'The security token included is invalid.'],
  ExpiredTokenException: [400, 'com.amazon.coral.service#', 'The security token included in the request is expired'],
  KMSDisabledException: [400, 'com.amazonaws.dynamodb.v20120810#', 'arn:aws:kms:… is disabled.'],
  ValidationException: [400, 'com.amazon.coral.validate#', 'The provided key element does not match the schema'],
} as const;

export type Refusal = keyof typeof refusals;
export type LastingRefusal = keyof typeof lastingRefusals;

export const refusalNames = Object.keys(refusals) as readonly Refusal[];

/**
 * - `lost call`: the connection breaks before the engine hears of the call.
 * - `lost answer`: the engine does it, and the connection breaks instead of the answer.
 * - `error after all`: the engine does it and says that something went wrong inside (500), which may mean either.
 * - `half answer`: the same as a lost one, after half of the answer's body.
 * - `stalled answer`: half of the body, then silence on an open connection.
 * - `dripping answer`: the whole body, a byte at a time, with a delay in milliseconds between them.
 * - `slow answer`: the engine does it at once and answers late.
 * - `late call`: the engine hears of the call late, perhaps when nobody waits for the answer any more.
 * - `no answer`: the engine does it (or, with `applied: false`, does not) and nothing ever comes back.
 * - `refusal`: turned away before it is applied.
 * - `conflict`: turned away because of others at the same items: a cancelled transaction, or a single write's conflict.
 * - `unprocessed`: some keys of a batch are left out and handed back; `all` of them on demand.
 */
export type Fault =
  | { kind: 'lost call' | 'lost answer' | 'error after all' | 'half answer' | 'stalled answer' | 'conflict' }
  | { kind: 'dripping answer'; everyMs: number }
  | { kind: 'slow answer' | 'late call'; delayMs: number }
  | { kind: 'no answer'; applied?: boolean }
  | { kind: 'refusal'; error: Refusal | LastingRefusal }
  | { kind: 'unprocessed'; all?: boolean };

export interface Rule {
  fault: Fault;
  /** Default: all. */
  operations?: readonly Operation[];
  /** Which of the fitting calls, counted from 1; repetitions by the SDK are calls of their own. */
  at?: readonly number[];
  /** Which attempts of a call, counted from 1: `[1, 2]` strikes the first two and spares the third. */
  attempts?: readonly number[];
  /** Probability of the fault; default: 1. */
  probability?: number;
  /** Which calls, by what they say. */
  fits?: (body: any) => boolean;
}

/** A call on its way to the engine. */
export interface ProxiedCall {
  operation: Operation;
  headers: IncomingHttpHeaders;
  body: any;
}

export interface EngineAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type Forward = (call: ProxiedCall) => Promise<EngineAnswer>;

export interface FaultProxy {
  endpoint: string;
  /** Replaces the rules; the first that strikes counts. Without any, everything goes through. */
  disturb: (...rules: Rule[]) => void;
  /** Stands between the proxy and the engine: for stale reads. */
  through: (layer: ((call: ProxiedCall, forward: Forward) => Promise<EngineAnswer>) | undefined) => void;
  /** Calls since the last `disturb`, by operation, and how often each kind of fault struck. */
  calls: Partial<Record<Operation, number>>;
  struck: Partial<Record<Fault['kind'], number>>;
  /** Called before each call is passed on: to act at exactly this moment. */
  onCall: ((call: ProxiedCall) => void) | undefined;
  /** Refuses connections from now on, and cuts those that are open. */
  close: () => Promise<void>;
  /** Takes connections again, at the same address. */
  open: () => Promise<void>;
  /** Resolves when nothing is on its way to the engine any more. */
  idle: () => Promise<void>;
  stop: () => Promise<void>;
}

function jsonAnswer(status: number, body: unknown): EngineAnswer {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, headers: {}, body: bytes };
}

function refusal(error: Refusal | LastingRefusal): EngineAnswer {
  const [status, namespace, message] = { ...refusals, ...lastingRefusals }[error];
  return jsonAnswer(status, { __type: namespace + error, message });
}

function conflict(call: ProxiedCall, random: Random): EngineAnswer {
  const namespace = 'com.amazonaws.dynamodb.v20120810#';
  const Message = 'Transaction is ongoing for the item';
  if (call.operation !== 'TransactWriteItems')
    return jsonAnswer(400, { __type: `${namespace}TransactionConflictException`, message: Message });
  const count: number = call.body.TransactItems.length;
  const hit = random.below(count);
  const reasons = Array.from({ length: count }, (_, index) =>
    index === hit ? { Code: 'TransactionConflict', Message } : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return jsonAnswer(400, {
    __type: `${namespace}TransactionCanceledException`,
    CancellationReasons: reasons,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
  });
}

/** How the retries of the SDK number themselves: `attempt=2; max=3`. */
function attemptOf(headers: IncomingHttpHeaders): number {
  return Number(/attempt=(\d+)/.exec(String(headers['amz-sdk-request']))?.[1] ?? 1);
}

/**
 * An engine that cannot be relied on: an HTTP proxy in front of a real one. It knows the calls by their X-Amz-Target.
 *
 * @param upstream base URL of the engine, asked for anew for every call.
 */
export async function startProxy(upstream: () => string, random: Random): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  let rules: { rule: Rule; seen: number }[] = [];
  let layer: ((call: ProxiedCall, forward: Forward) => Promise<EngineAnswer>) | undefined;
  let underway = 0;
  /** Client tokens of transactions that the engine has acknowledged: it would never cancel them afterwards. */
  const done = new Set<string>();
  /** What waits on purpose, so that `stop` need not wait for it. */
  const stopping = new AbortController();

  const forward: Forward = async ({ headers, body }) => {
    underway += 1;
    try {
      const { hostname, port } = new URL(upstream());
      const bytes = Buffer.from(JSON.stringify(body));
      const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
      const request = httpRequest({ hostname, port, method: 'POST', agent, headers: rest });
      request.end(bytes);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const answer = await buffer(response);
      const token = body.ClientRequestToken;
      if (response.statusCode === 200 && typeof token === 'string') done.add(token);
      return { status: response.statusCode ?? 500, headers: response.headers, body: answer };
    } finally {
      underway -= 1;
    }
  };
  const toEngine: Forward = (call) => (layer === undefined ? forward(call) : layer(call, forward));

  const may = (fault: Fault, { operation, body }: ProxiedCall): boolean => {
    if (fault.kind === 'unprocessed') return operation === 'BatchGetItem';
    if (fault.kind === 'conflict') return writes.includes(operation) && !done.has(body.ClientRequestToken);
    // When exactly the engine finishes is not for the client to see, so it may say this of any transaction.
    return (
      fault.kind !== 'refusal' || fault.error !== 'TransactionInProgressException' || operation === 'TransactWriteItems'
    );
  };

  const faultFor = (call: ProxiedCall): Fault | undefined => {
    const attempt = attemptOf(call.headers);
    for (const entry of rules) {
      const { fault, operations, at, attempts, probability = 1, fits } = entry.rule;
      if (operations?.includes(call.operation) === false || !may(fault, call) || fits?.(call.body) === false) continue;
      entry.seen += 1;
      if (at?.includes(entry.seen) === false || attempts?.includes(attempt) === false) continue;
      if (probability >= 1 || random.chance(probability)) return fault;
    }
    return undefined;
  };

  const respond = (response: ServerResponse, { status, headers, body }: EngineAnswer) => {
    response.writeHead(status, {
      'Content-Type': headers['content-type'] ?? 'application/x-amz-json-1.0',
      'x-amzn-RequestId': String(headers['x-amzn-requestid'] ?? 'PROXY'),
      'x-amz-crc32': crc32(body),
      'Content-Length': body.length,
    });
  };
  const send = (response: ServerResponse, answer: EngineAnswer) => {
    respond(response, answer);
    response.end(answer.body);
  };
  const cut = (response: ServerResponse): void => {
    response.socket?.resetAndDestroy();
  };

  /** A batch read without some of its keys, which come back as unprocessed. */
  const partly = async (call: ProxiedCall, all: boolean): Promise<EngineAnswer> => {
    const [[name, { Keys: keys, ...options }]] = Object.entries<any>(call.body.RequestItems) as [[string, any]];
    const kept = all ? [] : keys.slice(0, random.below(keys.length));
    const left = { [name]: { ...options, Keys: keys.slice(kept.length) } };
    if (kept.length === 0) return jsonAnswer(200, { Responses: { [name]: [] }, UnprocessedKeys: left });
    const answer = await toEngine({
      ...call,
      body: { ...call.body, RequestItems: { [name]: { ...options, Keys: kept } } },
    });
    if (answer.status !== 200) return answer;
    return jsonAnswer(200, { ...JSON.parse(answer.body.toString()), UnprocessedKeys: left });
  };

  const withFault = async (fault: Fault, call: ProxiedCall, response: ServerResponse): Promise<void> => {
    switch (fault.kind) {
      case 'lost call':
        cut(response);
        return;
      case 'lost answer':
        await toEngine(call);
        cut(response);
        return;
      case 'error after all':
        await toEngine(call);
        send(response, refusal('InternalServerError'));
        return;
      case 'half answer':
      case 'stalled answer': {
        const answer = await toEngine(call);
        respond(response, answer);
        response.write(answer.body.subarray(0, answer.body.length / 2));
        if (fault.kind === 'stalled answer') return;
        // Else the reset would overtake what has just been written.
        await delay(5);
        cut(response);
        return;
      }
      case 'dripping answer': {
        const answer = await toEngine(call);
        respond(response, answer);
        for (const byte of answer.body) {
          response.write(Buffer.of(byte));
          await delay(fault.everyMs, undefined, { signal: stopping.signal });
        }
        response.end();
        return;
      }
      case 'slow answer': {
        const answer = await toEngine(call);
        await delay(fault.delayMs, undefined, { signal: stopping.signal });
        send(response, answer);
        return;
      }
      case 'late call':
        underway += 1;
        await delay(fault.delayMs, undefined, { signal: stopping.signal }).finally(() => (underway -= 1));
        send(response, await toEngine(call));
        return;
      case 'no answer':
        if (fault.applied !== false) await toEngine(call);
        return;
      case 'refusal':
        send(response, refusal(fault.error));
        return;
      case 'conflict':
        send(response, conflict(call, random));
        return;
      case 'unprocessed':
        send(response, await partly(call, fault.all === true));
        return;
    }
  };

  const proxy: FaultProxy = {
    endpoint: '',
    calls: {},
    struck: {},
    onCall: undefined,
    disturb: (...next) => {
      rules = next.map((rule) => ({ rule, seen: 0 }));
      proxy.calls = {};
      proxy.struck = {};
    },
    through: (next) => (layer = next),
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    open: async () => {
      if (server.listening) return;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    idle: async () => {
      while (underway > 0) await delay(2);
    },
    stop: async () => {
      stopping.abort();
      await proxy.close();
      agent.destroy();
    },
  };

  const server = createServer((request, response) => {
    const answer = async () => {
      const operation = String(request.headers['x-amz-target']).split('.').at(-1) as Operation;
      const call = { operation, headers: request.headers, body: JSON.parse((await buffer(request)).toString()) };
      proxy.calls[operation] = (proxy.calls[operation] ?? 0) + 1;
      proxy.onCall?.(call);
      const fault = faultFor(call);
      if (fault === undefined) {
        send(response, await toEngine(call));
        return;
      }
      proxy.struck[fault.kind] = (proxy.struck[fault.kind] ?? 0) + 1;
      return withFault(fault, call, response);
    };
    // An engine that is gone or goes away leaves nothing to answer with.
    answer().catch(() => cut(response));
  });
  // A connection that is closed for being idle, just when it is used again, would be a fault beyond the rules.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  proxy.endpoint = `http://127.0.0.1:${port}`;
  return proxy;
}
