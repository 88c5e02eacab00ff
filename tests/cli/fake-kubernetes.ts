import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Pod {
  metadata: { namespace: string; name: string; resourceVersion?: string; [field: string]: unknown };
  status: { podIP?: string };
  [field: string]: unknown;
}

interface PodEvent {
  version: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: Pod;
}

/** The parts of the Kubernetes API server that a pod watcher uses: paged lists, watches, leases. */
export class FakeKubernetes {
  /** The only token that is accepted. */
  token = 'token-1';
  /** Pods in a page, whatever the request says. */
  pageSize = 2;
  /** Called for each page of a list: `fail` refuses it, `expire` forgets the list that it continues. */
  onPage: (isFirst: boolean) => 'fail' | 'expire' | undefined = () => undefined;
  readonly requests: string[] = [];
  readonly events: PodEvent[] = [];
  url = '';
  private version = 100;
  /** Events of older versions are forgotten. */
  private oldest = 0;
  private readonly pods = new Map<string, Pod>();
  private readonly snapshots = new Map<string, { version: number; rest: Pod[] }>();
  private readonly watches = new Set<ServerResponse>();
  private readonly leases = new Map<string, any>();
  private readonly server = createServer((request, response) => void this.reply(request, response));

  async start(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get openWatches(): number {
    return this.watches.size;
  }

  lease(name: string): any {
    return this.leases.get(name);
  }

  addressOf(key: string): string | undefined {
    return this.pods.get(key)?.status.podIP;
  }

  /** Whether the pod exists and has an address. */
  isRunning(key: string): boolean {
    return this.addressOf(key) !== undefined;
  }

  /** Adds or replaces a pod. */
  put(pod: Pod): void {
    const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
    this.emit(this.pods.has(key) ? 'MODIFIED' : 'ADDED', key, pod);
  }

  delete(key: string): void {
    this.emit('DELETED', key, this.pods.get(key)!);
  }

  /** Breaks all watches, in the middle of an event. */
  cut(): void {
    for (const watch of this.watches) {
      watch.write('{"type":"MODI');
      watch.destroy();
    }
    this.watches.clear();
  }

  /** Forgets the past: watches and pages that continue from it are gone. */
  expire(): void {
    this.version += 1;
    this.oldest = this.version;
    this.snapshots.clear();
    for (const watch of this.watches) watch.end(this.line('ERROR', this.status(410, 'too old resource version')));
    this.watches.clear();
  }

  bookmark(): void {
    const object = { kind: 'Pod', metadata: { resourceVersion: String(this.version) } };
    for (const watch of this.watches) watch.write(this.line('BOOKMARK', object));
  }

  private emit(type: PodEvent['type'], key: string, pod: Pod): void {
    this.version += 1;
    const object = { ...pod, metadata: { ...pod.metadata, resourceVersion: String(this.version) } };
    if (type === 'DELETED') this.pods.delete(key);
    else this.pods.set(key, object);
    this.events.push({ version: this.version, type, object });
    for (const watch of this.watches) watch.write(this.line(type, object));
  }

  private line = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;

  private status = (code: number, message: string) => ({ kind: 'Status', status: 'Failure', code, message });

  private async reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    const { pathname, searchParams: query } = new URL(request.url!, this.url);
    const send = (code: number, value: unknown) => response.writeHead(code).end(JSON.stringify(value));
    const refuse = (code: number, message: string) => send(code, this.status(code, message));
    if (request.headers.authorization !== `Bearer ${this.token}`) refuse(401, 'Unauthorized');
    else if (pathname.includes('/leases')) this.replyLease(request.method!, pathname, await bodyOf(request), send);
    else if (query.has('watch')) this.replyWatch(Number(query.get('resourceVersion')), response, refuse);
    else this.replyList(/namespaces\/(.+)\/pods/.exec(pathname)?.[1], query.get('continue'), send);
  }

  private replyList(namespace: string | undefined, token: string | null, send: (code: number, body: unknown) => void) {
    const fault = this.onPage(token === null);
    if (fault === 'expire') this.expire();
    if (fault === 'fail') {
      send(500, this.status(500, 'etcdserver: leader changed'));
      return;
    }
    const all = () => [...this.pods.values()].filter((pod) => [undefined, pod.metadata.namespace].includes(namespace));
    const list = token === null ? { version: this.version, rest: all() } : this.snapshots.get(token);
    if (list === undefined) {
      send(410, this.status(410, 'The provided continue parameter is too old'));
      return;
    }
    const [items, rest] = [list.rest.slice(0, this.pageSize), list.rest.slice(this.pageSize)];
    const next = rest.length === 0 ? '' : `${list.version}/${rest.length}/${Math.random()}`;
    if (next !== '') this.snapshots.set(next, { ...list, rest });
    send(200, { kind: 'PodList', metadata: { resourceVersion: String(list.version), continue: next }, items });
  }

  private replyWatch(since: number, response: ServerResponse, refuse: (code: number, message: string) => void): void {
    if (since < this.oldest) {
      refuse(410, 'Expired');
      return;
    }
    response.writeHead(200).flushHeaders();
    for (const { version, type, object } of this.events) if (version > since) response.write(this.line(type, object));
    this.watches.add(response);
    response.once('close', () => this.watches.delete(response));
  }

  private replyLease(method: string, path: string, lease: any, send: (code: number, body: unknown) => void): void {
    const name = lease?.metadata.name ?? path.split('/').at(-1);
    const stored = this.leases.get(name);
    const isOutdated = method === 'PUT' && lease.metadata.resourceVersion !== stored?.metadata.resourceVersion;
    if (method === 'GET' && stored === undefined) send(404, this.status(404, 'not found'));
    else if (isOutdated || (method === 'POST' && stored !== undefined)) send(409, this.status(409, 'conflict'));
    else {
      this.version += 1;
      const metadata = { name, resourceVersion: String(this.version) };
      if (method !== 'GET') this.leases.set(name, { ...lease, metadata });
      send(200, this.leases.get(name));
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
}
