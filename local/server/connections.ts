import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ClockSource, pause } from '../../shared/core/monotonic-clock.ts';
import { isHttp2 } from './http2.ts';

/**
 * How long a connection without a request may still send one while the server stops, so that busy clients get replies.
 */
const IDLE_MS = 1000;

/** How long a client may take to close its side, so that a reset does not destroy its last reply. */
const LINGER_MS = 500;

const closed = async (what: Duplex | ServerResponse) => {
  if (!what.closed) await once(what, 'close').catch(() => undefined);
};

interface Connection {
  /** The requests without a reply so far, in order. */
  responses: Set<ServerResponse>;
  /**
   * Aborted when the connection cannot be read any more. Its reason is the reply to a request with an incomplete body.
   */
  broken: AbortController;
}

/** The open connections of a server, with the requests on each that have no reply yet. */
export class Connections {
  private readonly open = new Map<Duplex, Connection>();
  private readonly server: Server;
  private readonly timed: ClockSource;
  private isStopping = false;

  constructor(server: Server, timed: ClockSource) {
    this.server = server;
    this.timed = timed;
    server.on('secureConnection', (socket) => {
      // Its streams end otherwise.
      if (isHttp2(socket)) return;
      this.open.set(socket, { responses: new Set(), broken: new AbortController() });
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** The timer does not keep the process alive. */
  private pause(milliseconds: number): Promise<void> {
    return pause(this.timed, milliseconds, { ref: false });
  }

  /** Whether the connection is open and its TLS handshake has ended. */
  has(socket: Duplex): boolean {
    return this.open.has(socket);
  }

  /**
   * Registers a request; `beforeReply` must be called before its reply.
   *
   * @returns a signal that is aborted when the rest of its body cannot be read.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
    const connection = this.open.get(socket);
    connection?.responses.add(response);
    response.once('close', () => connection?.responses.delete(response));
    return connection?.broken.signal ?? AbortSignal.abort();
  }

  /**
   * Adds `Connection: close` to the last reply on a connection when the server stops or the connection cannot be read.
   */
  beforeReply({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.open.get(socket);
    const isLast = [...(connection?.responses ?? [])].at(-1) === response;
    const ends = this.isStopping || connection?.broken.signal.aborted === true;
    if (ends && isLast) response.setHeader('Connection', 'close');
  }

  /** Marks a connection as unreadable. Resolves after its requests have replies, to whether it was readable before. */
  async breakOff(socket: Duplex, reason: Error): Promise<boolean> {
    const broken = this.open.get(socket)?.broken;
    const isNew = broken?.signal.aborted === false;
    broken?.abort(reason);
    await this.answered(socket);
    return isNew;
  }

  /** Resolves when no request on the connection is without a reply. */
  private async answered(socket: Duplex): Promise<void> {
    const responses = this.open.get(socket)?.responses ?? new Set();
    while (responses.size > 0) await Promise.all([...responses].map(closed));
  }

  /** Accepts no new connections, replies to received requests, and closes all connections within `milliseconds`. */
  async stop(milliseconds: number): Promise<void> {
    this.isStopping = true;
    // Not the `close` of the HTTPS server, which also ends connections that are idle for a moment between two requests.
    TcpServer.prototype.close.call(this.server);
    await Promise.race([
      Promise.all([...this.open.keys()].map((socket) => this.finish(socket))),
      this.pause(milliseconds),
    ]);
    this.server.closeAllConnections();
  }

  private async finish(socket: Duplex): Promise<void> {
    if (this.open.get(socket)?.responses.size === 0) await Promise.race([closed(socket), this.pause(IDLE_MS)]);
    await this.answered(socket);
    socket.end();
    await Promise.race([closed(socket), this.pause(LINGER_MS)]);
  }
}
