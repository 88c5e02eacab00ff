import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import type { WebSocket } from 'ws';
import { facade, OPAMP_PATH } from '../../functions/opamp/exchange/contract.ts';
import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { isRank, roleAllows, roles } from '../../shared/auth/roles.ts';
import { ApiError } from '../../shared/core/errors.ts';
import type { Log } from '../../shared/core/log.ts';
import { every, type MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { errorReply } from '../../shared/http/error-reply.ts';
import { AdmissionGate } from '../relay/admission.ts';
import type { Credential, Send } from '../relay/inventory.ts';
import { endEvenly } from '../streams/end-evenly.ts';
import { PingWheel } from '../streams/ping-wheel.ts';
import type { Forward } from './forward.ts';
import { closeCodes, OpampSession } from './opamp-session.ts';

/** The largest message: an agent may report its configuration, which is not passed on. */
const MAX_MESSAGE_BYTES = 5 * 1024 * 1024;

/** Bytes that wait for a slow reader before its connection is closed. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** Checks of credentials at once: each is a request of its own. */
const MAX_ADMISSIONS = 10;

/** Time until the first message. */
const FIRST_MESSAGE_MS = 10_000;

/** One turn of pings, and pings without an answer after which a connection is closed. */
const PING_MS = 30_000;
const MAX_MISSED = 3;

/** Interval in which heartbeats are looked for, and heartbeats that begin in one: after an outage all are due. */
const TICK_MS = 1000;
const BEATS_PER_TICK = 100;

/** How long an agent may be without a connection before it counts as not connected. */
const RETURN_MS = 15_000;

/** The pause that refused agents wait at least, at random. */
const RETRY_SECONDS = { least: 5, most: 15 };

/** How long a client may take to read a refusal, or to close its side. */
const LINGER_MS = 1000;

/** Whether a request wants a WebSocket of OpAMP. Any other request to upgrade is a request as if it did not want to. */
export const wantsOpamp = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && url.split('?', 1)[0] === OPAMP_PATH && headers.upgrade?.toLowerCase() === 'websocket';

/** The refusal of a connection, as the reply to its request. */
interface UpgradeRefusal {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const refusalBy = (error: ApiError): UpgradeRefusal => {
  const { statusCode, headers, body } = errorReply(error, randomUUID());
  return { statusCode, headers, body };
};

function busy(): UpgradeRefusal {
  const { least, most } = RETRY_SECONDS;
  const headers = { 'Retry-After': String(least + Math.floor((most - least + 1) * Math.random())) };
  return refusalBy(new ApiError('unavailable', 'Too many agents connect at this time. Try again.', { headers }));
}

/** Replies to the request of a connection that is not served. */
function refuse(monotonic: MonotonicClock, socket: Duplex, { statusCode, headers, body }: UpgradeRefusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  if (socket.writable)
    socket.end(`HTTP/1.1 ${statusCode} \r\n${lines.join('')}${length}Connection: close\r\n\r\n${body}`);
  monotonic.after(LINGER_MS, () => socket.destroy(), { ref: false });
}

const callerSchema = z.object({ role: z.enum(roles) });

interface OpampSocketsOptions {
  /** Connections at once. */
  max: () => number;
  send: Send;
  forward: Forward;
  log: Log;
  monotonic: MonotonicClock;
}

interface Connection {
  session: OpampSession;
  websocket: WebSocket;
  credential: Credential;
  missed: number;
}

interface LostAgent {
  /** The message that reports it. */
  message: Uint8Array;
  credential: Credential;
  dueAt: number;
}

/** Holds the WebSockets of agents that speak OpAMP. An open connection is the sign of life of a silent agent. */
export class OpampSockets {
  readonly #options: OpampSocketsOptions;
  readonly #open = new Set<Connection>();
  /** Agents whose connections have ended, in this order, until they return or count as not connected. */
  readonly #lost = new Map<string, LostAgent>();
  readonly #gate: AdmissionGate;
  readonly #wheel: PingWheel<Connection>;
  readonly #endTicks: () => void;
  #isStopped = false;
  #refused = 0;

  constructor(options: OpampSocketsOptions) {
    this.#options = options;
    const { monotonic } = options;
    this.#gate = new AdmissionGate(MAX_ADMISSIONS, monotonic);
    this.#wheel = new PingWheel(monotonic, PING_MS, (connection) => this.#ping(connection));
    this.#endTicks = every(monotonic, TICK_MS, () => this.#tick(), { ref: false });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Connections that were refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** Serves a request for which `wantsOpamp` is true. @param source the address of the client. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, source: string): Promise<void> {
    const closed = new AbortController();
    socket.on('error', () => socket.destroy()).once('close', () => closed.abort());
    const { authorization = '', origin } = request.headers;
    const credential = { authorization, source };
    const refusal = await this.#refusalOf(credential, origin, closed.signal);
    if (refusal === undefined) await this.#begin(request, socket, head, credential);
    else {
      this.#refused += 1;
      refuse(this.#options.monotonic, socket, refusal);
    }
  }

  /** The reason why an agent may not connect; undefined if it may. */
  async #refusalOf(
    credential: Credential,
    origin: string | undefined,
    closed: AbortSignal,
  ): Promise<UpgradeRefusal | undefined> {
    // Browsers state their origin, and add credentials that they remember. Agents do neither.
    if (origin !== undefined) return refusalBy(new ApiError('permissionDenied', 'Browsers have no access.'));
    if (credential.authorization === '') return refusalBy(new ApiError('unauthenticated', refusalMessages.missing));
    if (this.#isStopped || this.#open.size >= this.#options.max()) return busy();
    try {
      return await this.#gate.run(() => this.#check(credential), closed);
    } catch {
      return busy();
    }
  }

  /** The right to report is the right to connect. */
  async #check(as: Credential): Promise<UpgradeRefusal | undefined> {
    const { status, body } = await this.#options.send({ method: 'GET', path: '/v1/caller', as });
    if (status === 429 || status >= 500) return busy();
    if (status !== 200)
      return { statusCode: status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const { role } = z.parse(callerSchema, body);
    if (role === 'Registrar' || (isRank(facade.role) && roleAllows(role, facade.role))) return undefined;
    return refusalBy(new ApiError('permissionDenied', 'Access denied.'));
  }

  async #begin(request: IncomingMessage, socket: Duplex, head: Buffer, credential: Credential): Promise<void> {
    // With the first agent: a start without one need not load it.
    const { WebSocketServer } = await import('ws');
    const options = {
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      clientTracking: false,
    } as const;
    new WebSocketServer(options).handleUpgrade(request, socket, head, (websocket) =>
      this.#serve(websocket, credential),
    );
  }

  #serve(websocket: WebSocket, credential: Credential): void {
    const { forward, monotonic } = this.#options;
    const close = (code: number, reason: string) => {
      websocket.close(code, reason.slice(0, 100));
      monotonic.after(LINGER_MS, () => websocket.terminate(), { ref: false });
    };
    const wire = {
      send: (frame: Buffer) => {
        websocket.send(frame);
        if (websocket.bufferedAmount > MAX_UNSENT_BYTES) websocket.terminate();
      },
      pause: () => websocket.pause(),
      resume: () => websocket.resume(),
      close,
    };
    const session = new OpampSession({ wire, credential, forward, monotonic });
    const connection: Connection = { session, websocket, credential, missed: 0 };
    this.#open.add(connection);
    this.#wheel.add(connection);
    const endLate = () => {
      if (session.uid === undefined) session.end(closeCodes.refused, 'The first message did not arrive in time.');
    };
    const cancelLate = monotonic.after(FIRST_MESSAGE_MS, endLate, { ref: false });
    websocket.on('message', (data, isBinary) => {
      if (isBinary) session.receive(data);
      else session.end(closeCodes.unsupported, 'Messages are binary.');
    });
    websocket.on('pong', () => (connection.missed = 0));
    // It closes the connection itself, with the code of the error.
    websocket.on('error', () => undefined);
    websocket.once('close', () => {
      cancelLate();
      this.#leave(connection);
    });
    if (this.#isStopped) session.end(closeCodes.goingAway, 'The server stops.');
  }

  #leave(connection: Connection): void {
    const { session, credential } = connection;
    this.#open.delete(connection);
    this.#wheel.remove(connection);
    session.close();
    const { uid, lostMessage } = session;
    this.#options.log({ level: 'info', message: 'an OpAMP agent disconnected', instance_uid: uid });
    if (this.#isStopped || uid === undefined || lostMessage === undefined) return;
    const dueAt = this.#options.monotonic.now() + RETURN_MS;
    // Deleted first, so that the agents stay in the order of their times.
    this.#lost.delete(uid);
    this.#lost.set(uid, { message: lostMessage, credential, dueAt });
  }

  #ping(connection: Connection): void {
    if (connection.missed >= MAX_MISSED) connection.websocket.terminate();
    else {
      connection.missed += 1;
      connection.websocket.ping();
    }
  }

  #tick(): void {
    const due = [...this.#open].filter(({ session }) => session.isDue).slice(0, BEATS_PER_TICK);
    for (const { session } of due) void session.beat();
    this.#reportLost(BEATS_PER_TICK - due.length);
  }

  /** Reports agents that have not returned. The service notices those that are back at another gateway, or under another uid. */
  #reportLost(most: number): void {
    const now = this.#options.monotonic.now();
    const due = [...this.#lost].filter(([, { dueAt }]) => dueAt <= now);
    if (due.length === 0) return;
    const open = new Set(Array.from(this.#open, ({ session }) => session.uid));
    const [back, away] = [due.filter(([uid]) => open.has(uid)), due.filter(([uid]) => !open.has(uid)).slice(0, most)];
    for (const [uid] of [...back, ...away]) this.#lost.delete(uid);
    // Without success the timers of their nodes decide.
    for (const [, { message, credential }] of away)
      void this.#options.forward(message, credential).catch(() => undefined);
  }

  /** Closes all connections, evenly over some milliseconds, and admits no others. */
  async drain(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    this.#lost.clear();
    const sessions = [...this.#open].map(({ session }) => session);
    await endEvenly(this.#options.monotonic, sessions, milliseconds, closeCodes.goingAway, 'The server stops.');
  }

  /** Closes all connections. Agents try again after a pause, so none counts as lost. */
  async stop(): Promise<void> {
    this.#endTicks();
    await this.drain(0);
    const closing = [...this.#open].map(
      ({ websocket }) => new Promise<void>((resolve) => websocket.once('close', () => resolve())),
    );
    await Promise.all(closing);
    this.#wheel.stop();
  }
}
