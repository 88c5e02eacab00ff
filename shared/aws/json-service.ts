import http from 'node:http';
import https from 'node:https';
import { isRecord } from '../db/item.ts';
import { type Credentials, RequestSigner, type Service } from './sign-request.ts';

/** How a service is reached. */
export interface JsonServiceSettings extends Service {
  /** A URL. */
  endpoint: string;
  credentials: Credentials;
  /** The version of the AWS JSON protocol. */
  version: '1.0' | '1.1';
  /** The prefix of the names of operations: `DynamoDB_20120810`. */
  prefix: string;
  /** The largest number of connections. */
  maxSockets: number;
}

export interface JsonReply {
  status: number;
  body: Record<string, unknown>;
}

/**
 * A dead connection is detected within 1 s; an attempt takes at most 3 s from the moment it has a connection to the end
 * of the reply.
 */
const CONNECTION_TIMEOUT_MS = 1000;
const REQUEST_TIMEOUT_MS = 3000;

/** A service of AWS with the AWS JSON protocol. It does not know what replies mean, and repeats nothing. */
export class JsonService {
  readonly #signer: RequestSigner;
  readonly #host: string;
  readonly #contentType: string;
  readonly #prefix: string;
  readonly #request: typeof http.request;
  /** The options that all requests have. */
  readonly #options: http.RequestOptions & { agent: http.Agent };

  constructor({ endpoint, credentials, version, prefix, maxSockets, ...service }: JsonServiceSettings) {
    const { protocol, host, hostname, port } = new URL(endpoint);
    const { request, Agent } = protocol === 'https:' ? https : http;
    this.#signer = new RequestSigner(service, credentials);
    this.#host = host;
    this.#contentType = `application/x-amz-json-${version}`;
    this.#prefix = prefix;
    this.#request = request;
    const agent = new Agent({ keepAlive: true, maxSockets });
    this.#options = { hostname, port, path: '/', method: 'POST', agent };
  }

  /** @throws Error without a complete reply in JSON in time. */
  async send(operation: string, body: string, headers: Readonly<Record<string, string>>): Promise<JsonReply> {
    const target = `${this.#prefix}.${operation}`;
    const signed = this.#signer.headersOf({ host: this.#host, contentType: this.#contentType, target, body });
    // As a list: Node would validate the headers of an object twice.
    const list = ['content-length', String(Buffer.byteLength(body))];
    for (const name in signed) list.push(name, signed[name] ?? '');
    for (const name in headers) list.push(name, headers[name] ?? '');
    const { status, text } = await receive(this.#request({ ...this.#options, headers: list }), body);
    return { status, body: parsed(text) };
  }

  /** Closes the connections. */
  destroy(): void {
    this.#options.agent.destroy();
  }
}

/** @throws TypeError without the text, which may contain a secret; that of JSON.parse quotes it. */
function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError('the reply is no JSON');
  }
  if (!isRecord(value)) throw new TypeError('the reply is no object');
  return value;
}

function receive(request: http.ClientRequest, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const end = (after: number, what: string) =>
      setTimeout(() => request.destroy(new Error(`${what} took longer than ${after} ms`)), after);
    let timer: NodeJS.Timeout | undefined;
    // The time that a call waits for one of the connections does not count.
    request.on('socket', (socket) => {
      timer = end(REQUEST_TIMEOUT_MS, 'the call');
      if (!socket.connecting) return;
      const connecting = end(CONNECTION_TIMEOUT_MS, 'the connection');
      socket.once('connect', () => clearTimeout(connecting));
      request.once('close', () => clearTimeout(connecting));
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('close', () => clearTimeout(timer));
      response.on('end', () => {
        // A short reply is one chunk: it need not be copied.
        const [first = Buffer.alloc(0), ...others] = chunks;
        const bytes = others.length === 0 ? first : Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, text: bytes.toString() });
      });
    });
    request.end(body);
  });
}
