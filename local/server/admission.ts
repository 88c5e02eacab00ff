import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../../shared/core/log.ts';
import { every, type MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/** Number of connections that are served. Less than the usual limit of 1,024 open files of a process. */
export const MAX_CONNECTIONS = 512;

/** Number of connections above that, whose requests are refused with a reply: readiness checks learn the reason. */
const MAX_REFUSED = 64;

/** Number of these that stay open while they send no request. The oldest gives its place to a new one. */
const MAX_SILENT = 48;

/** Number of requests of one address that may be incomplete for longer than GRACE_MS. */
export const MAX_UNFINISHED = 64;

/** A client on a good network sends a request in less, also when it opens hundreds of connections at once. */
const GRACE_MS = 2000;

/**
 * With more connections there is no grace: a client that opens new connections as fast as its old ones are closed does not
 * take the places of all others.
 */
export const CROWDED = 384;

const CHECK_MS = 1000;

interface Connection {
  raw: Socket;
  address: string;
  /** Opened above MAX_CONNECTIONS: its request is refused. */
  isExtra: boolean;
  /** Undefined before the end of the TLS handshake. */
  tls?: TLSSocket;
  /** Another server reads it: it has no requests. */
  isHandedOver?: boolean;
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
  const { tls, request, response, isHandedOver } = connection;
  if (isHandedOver === true) return false;
  if (tls === undefined || request === undefined) return true;
  if (!request.complete) return true;
  if (response?.closed !== true) return false;
  connection.idleBytes ??= tls.bytesRead;
  return tls.bytesRead > connection.idleBytes;
}

/**
 * Admits connections: at most MAX_CONNECTIONS are served, and of one address at most MAX_UNFINISHED may be without a
 * complete request for longer than GRACE_MS. A connection counts from the first packet, also without a TLS handshake.
 * Connections above the maximum are refused with a reply; those that were open before are served.
 */
export class Admission {
  /** The number of connections and requests that were refused. */
  refused = 0;
  private readonly open = new Map<string, Connection>();
  private readonly log: Log;
  private readonly clock: MonotonicClock;
  /** Connections that were closed because of their address, and not logged so far. */
  private readonly closed = new Map<string, number>();
  private isFull = false;

  constructor(server: Server, log: Log, clock: MonotonicClock) {
    this.log = log;
    this.clock = clock;
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
    server.once(
      'close',
      every(clock, CHECK_MS, () => this.check(), { ref: false }),
    );
  }

  /** Whether the connection was opened when all others were in use. */
  isExtra(socket: Socket): boolean {
    return this.open.get(endpointOf(socket))?.isExtra === true;
  }

  /** Another server reads the connection. @returns false if all connections are in use: close it. */
  handOver(socket: Socket): boolean {
    const connection = this.open.get(endpointOf(socket));
    if (connection === undefined || connection.isExtra) return false;
    connection.isHandedOver = true;
    return true;
  }

  /** Registers a request whose headers have arrived. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.open.get(endpointOf(request.socket));
    if (connection !== undefined) Object.assign(connection, { request, response, idleBytes: undefined });
  }

  private add(raw: Socket): void {
    const name = endpointOf(raw);
    const address = raw.remoteAddress ?? '';
    const connection = { raw, address, isExtra: this.open.size >= MAX_CONNECTIONS, waitsSince: this.clock.now() };
    this.open.set(name, connection);
    raw.once('close', () => this.open.delete(name));
    if (this.open.size > CROWDED && this.unfinishedOf(address) > MAX_UNFINISHED) this.close(connection);
    else if (connection.isExtra) {
      this.noteFull();
      this.makeRoom();
    }
  }

  /** Keeps places for those that send a request soon, as readiness checks. */
  private makeRoom(): void {
    const silent = [...this.open.values()].filter(
      (connection) => connection.isExtra && isUnfinished(connection) && !connection.raw.destroyed,
    );
    const [oldest] = silent;
    if (oldest === undefined || silent.length <= MAX_SILENT) return;
    oldest.raw.destroy();
    this.refused += 1;
  }

  private unfinishedOf(address: string): number {
    return [...this.open.values()].filter((connection) => connection.address === address && isUnfinished(connection))
      .length;
  }

  /** Closes a connection because its address has too many unfinished requests. */
  private close({ raw, address }: Connection): void {
    raw.destroy();
    this.refused += 1;
    this.closed.set(address, (this.closed.get(address) ?? 0) + 1);
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

  /**
   * Closes the connections of an address beyond MAX_UNFINISHED that wait, the latest first, and those above the maximum that
   * send no request: they keep the places of readiness checks.
   */
  private check(): void {
    const now = this.clock.now();
    const waiting = new Map<string, Connection[]>();
    for (const connection of this.open.values()) {
      connection.waitsSince = isUnfinished(connection) ? (connection.waitsSince ?? now) : undefined;
      if (connection.waitsSince === undefined || now - connection.waitsSince < GRACE_MS) continue;
      if (connection.isExtra) {
        connection.raw.destroy();
        this.refused += 1;
      } else waiting.set(connection.address, [...(waiting.get(connection.address) ?? []), connection]);
    }
    for (const connections of waiting.values())
      for (const connection of connections.slice(MAX_UNFINISHED)) this.close(connection);
    this.logClosed();
    if (this.open.size < MAX_CONNECTIONS) this.isFull = false;
  }

  private logClosed(): void {
    for (const [address, closed] of this.closed)
      this.log({
        level: 'error',
        message: 'connections with unfinished requests were closed: one address had too many',
        fault: 'unfinished_requests',
        address,
        closed,
      });
    this.closed.clear();
  }
}
