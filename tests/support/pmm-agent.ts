import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { bytesIn, decode, encode, numberIn, textIn, type WireField } from './protobuf.ts';

export interface AgentOptions {
  port: number;
  generation: 2 | 3;
  /** As the header contains it. */
  id: string;
  /** The header `authorization`; undefined: none. */
  authorization?: string | undefined;
  version?: string;
  path?: string;
  /** Without TLS, as behind a balancer that terminates it. */
  plain?: true;
  /** The name of the server, and the certificates that are trusted; undefined: every one. Default: this machine. */
  server?: { host: string; ca: Buffer | undefined };
  /** Types of exporters that end at once, by their number. */
  failing?: readonly number[];
  /** Types of exporters that never finish their start. */
  slow?: readonly number[];
  /**
   * Starts an exporter, says its statuses, and calls `giveUp` when the next state that has the exporter is to start it again.
   * Default: every exporter runs, without a process.
   *
   * @returns what stops it.
   */
  run?: (exporter: ExporterProcess, say: SayStatus, giveUp: () => void) => () => void;
}

/** `failed`: it could not be started, or ended at once. */
export type SayStatus = (status: keyof typeof STATUS, version?: string) => void;

export interface ExporterProcess {
  type: number;
  args: string[];
  env: string[];
  /** The bytes of its message. */
  request: string;
  port: number;
  stop?: () => void;
}

const STATUS = { starting: 1, running: 2, waiting: 3, stopping: 4, done: 5, failed: 7 } as const;

/** A payload's field in messages from the agent, and from the server. */
const AGENT = { ping: 2, stateChanged: 3, pong: 8, setState: 9 } as const;
const SERVER = { pong: 2, stateChanged: 3, ping: 8, setState: 9 } as const;

let nextPort = 42_000;

/** A template of Go with the value `listen_port`; any other action fails, as a missing key does. */
function render(text: string, left: string, right: string): string {
  let rendered = '';
  for (let rest = text; ;) {
    const begin = rest.indexOf(left);
    if (begin === -1) return rendered + rest;
    const end = rest.indexOf(right, begin + left.length);
    if (end === -1) throw new Error('unclosed action');
    if (rest.slice(begin + left.length, end).trim() !== '.listen_port') throw new Error('unknown key');
    rendered += `${rest.slice(0, begin)}${nextPort}`;
    rest = rest.slice(end + right.length);
  }
}

/** The exporter that a message of `set_state` describes. @throws Error for a template that fails. */
export function exporterIn(message: Buffer): ExporterProcess {
  nextPort += 1;
  const [left, right] = [textIn(message, 2), textIn(message, 3)];
  const texts = (field: number) => bytesIn(message, field).map((text) => render(text.toString(), left, right));
  const [args, env] = [texts(4), texts(5)];
  return { type: numberIn(message, 1), args, env, request: message.toString('base64'), port: nextPort };
}

/** The agents in a message of `set_state`, by id. */
export const processesIn = (message: Buffer): Map<string, Buffer> =>
  new Map(bytesIn(message, 1).map((entry) => [textIn(entry, 1), bytesIn(entry, 2)[0]!]));

/**
 * A model of pmm-agent of both generations: the framing, the ids, the order of messages, and what it does with agents
 * that appear, change and disappear.
 */
