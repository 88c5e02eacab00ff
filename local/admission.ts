import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../shared/http/log.ts';

/** Number of connections that are served. Less than the usual limit of 1,024 open files of a process. */
export const MAX_CONNECTIONS = 512;

/** Number of connections above that, whose requests are refused with a reply: readiness checks learn the reason. */
const MAX_REFUSED = 64;

/** Number of requests of one address that may be incomplete for longer than GRACE_MS. */
export const MAX_UNFINISHED = 64;

/** A client on a good network sends a request in less, also when it opens hundreds of connections at once. */
const GRACE_MS = 2000;

const CHECK_MS = 1000;

interface Connection {
  raw: Socket;
  address: string;
  /** Undefined before the end of the TLS handshake. */
  tls?: TLSSocket;
  /** The last request whose headers have arrived. */
  request?: IncomingMessage;
  response?: ServerResponse;
  /** The bytes read when the connection was last seen between two requests. */
  idleBytes?: number;
  /** Since when the server has waited for the rest of a request, by the monotonic clock; undefined: it does not wait. */
  waitsSince: number | undefined;
}

const endpointOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/** Whether the server waits for the rest of a request: of the first one also before its first byte. */
function isUnfinished(connection: Connection): boolean {
  const { tls, request, response } = connection;
  if (tls === undefined || request === undefined) return true;
  if (!request.complete) return true;
  if (response?.closed !== true) return false;
  connection.idleBytes ??= tls.bytesRead;
  return tls.bytesRead > connection.idleBytes;
}

/**
 * Admits connections: at most MAX_CONNECTIONS are served, and of one address at most MAX_UNFINISHED may be without a
 * complete request for longer than GRACE_MS. A connection counts from the first packet, also without a TLS handshake.
 */
export class Admission {
  /** The number of connections and requests that were refused. */
  refused = 0;
  private readonly open = new Map<string, Connection>();
  private readonly log: Log;
  private readonly now: () => number;
  private isFull = false;

  /** @param now milliseconds of a monotonic clock. */
  constructor(server: Server, log: Log, now: () => number = () => performance.now()) {
    this.log = log;
    this.now = now;
    server.maxConnections = MAX_CONNECTIONS + MAX_REFUSED;
    // Node passes the socket of TCP here, although the type says less.
    server.on('connection', (raw) => {
      if (raw instanceof Socket) this.add(raw);
    });
    server.on('secureConnection', (tls) => {
      const connection = this.open.get(endpointOf(tls));
      if (connection !== undefined) connection.tls = tls;
    });
    server.on('drop', () => {
      this.refused += 1;
      this.noteFull();
    });
    const timer = setInterval(() => this.check(), CHECK_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Whether more connections are open than are served. */
  isExhausted(): boolean {
    return this.open.size > MAX_CONNECTIONS;
  }

  /** Registers a request whose headers have arrived. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.open.get(endpointOf(request.socket));
    if (connection !== undefined) Object.assign(connection, { request, response, idleBytes: undefined });
  }

  private add(raw: Socket): void {
    const name = endpointOf(raw);
    this.open.set(name, { raw, address: raw.remoteAddress ?? '', waitsSince: this.now() });
    raw.once('close', () => this.open.delete(name));
    if (this.isExhausted()) this.noteFull();
  }

  private noteFull(): void {
    if (this.isFull) return;
    this.isFull = true;
    this.log({
      level: 'error',
      message: 'all connections are in use; further requests are refused with 503',
      connections: MAX_CONNECTIONS,
    });
  }

  /** Closes the connections of an address beyond MAX_UNFINISHED that wait, the latest first. */
  private check(): void {
    const now = this.now();
    const waiting = new Map<string, Connection[]>();
    for (const connection of this.open.values()) {
      connection.waitsSince = isUnfinished(connection) ? (connection.waitsSince ?? now) : undefined;
      if (connection.waitsSince === undefined || now - connection.waitsSince < GRACE_MS) continue;
      waiting.set(connection.address, [...(waiting.get(connection.address) ?? []), connection]);
    }
    for (const [address, connections] of waiting) {
      const excess = connections.slice(MAX_UNFINISHED);
      if (excess.length === 0) continue;
      for (const { raw } of excess) raw.destroy();
      this.refused += excess.length;
      this.log({
        level: 'error',
        message: 'connections with unfinished requests were closed: one address had too many',
        fault: 'unfinished_requests',
        address,
        closed: excess.length,
      });
    }
    if (this.open.size < MAX_CONNECTIONS) this.isFull = false;
  }
}
