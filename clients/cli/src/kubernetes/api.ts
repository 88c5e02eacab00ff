import { readFile } from 'node:fs/promises';
import { nodeFetch, type NodeReply } from '../../../typescript/src/node.ts';
import { CommandError } from '../core/exit-codes.ts';
import type { Options } from '../core/options.ts';
import { type Fields, isFields } from '../core/values.ts';
import type { World } from '../core/world.ts';
import { type Clock, processClock, timeLimit } from '../core/clock.ts';

/** Where Kubernetes puts the credentials of the service account of a pod. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

const REQUEST_TIMEOUT_MS = 30_000;

/** A watch that Kubernetes does not end in time has lost its connection. */
const WATCH_GRACE_MS = 30_000;

/** A refusal of the API server. */
export class KubernetesError extends CommandError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message, status === 401 || status === 403 ? 'denied' : 'failed');
    this.status = status;
  }
}

/** The status of a refusal of the API server; undefined for any other error. */
export const statusOf = (error: unknown) => (error instanceof KubernetesError ? error.status : undefined);

/** The resource version is too old for a watch, or the next page of a list has expired: the list starts again. */
export const isGone = (error: unknown) => statusOf(error) === 410;

/** A refusal from a `Status` object, or from any other text. */
export function refusalOf(status: number, value: unknown): KubernetesError {
  const { code, message }: Fields = isFields(value) ? value : {};
  return new KubernetesError(
    typeof code === 'number' ? code : status,
    `Kubernetes: ${typeof message === 'string' ? message : `status ${status}`}`,
  );
}

export interface KubernetesServer {
  /** `https://10.0.0.1:443` */
  url: string;
  /** Kubernetes replaces the token every hour: the file is read for each request. */
  tokenFile: string | undefined;
  /** Certificates of authorities in PEM. */
  ca: string | undefined;
}

/** The server of the options, or the one of the cluster that this pod runs in. */
export async function kubernetesServer(options: Options, { env }: Pick<World, 'env'>): Promise<KubernetesServer> {
  const [url, tokenFile, ca] = [options.text('apiServer'), options.text('tokenFile'), options.text('apiCa')];
  if (url !== undefined)
    return { url: url.replace(/\/+$/, ''), tokenFile, ca: ca === undefined ? undefined : await textOf(ca) };
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (host === undefined || host === '')
    throw new CommandError('This is no pod of Kubernetes: give --api-server URL and --token-file FILE.');
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tokenFile: tokenFile ?? `${SERVICE_ACCOUNT}/token`,
    ca: await textOf(ca ?? `${SERVICE_ACCOUNT}/ca.crt`),
  };
}

/** The namespace of this pod; outside of a cluster `default`. */
export async function ownNamespace(): Promise<string> {
  try {
    return (await readFile(`${SERVICE_ACCOUNT}/namespace`, 'utf8')).trim();
  } catch {
    return 'default';
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** The API server of Kubernetes. Paths begin with a slash. */
export class KubernetesApi {
  private readonly server: KubernetesServer;
  private readonly fetch: ReturnType<typeof nodeFetch>;
  private readonly clock: Pick<Clock, 'after'>;

  constructor(server: KubernetesServer, clock: Pick<Clock, 'after'> = processClock) {
    this.server = server;
    this.clock = clock;
    // It is in the network of the pods, where no proxy is necessary.
    this.fetch = nodeFetch({ ca: server.ca, env: {} });
  }

  /** @throws KubernetesError if the server refuses the request; TypeError or another error without a reply. */
  async send(method: 'GET' | 'POST' | 'PUT', path: string, signal: AbortSignal, body?: object): Promise<unknown> {
    const limited = AbortSignal.any([signal, timeLimit(REQUEST_TIMEOUT_MS, this.clock)]);
    return JSON.parse(await (await this.request(method, path, limited, body)).text());
  }

  /**
   * Opens a watch, which Kubernetes ends after the time in seconds. The events of the stream end in order, or throw if the
   * connection is cut.
   */
  async watch(path: string, seconds: number, signal: AbortSignal): Promise<AsyncGenerator<unknown, void, void>> {
    const limited = AbortSignal.any([signal, timeLimit(seconds * 1000 + WATCH_GRACE_MS, this.clock)]);
    const reply = await this.request('GET', `${path}&timeoutSeconds=${seconds}`, limited);
    return linesOf(reply);
  }

  private async request(method: string, path: string, signal: AbortSignal, body?: object): Promise<NodeReply> {
    const { url, tokenFile } = this.server;
    const token = tokenFile === undefined ? undefined : (await textOf(tokenFile)).trim();
    const reply = await this.fetch(`${url}${path}`, {
      method,
      signal,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'inventory-cli',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (reply.status < 300) return reply;
    const text = await reply.text();
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // A proxy may reply in another form.
    }
    throw refusalOf(reply.status, value);
  }
}

/** The JSON value of each line. A last line without its end was cut. */
async function* linesOf(reply: NodeReply): AsyncGenerator<unknown, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of reply.body) {
    rest += decoder.decode(chunk, { stream: true });
    const end = rest.lastIndexOf('\n') + 1;
    for (const line of rest.slice(0, end).split('\n')) if (line.trim() !== '') yield JSON.parse(line);
    rest = rest.slice(end);
  }
}