export class PmmAgent {
  readonly exporters = new Map<string, ExporterProcess>();
  /** The states that it was told, as bytes. */
  readonly states: Buffer[] = [];
  headers: Record<string, string | string[] | number | boolean | undefined> = {};
  /** After the first pong. */
  readonly connected: Promise<void>;
  /** Whether the gateway has said its end of the stream: the agent has its trailers. */
  isToldEnd = false;
  /** The end of the stream: the code of gRPC (-1: none), and its words. */
  readonly ended: Promise<{ code: number; message: string }>;
  /** Whether it answers pings. */
  answersPings = true;
  /** Seconds since 1970 in the last pong. */
  serverSeconds = 0;
  /** Replies with a status in place of a payload. */
  unknownReplies = 0;
  readonly #options: AgentOptions;
  readonly #session: ClientHttp2Session;
  readonly #stream: ClientHttp2Stream;
  readonly #replies = new Map<number, () => void>();
  #buffer = Buffer.alloc(0);
  #lastId = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: AgentOptions) {
    this.#options = options;
    const { port, generation, id, authorization, version = generation === 2 ? '2.16.0' : '3.4.1' } = options;
    const { host, ca } = options.server ?? { host: '127.0.0.1', ca: undefined };
    this.#session =
      options.plain === true
        ? connect(`http://127.0.0.1:${port}`)
        : connect(`https://${host}:${port}`, { ca, rejectUnauthorized: ca !== undefined, ALPNProtocols: ['h2'] });
    this.#session.on('error', () => undefined);
    this.#stream = this.#session.request({
      ':method': 'POST',
      ':path': options.path ?? (generation === 2 ? '/agent.Agent/Connect' : '/agent.v1.AgentService/Connect'),
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': `pmm-agent/${version}`,
      'pmm-agent-id': id,
      'pmm-agent-version': version,
      ...(authorization === undefined ? {} : { authorization }),
    });
    this.ended = this.#watchEnd();
    this.#stream.on('data', (chunk: Buffer) => this.#read(chunk));
    this.connected = this.#request([AGENT.ping, Buffer.alloc(0)]);
  }

  #watchEnd(): Promise<{ code: number; message: string }> {
    let end: Record<string, string | string[] | number | boolean | undefined> = {};
    this.#stream.on('error', () => undefined);
    this.#stream.on('response', (headers) => {
      this.headers = headers;
      if (headers['grpc-status'] !== undefined) end = headers;
    });
    this.#stream.on('trailers', (headers) => {
      end = headers;
      this.isToldEnd = true;
    });
    return new Promise((resolve) => {
      this.#stream.once('close', () => {
        this.#session.destroy();
        const message = decodeURIComponent(String(end['grpc-message'] ?? ''));
        resolve({ code: Number(end['grpc-status'] ?? -1), message });
      });
    });
  }

  /** Writes bytes as they are. */
  writeRaw(bytes: Buffer): void {
    if (!this.#stream.destroyed) this.#stream.write(bytes);
  }

  write(message: Buffer): void {
    const header = Buffer.alloc(5);
    header.writeUInt32BE(message.length, 1);
    this.writeRaw(Buffer.concat([header, message]));
  }

  /** Sends a request with the next id. Resolves with its reply. */
  #request(payload: WireField): Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = new Promise<void>((resolve) => this.#replies.set(id, resolve));
    this.write(encode([[1, id], payload]));
    return reply;
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 5) {
      const length = this.#buffer.readUInt32BE(1);
      if (this.#buffer.length < 5 + length) return;
      const message = this.#buffer.subarray(5, 5 + length);
      this.#buffer = this.#buffer.subarray(5 + length);
      this.#receive(message);
    }
  }

  #receive(message: Buffer): void {
    const fields = decode(message);
    const id = numberIn(message, 1);
    const [payload, value] = fields.find(([number]) => number !== 1) ?? [0, 0];
    if (payload === SERVER.ping) {
      if (this.answersPings)
        this.write(
          encode([
            [1, id],
            [AGENT.pong, encode([[1, encode([[1, 1_700_000_000]])]])],
          ]),
        );
    } else if (payload === SERVER.setState && typeof value !== 'number') {
      this.write(
        encode([
          [1, id],
          [AGENT.setState, Buffer.alloc(0)],
        ]),
      );
      this.#apply(value);
    } else if (
      payload === SERVER.pong ||
      payload === SERVER.stateChanged ||
      payload === 4 ||
      payload === 5 ||
      payload === 2047
    ) {
      if (payload === SERVER.pong && typeof value !== 'number')
        this.serverSeconds = numberIn(bytesIn(value, 1)[0] ?? Buffer.alloc(0), 1);
      if (payload === 2047) this.unknownReplies += 1;
      const reply = this.#replies.get(id);
      this.#replies.delete(id);
      // It closes the stream on a reply to a request that it did not send.
      if (reply === undefined) this.close();
      else reply();
    } else if (this.#options.generation === 2) this.close();
    else
      this.write(
        encode([
          [1, id],
          [
            2047,
            encode([
              [1, 12],
              [2, 'unknown payload'],
            ]),
          ],
        ]),
      );
  }

  /** The map is the whole truth: what is missing is stopped, what differs is restarted, equal entries run on. */
  #apply(state: Buffer): void {
    this.states.push(state);
    const wanted = processesIn(state);
    for (const [id, exporter] of this.exporters)
      if (wanted.get(id)?.toString('base64') !== exporter.request) {
        this.exporters.delete(id);
        exporter.stop?.();
        void this.say(id, 'stopping');
        void this.say(id, 'done');
      }
    for (const [id, message] of wanted) if (!this.exporters.has(id)) this.#start(id, message);
  }

  #start(id: string, message: Buffer): void {
    try {
      const exporter = exporterIn(message);
      this.exporters.set(id, exporter);
      const { run } = this.#options;
      if (run !== undefined) {
        const say: SayStatus = (status, version) => void this.say(id, status, exporter.port, version);
        exporter.stop = run(exporter, say, () => this.exporters.delete(id));
        return;
      }
      void this.say(id, 'starting', exporter.port);
      if (this.#options.slow?.includes(exporter.type) === true) return;
      void this.say(id, this.#options.failing?.includes(exporter.type) === true ? 'waiting' : 'running', exporter.port);
    } catch {
      // A template that fails is not started, and nothing is said about it.
    }
  }

  /** Reports a status. Each must be answered before the next one is sent. */
  say(id: string, status: keyof typeof STATUS, port = 0, version = ''): Promise<unknown> {
    const fields: WireField[] = [
      [1, id],
      [2, STATUS[status]],
      [3, port],
      [5, version],
    ];
    this.#queue = this.#queue.then(() => this.#request([AGENT.stateChanged, encode(fields)]));
    return this.#queue;
  }

  /** Sends a payload that is none of this model's, with an id of its own. Resolves with the reply. */
  ask(field: number, value: Buffer = Buffer.alloc(0)): Promise<void> {
    return this.#request([field, value]);
  }

  /** Sends a reply to a request that the server did not send. */
  answerUnasked(): void {
    this.write(
      encode([
        [1, 4_000_000],
        [AGENT.pong, Buffer.alloc(0)],
      ]),
    );
  }

  /** Stops reading. */
  pause(): void {
    this.#stream.pause();
  }

  /** The process is killed: its connection ends at once. */
  close(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#session.destroy();
  }
}
