import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { codes } from '../protocol/enumerations.ts';
import { connectPaths } from '../protocol/generation.ts';
import { AgentStream, refuseStream } from './agent-stream.ts';

const MAX_HEADER_BYTES = 10_240;

/** Streams at once on a connection: that of the agent, and calls that are refused. */
const MAX_STREAMS = 8;

/** Streams on a connection in its whole life. */
const MAX_CALLS = 100;

/** Time until the stream of an agent process must have begun. */
const FIRST_STREAM_MS = 5000;

/**
 * Connections whose agents are not admitted yet. After a restart all agents return at once, and each gives up after 5 s:
 * work for more of them would be work for nobody.
 */
const MAX_PENDING = 200;

/**
 * The backlog of the listener. In a longer queue, connections of agents that have given up wait before those of agents that
 * have not.
 */
export const LISTEN_BACKLOG = 128;

/** A connection without a stream for so long can lose its place to a new one. */
const SILENT_MS = 500;

/** How long streams may take to end when the gateway stops. */
const DRAIN_MS = 1000;

const sessionOptions = {
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 50,
  maxSessionMemory: 2,
  maxHeaderListPairs: 64,
  settings: {
    enablePush: false,
    maxConcurrentStreams: MAX_STREAMS,
    maxHeaderListSize: MAX_HEADER_BYTES,
    headerTableSize: 4096,
  },
};

/** Whether a call is one of gRPC, without its other rules. */
const isGrpc = (headers: IncomingHttpHeaders & { ':method'?: string | undefined }) =>
  headers[':method'] === 'POST' && headers['content-type']?.startsWith('application/grpc') === true;

/** The HTTP/2 connections of agent processes: each may have one stream of an agent. */
export class AgentConnections {
  readonly #open = new Set<ServerHttp2Session>();
  /** Those that are not admitted yet, in their order: since when they wait for their stream; undefined: it has begun. */
  readonly #pending = new Map<ServerHttp2Session, number | undefined>();
  readonly #onStream: (stream: AgentStream) => void;
  readonly #max: () => number;
  readonly #monotonic: MonotonicClock;

  /** @param max connections at once, which may depend on others. Further ones are closed. */
  constructor(max: number | (() => number), onStream: (stream: AgentStream) => void, monotonic: MonotonicClock) {
    this.#max = typeof max === 'number' ? () => max : max;
    this.#monotonic = monotonic;
    this.#onStream = onStream;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Connections that were closed before their first byte was read, because too many were waiting. */
  dropped = 0;

  #hasRoom(): boolean {
    if (this.#open.size >= this.#max()) return false;
    if (this.#pending.size < MAX_PENDING) return true;
    // Agents send their call with the connection. Clients that send nothing do not keep them out.
    for (const [session, since] of this.#pending)
      if (since !== undefined) {
        if (this.#monotonic.now() - since < SILENT_MS) return false;
        this.#pending.delete(session);
        session.destroy();
        return true;
      }
    return false;
  }

  /** Serves a socket of HTTP/2. Without room for it, it is closed at once. @param source the address of the client. */
  serve(socket: Socket, source = socket.remoteAddress ?? ''): void {
    if (!this.#hasRoom()) {
      this.dropped += 1;
      socket.destroy();
      return;
    }
    const session = performServerHandshake(socket, sessionOptions);
    this.#open.add(session);
    this.#pending.set(session, this.#monotonic.now());
    // The server keeps half-open connections for HTTP/1.1. Here the end of the client's side is the end of its stream.
    socket.once('end', () => session.destroy());
    const cancelLate = this.#monotonic.after(FIRST_STREAM_MS, () => session.destroy(), { ref: false });
    // A client that breaks the rules of HTTP/2 loses its connection, and nothing else happens.
    session.on('error', () => session.destroy());
    session.once('close', () => {
      cancelLate();
      this.#open.delete(session);
      this.#pending.delete(session);
    });
    this.#watch(session, source, () => {
      cancelLate();
      this.#pending.set(session, undefined);
    });
  }

  #watch(session: ServerHttp2Session, source: string, begun: () => void): void {
    let calls = 0;
    let agent: ServerHttp2Stream | undefined;
    session.on('stream', (stream, headers) => {
      stream.on('error', () => stream.destroy());
      calls += 1;
      if (calls > MAX_CALLS) {
        session.destroy();
        return;
      }
      if (!isGrpc(headers) || !connectPaths.has(headers[':path'] ?? ''))
        refuseStream(this.#monotonic, stream, codes.unimplemented, 'This server does not know the method.');
      else if (agent !== undefined)
        refuseStream(this.#monotonic, stream, codes.tooMuch, 'This connection has a stream already.');
      else {
        begun();
        agent = stream;
        stream.once('close', () => session.close());
        const onAccept = () => this.#pending.delete(session);
        this.#onStream(new AgentStream(stream, { headers, source, onAccept, monotonic: this.#monotonic }));
      }
    });
  }

  /** Closes all connections, after the ends of their streams were sent. */
  async close(): Promise<void> {
    const closing = [...this.#open].map(
      (session) =>
        new Promise<void>((resolve) => {
          session.close(resolve);
          this.#monotonic.after(DRAIN_MS, () => {
            session.destroy();
            resolve();
          });
        }),
    );
    await Promise.all(closing);
  }
}
