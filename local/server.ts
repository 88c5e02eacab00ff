import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsEncoding } from '../shared/http/accepts-encoding.ts';
import type { GatewayResponseType } from '../shared/http/gateway-responses.ts';
import { siteHeaders } from '../shared/http/site-headers.ts';
import { type Answer, refuse } from './gateway.ts';
import { pathOf, type WireRequest } from './proxy-event.ts';
import { staticFile, type StaticRoot } from './static-files.ts';

const compress = promisify(gzip);

/** Replies above this are compressed for those who accept it; the deployed gateway has the same setting. */
const COMPRESS_ABOVE_BYTES = 1024;

/** API Gateway's own limits: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    // Read to the end but keep nothing: an answer while the client still sends would be lost with the connection.
    if (bytes <= MAX_PAYLOAD_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_PAYLOAD_BYTES ? undefined : Buffer.concat(chunks);
}

/** 204 and 304 have no body, and so no length. */
function lengthOf(statusCode: number, body: Buffer): Record<string, number> {
  return statusCode === 204 || statusCode === 304 ? {} : { 'Content-Length': body.length };
}

interface Sendable {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** Fonts and images are compressed as they are. */
const COMPRESSIBLE = /^(text\/|application\/(json|x-ndjson|manifest|yaml)|image\/svg)/;

async function send(request: IncomingMessage, response: ServerResponse, answer: Sendable): Promise<void> {
  const { statusCode, headers } = answer;
  const body = Buffer.from(answer.body);
  if (
    !COMPRESSIBLE.test(headers['Content-Type'] ?? '') ||
    body.length <= COMPRESS_ABOVE_BYTES ||
    headers['Content-Encoding'] !== undefined ||
    !acceptsEncoding('gzip', request.headers['accept-encoding']?.toString())
  ) {
    response.writeHead(statusCode, { ...headers, ...lengthOf(statusCode, body) }).end(body);
    return;
  }
  const compressed = await compress(body);
  const encoding = { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };
  response.writeHead(statusCode, { ...headers, ...encoding, ...lengthOf(statusCode, compressed) }).end(compressed);
}

/** A request that is no HTTP, or whose headers are too large: answered here, since no handler ever sees it. */
function refuseConnection(type: GatewayResponseType, socket: Duplex): void {
  const { statusCode, headers, body } = refuse(type);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  if (socket.writable)
    socket.end(`HTTP/1.1 ${statusCode} \r\n${lines.join('')}${length}Connection: close\r\n\r\n${body}`);
}

async function sendFile(
  site: readonly StaticRoot[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '/' } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...siteHeaders, Allow: 'GET, HEAD' }).end();
    return;
  }
  const { status, headers, body } = await staticFile(site, pathOf(url));
  await send(request, response, { statusCode: status, headers, body });
}

export interface ServerOptions {
  key: string;
  cert: string;
  gateway: (request: WireRequest) => Promise<Answer>;
  site: readonly StaticRoot[];
}

/** HTTPS in front of the gateway and the site, under the same paths as in the cloud. */
export function createLocalServer({ key, cert, gateway, site }: ServerOptions): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    if (request.headers.host === undefined) {
      await send(request, response, refuse('BAD_REQUEST_PARAMETERS'));
      return;
    }
    if (!url.startsWith('/v1/')) {
      await sendFile(site, request, response);
      return;
    }
    const body = await readBody(request);
    if (body === undefined || !isUtf8(body)) {
      // Decoding would replace what is not UTF-8 and store something else than was sent.
      await send(request, response, refuse(body === undefined ? 'REQUEST_TOO_LARGE' : 'BAD_REQUEST_BODY'));
      return;
    }
    const sourceIp = request.socket.remoteAddress ?? '';
    await send(
      request,
      response,
      await gateway({ method, url, rawHeaders: request.rawHeaders, body: body.toString(), sourceIp }),
    );
  };
  const server = createServer(
    // What Node would answer by itself, without our shape, is answered below instead: no Host, an unknown Expect.
    { key, cert, maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 65_000, requireHostHeader: false },
    (request, response) => {
      answer(request, response).catch(() => {
        // The client went away while sending, or the site's files did: there is nobody or nothing to answer with.
        response.destroy();
      });
    },
  );
  server.on('checkExpectation', (request, response) => {
    void send(request, response, refuse('BAD_REQUEST_PARAMETERS'));
  });
  // After the start, which it must not delay; whoever asks for the site before waits for it.
  server.once('listening', () => {
    for (const { ready } of site) void ready?.();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseConnection(error.code === 'HPE_HEADER_OVERFLOW' ? 'REQUEST_TOO_LARGE' : 'BAD_REQUEST_PARAMETERS', socket);
  });
  return server;
}
