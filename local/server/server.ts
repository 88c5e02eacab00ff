import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isApiPath } from '../../functions/facades.ts';
import { acceptsEncoding } from '../../shared/http/accepts-encoding.ts';
import { errorReply } from '../../shared/http/error-reply.ts';
import { ApiError } from '../../shared/core/errors.ts';
import type { Log } from '../../shared/core/log.ts';
import { type ClockSource, clockOf, type MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { REQUEST_ID_HEADER } from '../../shared/http/request-id.ts';
import { siteHeaders } from '../../shared/http/site-headers.ts';
import { Admission, MAX_CONNECTIONS } from './admission.ts';
import { clientAddressOf, type IsTrustedProxy } from './client-address.ts';
import { Connections } from './connections.ts';
import { chooseProtocol, divertHttp2, isHttp2 } from './http2.ts';
import { divertPlainHttp } from './plain-http.ts';
import { type Answer, type Gateway, refuse } from '../gateway/gateway.ts';
import { originForm, pathOf } from '../gateway/proxy-event.ts';
import { bodyReader } from '../gateway/request-body.ts';
import { watchRequestLines } from './request-lines.ts';
import { type StaticRoot, staticFile } from '../../shared/http/static-files.ts';

const compress = promisify(gzip);

/** Larger replies are compressed for clients that accept it; the deployed gateway has the same setting. */
const COMPRESS_ABOVE_BYTES = 1024;

/** API Gateway's own limit: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const MAX_HEADER_BYTES = 10_240;

/** Time within which a whole request must be received. */
const REQUEST_SECONDS = 30;

/** Node's code for a request that was not received within this time, also on a connection without a request. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Interval in which that is checked. */
const CHECK_MS = 5000;

/** How long a client may read after a refusal that ends its connection. */
const LINGER_MS = 500;

/** Time for the first byte, and for the TLS handshake after it. */
const HANDSHAKE_MS = 5000;

/** 204 and 304 have no body, and so no length. */
function lengthOf(statusCode: number, bytes: number): Record<string, number> {
  return statusCode === 204 || statusCode === 304 ? {} : { 'Content-Length': bytes };
}

interface Sendable {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** Fonts and images are already compressed. */
const COMPRESSIBLE = /^(text\/|application\/(json|x-ndjson|manifest|yaml)|image\/svg)/;

async function send(request: IncomingMessage, response: ServerResponse, answer: Sendable): Promise<void> {
  const { statusCode, headers, body } = answer;
  const bytes = Buffer.byteLength(body);
  if (
    !COMPRESSIBLE.test(headers['Content-Type'] ?? '') ||
    bytes <= COMPRESS_ABOVE_BYTES ||
    headers['Content-Encoding'] !== undefined ||
    !acceptsEncoding('gzip', request.headers['accept-encoding']?.toString())
  ) {
    // Node sends a text together with the headers, in one record of TLS.
    response.writeHead(statusCode, { ...headers, ...lengthOf(statusCode, bytes) }).end(body);
    return;
  }
  const compressed = await compress(body);
  const encoding = { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };
  response
    .writeHead(statusCode, { ...headers, ...encoding, ...lengthOf(statusCode, compressed.length) })
    .end(compressed);
}

/** The reply to a request that is no HTTP, too large or too slow: such requests do not reach a handler. */
function refusalOf({ code }: NodeJS.ErrnoException): Answer {
  if (code === LATE) return errorReply(cutOff(code), randomUUID());
  return refuse(code === 'HPE_HEADER_OVERFLOW' ? 'REQUEST_TOO_LARGE' : 'BAD_REQUEST_PARAMETERS');
}

/** The error for a request whose body cannot be read completely. */
function cutOff(code: string | undefined): ApiError {
  const isLate = code === LATE;
  const message = isLate ? `The request did not arrive within ${REQUEST_SECONDS} s.` : 'Invalid request body.';
  return new ApiError('invalidArgument', message);
}

/** The reply to plain HTTP. No redirect: clients would send their credentials without encryption again. */
function notEncrypted(): Answer {
  const message = 'This port speaks HTTPS: use https:// instead of http://. This request was sent without encryption.';
  return errorReply(new ApiError('invalidArgument', message), randomUUID());
}

function endWith(clock: MonotonicClock, { statusCode, headers, body }: Answer, socket: Duplex): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  if (socket.writable)
    socket.end(`HTTP/1.1 ${statusCode} \r\n${lines.join('')}${length}Connection: close\r\n\r\n${body.toString()}`);
  // Whether or not the client has ended its side: it has some time to read.
  clock.after(LINGER_MS, () => socket.destroy(), { ref: false });
}

/** Browsers accept HTML when they open a page. Other clients are programs, which get our JSON errors. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

async function fileFor(
  site: readonly StaticRoot[],
  request: IncomingMessage,
  path: string,
): Promise<Sendable & { headers: Record<string, string> }> {
  const requestId = randomUUID();
  const asError = (error: ApiError) => {
    const { statusCode, headers, body } = errorReply(error, requestId);
    return { statusCode, headers: { ...siteHeaders, ...headers }, body };
  };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return asError(new ApiError('methodNotAllowed', 'Method Not Allowed', { headers: { Allow: 'GET, HEAD' } }));
  const { status, headers, body } = await staticFile(site, path);
  if (status === 404 && !wantsPage(request)) return asError(new ApiError('notFound', 'Not Found'));
  return { statusCode: status, headers: { ...headers, [REQUEST_ID_HEADER]: requestId }, body };
}

/** Whether the request has several Host headers, another transfer coding than chunked, or an unknown version of HTTP. */
function isAmbiguous({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')) return true;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length !== 1 || !['1.0', '1.1'].includes(httpVersion);
}

/** Requests of HTTP/1.1 that become connections of another protocol. */
export interface Upgrades {
  /** Whether a request becomes one. Others are served as if they did not ask for it. */
  accepts: (request: IncomingMessage) => boolean;
  serve: (request: IncomingMessage, socket: Duplex, head: Buffer, source: string) => void;
}

export interface ServerOptions extends ClockSource {
  key: string;
  cert: string;
  gateway: Gateway;
  site: readonly StaticRoot[];
  log: Log;
  /** Serves connections of clients that speak HTTP/2 only. Default: they are refused. */
  serveHttp2?: ((socket: TLSSocket) => void) | undefined;
  /** Default: none. */
  upgrades?: Upgrades;
  /** The reverse proxies whose X-Forwarded-For counts. Default: none. */
  isTrustedProxy?: IsTrustedProxy;
}

export interface LocalServer {
  /** Call `listen` on it. */
  https: Server;
  /** The number of connections and requests that were refused because of their number. */
  refused: () => number;
  /** Accepts no new connections, replies to received requests, and closes all connections within `milliseconds`. */
  stop: (milliseconds: number) => Promise<void>;
}

/** The reply to a request on a connection above the maximum, which ends. */
function allInUse(admission: Admission): Answer {
  admission.refused += 1;
  const message = `All ${MAX_CONNECTIONS} connections of the server are in use. Try again.`;
  return errorReply(new ApiError('unavailable', message, { headers: { 'Retry-After': '1' } }), randomUUID());
}

/** HTTPS for the gateway and the site, with the same paths as in the cloud. */
export function createLocalServer(options: ServerOptions): LocalServer {
  const { key, cert, gateway, site, log, serveHttp2, upgrades, isTrustedProxy = () => false } = options;
  const clock = clockOf(options);
  const answerTo = async (
    request: IncomingMessage,
    response: ServerResponse,
    broken: AbortSignal,
  ): Promise<Sendable> => {
    if (isAmbiguous(request) || hasAmbiguousLine.get(request.socket)?.() === true)
      return refuse('BAD_REQUEST_PARAMETERS');
    if (admission.isExtra(request.socket)) {
      response.setHeader('Connection', 'close');
      return allInUse(admission);
    }
    const { method = 'GET', rawHeaders } = request;
    const url = originForm(request.url ?? '/');
    if (!isApiPath(pathOf(url))) return fileFor(site, request, pathOf(url));
    const body = bodyReader(request, response, broken);
    return gateway({ method, url, rawHeaders, body, sourceIp: clientAddressOf(request, isTrustedProxy) });
  };
  const server = createServer({
    key,
    cert,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: 65_000,
    requestTimeout: REQUEST_SECONDS * 1000,
    headersTimeout: REQUEST_SECONDS * 1000,
    connectionsCheckingInterval: CHECK_MS,
    handshakeTimeout: HANDSHAKE_MS,
    ALPNCallback: ({ protocols }) => chooseProtocol(protocols, serveHttp2 !== undefined),
    shouldUpgradeCallback: (request) => upgrades?.accepts(request) === true,
    // Replies that Node would make in another format are made above instead: without Host, unknown Expect.
    requireHostHeader: false,
    // A client that ends its side after its request still receives the reply.
    allowHalfOpen: true,
  });
  Object.assign(server, { httpAllowHalfOpen: true });
  divertPlainHttp(server, {
    ...{ clock, firstByteMs: HANDSHAKE_MS },
    refuse: (socket) => endWith(clock, notEncrypted(), socket),
  });
  divertHttp2(server, (socket) => {
    if (admission.handOver(socket)) serveHttp2?.(socket);
    else socket.destroy();
  });
  const connections = new Connections(server, options);
  const admission = new Admission(server, log, clock);
  const hasAmbiguousLine = new WeakMap<Socket, () => boolean>();
  server.on('secureConnection', (socket) => {
    if (!isHttp2(socket)) hasAmbiguousLine.set(socket, watchRequestLines(socket));
  });
  const reply = (
    request: IncomingMessage,
    response: ServerResponse,
    answerWith: (broken: AbortSignal) => Promise<Sendable>,
  ) => {
    admission.begin(request, response);
    answerWith(connections.begin(request, response))
      .then((answer) => {
        connections.beforeReply(request, response);
        return send(request, response, answer);
      })
      .catch(() => {
        // The client closed the connection while sending, or a file of the site disappeared: no reply is possible.
        response.destroy();
      });
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    // The request arrived after our side of the connection had ended. Without a reply it must not take effect.
    if (request.socket.writable) reply(request, response, (broken) => answerTo(request, response, broken));
    else request.socket.destroy();
  };
  server.on('upgrade', (request, socket, head) => {
    if (isAmbiguous(request) || hasAmbiguousLine.get(request.socket)?.() === true)
      endWith(clock, refuse('BAD_REQUEST_PARAMETERS'), socket);
    else if (admission.handOver(request.socket))
      upgrades?.serve(request, socket, head, clientAddressOf(request, isTrustedProxy));
    else endWith(clock, allInUse(admission), socket);
  });
  // With a separate listener for `Expect: 100-continue`, a client sends its body only when it is wanted.
  server.on('request', serve).on('checkContinue', serve);
  server.on('checkExpectation', (request, response) =>
    reply(request, response, () => Promise.resolve(refuse('BAD_REQUEST_PARAMETERS'))),
  );
  // After the start, which the build must not delay. Requests for the site wait for it.
  server.once('listening', () => {
    for (const { ready } of site) void ready?.();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Before the end of the TLS handshake there is nobody to reply to.
    if (!connections.has(socket)) {
      socket.destroy();
      return;
    }
    // Browsers open spare connections. A reply there could be taken for the reply to a request that is just being sent.
    if (error.code === LATE && socket instanceof Socket && socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    // Once for each connection, and after the replies to earlier requests on it, which took effect.
    void connections.breakOff(socket, cutOff(error.code)).then((isNew) => {
      if (isNew) endWith(clock, refusalOf(error), socket);
    });
  });
  return {
    https: server,
    refused: () => admission.refused,
    stop: (milliseconds) => connections.stop(milliseconds),
  };
}
