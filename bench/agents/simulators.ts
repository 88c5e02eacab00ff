import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import * as z from 'zod/mini';
import { simulatorQuestion, simulatorSettings, type SimulatorSettings } from './messages.ts';

// Simulated agent processes, each with a connection of its own: frames of HTTP/2 by hand, so that thousands of them fit into
// one process. They connect, answer pings and states, and return as pmm-agent does.

/** The time limit of pmm-agent for dial and first pong, and its back-off: first pause, factor, longest, and jitter. */
const GIVE_UP_MS = 5000;
const BACK_OFF = { firstMs: 1000, factor: 1.5, mostMs: 15_000, jitter: 0.25 };

/** Connections of one source address, so that ports suffice. */
const PER_ADDRESS = 250;

const FRAME = { data: 0, headers: 1, settings: 4, ping: 6 } as const;
const ACK = 1;
const END_STREAM = 1;
const END_HEADERS = 4;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header as a literal without indexing. */
function literal([name, value]: readonly [string, string]): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** An API key with the form of real ones, which no inventory has. */
const AUTHORIZATION = `Bearer ${'x'.repeat(60)}`;

function request(id: string): Buffer {
  const headers = [
    [':method', 'POST'],
    [':scheme', 'https'],
    [':authority', 'agents.example.com'],
    [':path', '/agent.v1.AgentService/Connect'],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ['user-agent', 'pmm-agent/3.4.1'],
    ['authorization', AUTHORIZATION],
    ['pmm-agent-id', id],
    ['pmm-agent-version', '3.4.1'],
  ] as const;
  return frame(FRAME.headers, END_HEADERS, 1, Buffer.concat(headers.map(literal)));
}

/** A frame with a message of gRPC. */
function message(...bytes: number[]): Buffer {
  return frame(FRAME.data, 0, 1, Buffer.from([0, 0, 0, 0, bytes.length, ...bytes]));
}

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);

const counts = { connected: 0, attempts: 0, losses: 0, pings: 0 };

/** Since the ports were changed: the gaps between two streams of an agent, and the streams that each agent lost. */
const gaps: number[] = [];
const lossesOf = new Map<string, number>();

let ports: readonly number[] = [];
let connections = 0;

/** One agent process: connects until the benchmark ends. */
class SimulatedAgent {
  readonly #id: string;
  readonly #settings: SimulatorSettings;
  readonly #localAddress: string;
  #socket: Socket | undefined;
  #pauseMs: number = BACK_OFF.firstMs;
  #buffer: Buffer = Buffer.alloc(0);
  #isConnected = false;
  #lostAt: number | undefined;

  constructor(index: number, settings: SimulatorSettings) {
    this.#id = `agent-${index}`;
    this.#settings = settings;
    this.#localAddress = `127.0.1.${1 + Math.floor(index / PER_ADDRESS)}`;
  }

  connect(): void {
    counts.attempts += 1;
    const { isTls } = this.#settings;
    connections += 1;
    const port = ports[connections % ports.length] ?? 0;
    const to = { host: '127.0.0.1', port, localAddress: this.#localAddress };
    const socket = isTls ? connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: ['h2'] }) : connect(to);
    this.#socket = socket;
    this.#buffer = Buffer.alloc(0);
    const late = setTimeout(() => socket.destroy(), GIVE_UP_MS);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#read(chunk);
      if (this.#isConnected) clearTimeout(late);
    });
    socket.once('close', () => {
      clearTimeout(late);
      this.#return();
    });
    // The first message follows the headers without waiting.
    socket.write(Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0, Buffer.alloc(0)), request(this.#id)]));
    socket.write(message(0x08, 1, 0x12, 0));
  }

  #return(): void {
    if (this.#isConnected) {
      this.#isConnected = false;
      counts.connected -= 1;
      counts.losses += 1;
      lossesOf.set(this.#id, (lossesOf.get(this.#id) ?? 0) + 1);
      this.#lostAt = performance.now();
      this.#pauseMs = BACK_OFF.firstMs;
      // At once, as pmm-agent does after an established stream.
      setImmediate(() => this.connect());
      return;
    }
    const { factor, mostMs, jitter } = BACK_OFF;
    setTimeout(() => this.connect(), this.#pauseMs * (1 + jitter * (2 * Math.random() - 1)));
    this.#pauseMs = Math.min(mostMs, this.#pauseMs * factor);
  }

  #read(chunk: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 9) {
      const end = 9 + this.#buffer.readUIntBE(0, 3);
      if (this.#buffer.length < end) return;
      const [type = 0, flags = 0] = [this.#buffer[3], this.#buffer[4]];
      const payload = this.#buffer.subarray(9, end);
      this.#buffer = this.#buffer.subarray(end);
      this.#take(type, flags, payload);
    }
  }

  #take(type: number, flags: number, payload: Buffer): void {
    if (type === FRAME.settings && (flags & ACK) === 0)
      this.#socket?.write(frame(FRAME.settings, ACK, 0, Buffer.alloc(0)));
    else if (type === FRAME.ping && (flags & ACK) === 0) this.#socket?.write(frame(FRAME.ping, ACK, 0, payload));
    else if (type === FRAME.headers && (flags & END_STREAM) !== 0) this.#socket?.destroy();
    else if (type === FRAME.data) for (const message of messagesIn(payload)) this.#answer(message);
  }

  /** @param one begins with the id; the tag of the payload follows. */
  #answer(payload: Buffer): void {
    let at = 1;
    while ((payload[at] ?? 0) >= 128) at += 1;
    const id = payload.subarray(0, at + 1);
    const tag = payload[at + 1];
    if (tag === 0x12 && !this.#isConnected) {
      this.#isConnected = true;
      counts.connected += 1;
      if (this.#lostAt !== undefined) gaps.push(performance.now() - this.#lostAt);
      this.#lostAt = undefined;
    } else if (tag === 0x42) {
      counts.pings += 1;
      this.#socket?.write(message(...id, 0x42, 0));
    } else if (tag === 0x4a) this.#start(id);
  }

  /** Accepts a state, and reports that an exporter runs. */
  #start(id: Buffer): void {
    const exporter = Buffer.from(`${this.#id}-1`);
    const change = [0x0a, exporter.length, ...exporter, 0x10, 2];
    this.#socket?.write(message(...id, 0x4a, 0));
    this.#socket?.write(message(0x08, ...varint(2), 0x1a, change.length, ...change));
  }
}

/** The messages in a frame. The gateway of the benchmark sends each in one frame. */
function* messagesIn(payload: Buffer): Generator<Buffer> {
  for (let at = 0; at + 5 <= payload.length;) {
    const end = at + 5 + payload.readUInt32BE(at + 1);
    yield payload.subarray(at + 5, end);
    at = end;
  }
}

process.once('disconnect', () => process.exit());
const text: unknown = (await once(process, 'message'))[0];
const settings = z.parse(simulatorSettings, text);
({ ports } = settings);
for (let index = 0; index < settings.agents; index += 1)
  setTimeout(() => new SimulatedAgent(index, settings).connect(), (index * 1000) / settings.perSecond);
process.on('message', (question: unknown) => {
  const { ports: changed } = z.parse(simulatorQuestion, question);
  if (changed !== undefined) {
    ports = changed;
    gaps.length = 0;
    lossesOf.clear();
  }
  const sorted = gaps.toSorted((left, right) => left - right);
  const gapMs = sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0;
  process.send?.({ ...counts, gapMs, mostLosses: Math.max(0, ...lossesOf.values()) });
});
process.send?.({});
