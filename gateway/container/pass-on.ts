import { timeLimit } from '../../shared/core/monotonic-clock.ts';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  Agent as HttpAgent,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { facade as pmmHealth } from '../../functions/pmm/facades/health/contract.ts';
import { facade as pmmInventory } from '../../functions/pmm/facades/inventory/contract.ts';
import { facade as pmmManagement } from '../../functions/pmm/facades/management/contract.ts';
import { facade as pmmServer } from '../../functions/pmm/facades/server/contract.ts';
import { facade as opamp } from '../../functions/opamp/exchange/contract.ts';
import { facadeOf } from '../../shared/http/router.ts';

/** Paths that are passed on: those of PMM's clients that concern neither keys nor passwords, and OpAMP by HTTP. */
const passedOn = [pmmInventory, pmmManagement, pmmServer, pmmHealth, opamp];

/** Headers that are passed on in each direction. All others concern the connection, or state who the client is. */
const requestHeaders = [
  'authorization',
  'content-type',
  'content-encoding',
  'content-length',
  'accept',
  'user-agent',
  'idempotency-key',
];
const replyHeaders = [
  'content-type',
  'content-length',
  'retry-after',
  'x-request-id',
  'www-authenticate',
  'location',
  'etag',
  'grpc-metadata-content-type',
];

/** API Gateway ends a call after 29 s. */
const CALL_MS = 30_000;

/** The largest body that the service accepts. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const MAX_HEADER_BYTES = 10_240;

/** Connections of HTTP/1.1 at once. */
const MAX_CONNECTIONS = 500;

interface Upgrades {
  accepts: (request: IncomingMessage) => boolean;
  serve: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

interface PassOnOptions {
  /** Address of the API, with its stage. */
  apiUrl: string;
  /** The address that clients use for everything else, for the message of a refusal. */
  mainUrl: string;
  /** Requests that become WebSockets. Others that ask for it are passed on as if they did not. */
  upgrades?: Upgrades;
}

const statuses = {
  413: [8, 'RESOURCE_EXHAUSTED'],
  421: [9, 'FAILED_PRECONDITION'],
  503: [14, 'UNAVAILABLE'],
} as const;

/** Replies in the format of the service's errors, which is also that of PMM. */
function refuse(response: ServerResponse, http: keyof typeof statuses, message: string): void {
  const [code, status] = statuses[http];
  const body = { code, status, error: message, message, details: [], request_id: randomUUID() };
  response.writeHead(http, { 'content-type': 'application/json', ...(http === 503 ? { 'retry-after': '1' } : {}) });
  response.end(JSON.stringify(body));
}

const picked = (from: IncomingMessage['headers'], names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]] as const])));

/** Whether a call at this path is passed on. A path with a dot segment has another meaning for another program. */
export function isPassedOn(path: string): boolean {
  if (!path.startsWith('/') || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path) || path.includes('//')) return false;
  return facadeOf(passedOn, path) !== undefined;
}

/** Passes a request on, and its reply back. */
function passOn(request: IncomingMessage, response: ServerResponse, api: URL, agent: HttpAgent): void {
  const send = api.protocol === 'https:' ? httpsRequest : httpRequest;
  const { method, url = '' } = request;
  const path = `${api.pathname.replace(/\/$/, '')}${url}`;
  const headers = { ...picked(request.headers, requestHeaders), host: api.host };
  const call = send({
    host: api.hostname,
    port: api.port,
    path,
    method,
    headers,
    agent,
    signal: timeLimit({}, CALL_MS),
  });
  const fail = () => {
    if (response.headersSent) response.destroy();
    else refuse(response, 503, 'The service cannot be reached. Try again.');
  };
  call.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, picked(reply.headers, replyHeaders));
    reply.on('error', fail).pipe(response);
  });
  call.on('error', fail);
  response.once('close', () => call.destroy());
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES || call.destroyed) return;
    request.unpipe(call).resume();
    call.removeListener('error', fail).on('error', () => undefined);
    call.destroy();
    if (response.headersSent) response.destroy();
    else refuse(response, 413, `A body has at most ${MAX_BODY_BYTES} bytes.`);
  });
  request.pipe(call);
}

/**
 * Serves the calls of PMM's clients on the address of agents, which have one address for both. Enrolments check the source
 * address of the caller, and log-ins are limited by it: these calls need the main address.
 */
export function createPassOn({ apiUrl, mainUrl, upgrades }: PassOnOptions): Server {
  const api = new URL(apiUrl);
  const agent = new (api.protocol === 'https:' ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: MAX_CONNECTIONS,
  });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 5000,
      requestTimeout: CALL_MS,
      keepAliveTimeout: 60_000,
      requireHostHeader: true,
      shouldUpgradeCallback: (request) => upgrades?.accepts(request) === true,
    },
    (request, response) => {
      const { url = '' } = request;
      if (isPassedOn(url.split('?', 1)[0] ?? '')) passOn(request, response, api, agent);
      else {
        request.resume();
        refuse(response, 421, `This address serves agents only. Use ${mainUrl} for this call.`);
      }
    },
  );
  server.on('upgrade', (request, socket, head) => upgrades?.serve(request, socket, head));
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
