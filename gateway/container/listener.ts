import type { Server } from 'node:http';
import { createServer, type Server as TcpServer, type Socket } from 'node:net';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { InvalidProxyHeader, readProxyHeader } from './proxy-protocol.ts';

/** The first bytes of HTTP/2. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** Time for the first bytes of a connection. */
const FIRST_BYTES_MS = 5000;

interface ListenerOptions {
  /** Whether a balancer sends the header of PROXY protocol v2 on each connection. */
  expectsProxyHeader: boolean;
  serveHttp2: (socket: Socket, source: string) => void;
  /** Parses connections of HTTP/1.1. */
  http1: Server;
  monotonic: MonotonicClock;
}

type Protocol = 'http1' | 'http2';

/** The protocol of a connection by its first bytes; undefined while they decide nothing. */
function protocolOf(bytes: Buffer): Protocol | undefined {
  const length = Math.min(bytes.length, PREFACE.length);
  if (!bytes.subarray(0, length).equals(PREFACE.subarray(0, length))) return 'http1';
  return length === PREFACE.length ? 'http2' : undefined;
}

/** The protocol and the source of a connection, with the bytes after the header; undefined while more are needed. */
function readBeginning(bytes: Buffer, expectsProxyHeader: boolean, remote: string) {
  const header = expectsProxyHeader ? readProxyHeader(bytes) : { bytes: 0, source: undefined };
  if (header === undefined) return undefined;
  const rest = bytes.subarray(header.bytes);
  const protocol = rest.length === 0 ? undefined : protocolOf(rest);
  return protocol === undefined ? undefined : { protocol, rest, source: header.source ?? remote };
}

/**
 * Listens for plain bytes behind a balancer that terminates TLS: HTTP/2 for streams of agents, HTTP/1.1 for calls. The same
 * bytes decide this as ALPN does with TLS.
 */
export function createListener({ expectsProxyHeader, serveHttp2, http1, monotonic }: ListenerOptions): TcpServer {
  // Half-open as node:http has it: the end of the client's side must not end a reply.
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const { remoteAddress: remote } = socket;
    // It has ended already.
    if (remote === undefined) {
      socket.destroy();
      return;
    }
    let bytes = Buffer.alloc(0);
    const cancelLate = monotonic.after(FIRST_BYTES_MS, () => socket.destroy(), { ref: false });
    const end = () => socket.destroy();
    const stop = () => {
      cancelLate();
      socket.off('data', read).off('end', end);
    };
    const read = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      try {
        const beginning = readBeginning(bytes, expectsProxyHeader, remote);
        if (beginning === undefined) return;
        stop();
        socket.pause();
        socket.unshift(beginning.rest);
        if (beginning.protocol === 'http2') serveHttp2(socket, beginning.source);
        else {
          http1.emit('connection', socket);
          socket.resume();
        }
      } catch (error) {
        if (!(error instanceof InvalidProxyHeader)) throw error;
        socket.destroy();
      }
    };
    socket.on('data', read).once('end', end);
    socket.on('error', () => socket.destroy());
    socket.once('close', cancelLate);
  });
}
