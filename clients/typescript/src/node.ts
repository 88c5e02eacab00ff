import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import type { MirroredObject, MirrorStore } from './flows/mirror.ts';
import type { HttpReply, HttpRequest } from './options.ts';
import { replaceFile } from './replace-file.ts';

export interface NodeFetchOptions {
  /** Certificates of authorities in PEM, instead of those of Node: of a server with a certificate of its own. */
  ca?: string | undefined;
  /** Accepts every certificate. Everybody on the network can then read the key. */
  insecure?: boolean | undefined;
  /** Has the proxies, in `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; default: the environment of the process. `{}`: no proxies. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The variables that Node reads; lower case precedes. */
const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'no_proxy', 'NO_PROXY'];

/** The proxies of an environment as Node reads them; undefined without any. Other programs take one without `http://` too. */
function proxiesIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> | undefined {
  const given = PROXIES.flatMap((name): [string, string][] => {
    const { [name]: value = '' } = env;
    const hasScheme = value.includes('://') || /no_proxy/i.test(name);
    return value === '' ? [] : [[name, hasScheme ? value : `http://${value}`]];
  });
  return given.some(([name]) => !/no_proxy/i.test(name)) ? Object.fromEntries(given) : undefined;
}

/** Whether the environment names a proxy. */
export const hasProxies = (env: Readonly<Record<string, string | undefined>>): boolean => proxiesIn(env) !== undefined;

/** Node 20 and others before 22.21 and 24.5 know no proxies. */
const knowsProxies = () => process.allowedNodeEnvironmentFlags.has('--use-env-proxy');

/** The status of a proxy that wants a user and a password. */
const PROXY_AUTHENTICATION = 407;

/** In the message of Node for HTTPS, before the reason of the proxy. */
const REFUSED_BY_PROXY = `HTTP/1.1 ${PROXY_AUTHENTICATION}`;

const PROXY_SETTING = ': set HTTPS_PROXY or HTTP_PROXY to http://USER:PASSWORD@HOST:PORT';

/** The message of Node about a connection that ends without a reply: so does also a port with TLS that is asked without it. */
const HANG_UP = 'socket hang up';

/** As the agents of Node that all requests share. */
const AGENT = { keepAlive: true, scheduling: 'lifo', timeout: 5000 } as const;

/** A reply whose body is read once: as a whole, or in parts as they arrive. */
export interface NodeReply extends HttpReply {
  /** A body whose connection breaks is an error, also without a Content-Length. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A `fetch` for `createClient` with certificates of its own, in this client only, and with the proxies of the environment. */
export function nodeFetch({ ca, insecure = false, env = process.env }: NodeFetchOptions = {}): (
  url: string,
  request: HttpRequest,
) => Promise<NodeReply> {
  const proxyEnv = proxiesIn(env);
  const agents =
    proxyEnv === undefined
      ? undefined
      : { http: new HttpAgent({ ...AGENT, proxyEnv }), https: new HttpsAgent({ ...AGENT, proxyEnv }) };
  return (url, { body, redirect: _, ...options }) =>
    new Promise((resolve, reject) => {
      const request = url.startsWith('https:')
        ? httpsRequest(url, {
            ...options,
            ...(ca === undefined ? {} : { ca }),
            ...(agents === undefined ? {} : { agent: agents.https }),
            rejectUnauthorized: !insecure,
          })
        : httpRequest(url, { ...options, ...(agents === undefined ? {} : { agent: agents.http }) });
      request.once('error', (error) => {
        if (agents !== undefined && !knowsProxies())
          error.message += ` (Node ${process.versions.node} uses no proxy: Node 22.21 and 24.5 do)`;
        else if (error.message.includes(REFUSED_BY_PROXY)) error.message += PROXY_SETTING;
        else if (error.message === HANG_UP && url.startsWith('http:')) error.message += ' (is it https://?)';
        reject(error);
      });
      request.once('response', (reply) => {
        const { statusCode: status = 0, headers } = reply;
        if (status === PROXY_AUTHENTICATION && agents !== undefined) {
          reply.resume();
          reject(new Error(`${REFUSED_BY_PROXY} ${reply.statusMessage}${PROXY_SETTING}`));
          return;
        }
        resolve({
          status,
          headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
          body: reply,
          text: () => textOf(reply),
        });
      });
      request.end(body);
    });
}

async function textOf(body: Readable): Promise<string> {
  let text = '';
  for await (const part of body.setEncoding('utf8')) text += String(part);
  return text;
}

interface Copy {
  cursor: string;
  objects: MirroredObject[];
}

const keyOf = (kind: string, id: string) => `${kind}/${id}`;

function isCopy(value: unknown): value is Copy {
  return typeof value === 'object' && value !== null && 'cursor' in value && 'objects' in value;
}

/** A copy in one JSON file, which is written as a whole. For up to some thousand objects. */
export function fileStore(path: string): MirrorStore {
  let copy: { cursor: string; objects: Map<string, MirroredObject> } | undefined;
  async function load() {
    if (copy !== undefined) return copy;
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    const stored: unknown = JSON.parse(text);
    if (!isCopy(stored)) throw new Error(`${path} is not a copy of an inventory.`);
    copy = {
      cursor: stored.cursor,
      objects: new Map(stored.objects.map((object) => [keyOf(object.kind, object.id), object])),
    };
    return copy;
  }
  function save(cursor: string, objects: Map<string, MirroredObject>): void {
    const sorted = [...objects].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, object]) => object);
    replaceFile(path, `${JSON.stringify({ cursor, objects: sorted }, null, 1)}\n`);
    copy = { cursor, objects };
  }
  return {
    cursor: async () => (await load())?.cursor,
    get: async (kind, id) => (await load())?.objects.get(keyOf(kind, id)),
    replace: async (all, cursor) => {
      const objects = new Map<string, MirroredObject>();
      for await (const object of all) objects.set(keyOf(object.kind, object.id), object);
      save(cursor, objects);
    },
    apply: async (changed, cursor) => {
      const objects = new Map((await load())?.objects);
      for (const object of changed)
        if ('fields' in object) objects.set(keyOf(object.kind, object.id), object);
        else objects.delete(keyOf(object.kind, object.id));
      save(cursor, objects);
    },
  };
}
