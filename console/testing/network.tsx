import type { Answer as GatewayAnswer, Gateway } from '../../local/gateway/gateway.ts';
import { gunzipSync } from 'node:zlib';

/** A request of the console, as it would go to the server. */
export interface PageRequest {
  method: string;
  /** With its query: `/v1/nodes?region=eu`. */
  path: string;
  headers: Record<string, string>;
  /** Empty for none. */
  body: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Server = (request: PageRequest) => Promise<Answer>;

const textOf = ({ body }: GatewayAnswer): string => (typeof body === 'string' ? body : gunzipSync(body).toString());

/** The functions of the service, in this process. */
export const serverOf =
  (gateway: Gateway): Server =>
  async ({ method, path, headers, body }) => {
    const answer = await gateway({
      method,
      url: path,
      rawHeaders: Object.entries(headers).flat(),
      body,
      sourceIp: '127.0.0.1',
    });
    return { status: answer.statusCode, headers: answer.headers, body: textOf(answer) };
  };

/** Which requests: `GET /v1/nodes` for those with any query, or a pattern of the method and the path with its query. */
export type Which = string | RegExp;

const isMeant = (which: Which, { method, path }: PageRequest): boolean =>
  typeof which === 'string' ? which === `${method} ${path.replace(/\?.*$/, '')}` : which.test(`${method} ${path}`);

interface Fault {
  which: Which;
  act: (request: PageRequest) => Promise<Answer | undefined>;
  once: boolean;
}

/** What the browser says when no reply arrives. */
const lost = () => new TypeError('Failed to fetch');

/** The `fetch` of the page, in front of a server. A test disturbs it, and sees what the page has sent. */
export class Network {
  /** The requests that the page has sent so far: `GET /v1/nodes?region=eu`. */
  readonly requests: string[] = [];
  /** Replies on their way. Not those that a test holds. */
  readonly pending = new Set<Promise<unknown>>();
  /** Without it, no reply arrives. */
  isOnline = true;
  readonly #server: Server;
  readonly #faults = new Set<Fault>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** The next request of the kind gets this refusal in place of its reply. */
  refuseNext(which: Which, status: number, message: string, headers: Record<string, string> = {}): void {
    const body = JSON.stringify({ code: 0, status: '', error: message, message, details: [], request_id: 'refused' });
    this.#faults.add({ which, once: true, act: () => Promise.resolve({ status, headers, body }) });
  }

  /**
   * Replies in place of the server, also of a kind that it gives only after hours of use.
   *
   * @param reply undefined where the server replies.
   * @returns ends it.
   */
  answer(which: Which, reply: (request: PageRequest) => object | undefined): () => void {
    const fault: Fault = {
      which,
      once: false,
      act: (request) => {
        const body = reply(request);
        return Promise.resolve(body && { status: 200, headers: {}, body: JSON.stringify(body) });
      },
    };
    this.#faults.add(fault);
    return () => this.#faults.delete(fault);
  }

  /** The requests of the kind wait. @returns lets them go on, and those after them. */
  hold(which: Which): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const fault: Fault = { which, once: false, act: () => promise };
    this.#faults.add(fault);
    return () => {
      this.#faults.delete(fault);
      resolve(undefined);
    };
  }

  async #disturbed(request: PageRequest): Promise<Answer | undefined> {
    const fault = [...this.#faults].find(({ which }) => isMeant(which, request));
    if (fault?.once === true) this.#faults.delete(fault);
    return fault?.act(request);
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    const ended = work.catch(() => undefined).finally(() => this.pending.delete(ended));
    this.pending.add(ended);
    return work;
  }

  readonly fetch = async (
    url: string,
    { method = 'GET', headers = {}, body = '', signal }: RequestInit & { headers?: Record<string, string> },
  ) => {
    const path = url.startsWith(location.origin) ? url.slice(location.origin.length) : url;
    const request = { method, path, headers, body: typeof body === 'string' ? body : '' };
    this.requests.push(`${method} ${path}`);
    signal?.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
    const disturbed = await Promise.race([aborted, this.#disturbed(request)]);
    if (!this.isOnline) throw lost();
    const answer = disturbed ?? (await Promise.race([aborted, this.#tracked(this.#server(request))]));
    const replyHeaders = new Map(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    return {
      status: answer.status,
      headers: { get: (name: string) => replyHeaders.get(name.toLowerCase()) ?? null },
      text: () => Promise.resolve(answer.body),
    };
  };
}
