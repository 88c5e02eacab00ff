import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex } from 'node:stream';

/** How long a connection without a request may still bring one while the server stops: clients that are busy are answered. */
const IDLE_MS = 1000;

/** How long a client may take to close its side, so that its last reply is not lost by a reset. */
const LINGER_MS = 500;

/** After this the timer holds nobody up: the process may end. */
const pause = (milliseconds: number) => delay(milliseconds, undefined, { ref: false });

const closed = async (what: Duplex | ServerResponse) => {
  if (!what.closed) await once(what, 'close').catch(() => undefined);
};

interface Connection {
  /** Of requests that are not answered yet, in order. */
  responses: Set<ServerResponse>;
  /** Aborted when nothing more can be read: its reason is the answer to a request whose body is cut off. */
  broken: AbortController;
}

/** The open connections of a server, and the requests on each that are not answered yet. */
export class Connections {
  private readonly open = new Map<Duplex, Connection>();
  private readonly server: Server;
  private isStopping = false;

  constructor(server: Server) {
    this.server = server;
    server.on('secureConnection', (socket) => {
      this.open.set(socket, { responses: new Set(), broken: new AbortController() });
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /**
   * Notes a request that has come; its reply must be announced by `beforeReply`.
   *
   * @returns aborted when the rest of its body cannot be read.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
    const connection = this.open.get(socket);
    connection?.responses.add(response);
    response.once('close', () => connection?.responses.delete(response));
    return connection?.broken.signal ?? AbortSignal.abort();
  }

  /** Says in the last reply on a connection that it ends, when the server stops or nothing more can be read from it. */
  beforeReply({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.open.get(socket);
    const isLast = [...(connection?.responses ?? [])].at(-1) === response;
    const ends = this.isStopping || connection?.broken.signal.aborted === true;
    if (ends && isLast) response.setHeader('Connection', 'close');
  }

  /** Nothing more can be read from the connection. Resolves to whether that is new, once its requests are answered. */
  async breakOff(socket: Duplex, reason: Error): Promise<boolean> {
    const broken = this.open.get(socket)?.broken;
    const isNew = broken?.signal.aborted === false;
    broken?.abort(reason);
    await this.answered(socket);
    return isNew;
  }

  /** Resolves when no request on the connection waits for its reply. */
  private async answered(socket: Duplex): Promise<void> {
    const responses = this.open.get(socket)?.responses ?? new Set();
    while (responses.size > 0) await Promise.all([...responses].map(closed));
  }

  /** Takes no new connections, answers the requests that have come, and closes what is open: all within so many milliseconds. */
  async stop(milliseconds: number): Promise<void> {
    this.isStopping = true;
    // Not the close of the HTTPS server, which also ends connections that have just become idle, between two requests.
    TcpServer.prototype.close.call(this.server);
    await Promise.race([Promise.all([...this.open.keys()].map((socket) => this.finish(socket))), pause(milliseconds)]);
    this.server.closeAllConnections();
  }

  private async finish(socket: Duplex): Promise<void> {
    if (this.open.get(socket)?.responses.size === 0) await Promise.race([closed(socket), pause(IDLE_MS)]);
    await this.answered(socket);
    socket.end();
    await Promise.race([closed(socket), pause(LINGER_MS)]);
  }
}
