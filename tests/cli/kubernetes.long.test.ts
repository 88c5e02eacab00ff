/** `inventory sync-kubernetes` against an API server of Kubernetes that replays lists and watches with their faults. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type KubernetesTimers, runWith, timers } from '../../clients/cli/src/commands/sync-kubernetes.ts';
import { Interruption } from '../../clients/cli/src/core/exit-codes.ts';
import { KubernetesApi, kubernetesServer } from '../../clients/cli/src/kubernetes/api.ts';
import { type DatabasePods, followPods } from '../../clients/cli/src/kubernetes/follow-pods.ts';
import { syncPods } from '../../clients/cli/src/kubernetes/sync.ts';
import { Options } from '../../clients/cli/src/core/options.ts';
import { Output } from '../../clients/cli/src/output/output.ts';
import type { World } from '../../clients/cli/src/core/world.ts';
import { createClient } from '../../clients/typescript/src/client.ts';
import { inFull, testSeed } from '../../shared/testing/extent.ts';
import { Random } from '../consistency/random.ts';
import { processClock } from '../../clients/cli/src/core/clock.ts';
import { ADDRESS, type CommandLine, startCommandLine } from './command.ts';
import { FakeKubernetes } from './fake-kubernetes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

let line: CommandLine;
let kubernetes: FakeKubernetes;
let tokenFile: string;
const running = new Set<Watcher>();

beforeAll(async () => (line = await startCommandLine()));
afterAll(() => line.stop());
beforeEach(async () => {
  kubernetes = await new FakeKubernetes().start();
  tokenFile = join(await mkdtemp(join(line.home, 'kubernetes-')), 'token');
  await writeFile(tokenFile, `${kubernetes.token}\n`);
  line.sent.length = 0;
});
afterEach(async () => {
  for (const watcher of running) await watcher.stop();
  await kubernetes.stop();
});

/** Short, but for what must not end by itself. */
const quick: KubernetesTimers = { quiet: 20, longest: 200, relist: 60_000, retry: 5, maxRetry: 50, lease: 30_000 };

interface Watcher {
  err: () => string;
  /** Resolves when it has ended. */
  stop: () => Promise<void>;
}

interface WatcherOptions {
  cluster: string;
  times?: Partial<KubernetesTimers>;
  more?: Record<string, string>;
  /** Receives the names of the desired nodes of each plan. */
  onPlan?: (names: ReadonlySet<string>) => void;
}

function startWatcher({ cluster, times = {}, more = {}, onPlan }: WatcherOptions): Watcher {
  const controller = new AbortController();
  let err = '';
  const fetch: World['fetch'] = (url, init) => {
    if (onPlan !== undefined && url.endsWith('/v1/reconcile')) {
      const { desired } = JSON.parse(init.body as string);
      if (desired !== undefined) onPlan(new Set(desired.nodes.map((node: any) => node.node_name)));
    }
    return line.fetch(url, init);
  };
  const world: World = {
    env: { HOME: line.home },
    out: () => undefined,
    err: (text) => (err += text),
    readInput: () => Promise.resolve(''),
    ask: undefined,
    signal: controller.signal,
    leaving: new AbortController().signal,
    clock: processClock,
  };
  const options = new Options({ cluster, maxRemovals: '100', apiServer: kubernetes.url, tokenFile, ...more });
  const connect = () => Promise.resolve(createClient({ url: ADDRESS, key: line.inventory.keys.Editor, fetch }));
  const call = {
    name: 'sync-kubernetes',
    args: [],
    options,
    world,
    commands: [],
    output: new Output(options, world),
    connect,
  };
  const settings = () => Promise.reject(new Error('not used'));
  const ended = runWith({ ...call, settings }, { ...quick, ...times }).catch((error: unknown) => {
    if (!controller.signal.aborted) throw error;
  });
  const watcher: Watcher = {
    err: () => err,
    stop: async () => {
      running.delete(watcher);
      controller.abort(new Interruption('Terminated.', 'terminated'));
      await ended;
    },
  };
  running.add(watcher);
  return watcher;
}

/** @throws Error with the output of the watchers if it is not true within a minute. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (
    const end = performance.now() + 60_000;
    !(await isTrue());
    await new Promise((resolve) => setTimeout(resolve, 10))
  )
    if (performance.now() > end)
      throw new Error(`Not within a minute. ${[...running].map((watcher) => watcher.err()).join('')}`);
}

const plansSent = () => line.sent.filter((request) => request === 'POST /v1/reconcile').length;

async function listed(cluster: string, items: 'nodes' | 'services' = 'nodes'): Promise<any[]> {
  const selector = encodeURIComponent(`kubernetes=${cluster}`);
  const { body } = await line.inventory.request('GET', `/v1/${items}?selector=${selector}&page_size=1000`);
  return body[items];
}

const addresses = async (cluster: string) =>
  Object.fromEntries((await listed(cluster)).map((node) => [node.node_name.slice(cluster.length + 1), node.address]));

interface PodOptions {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  phase?: string;
  terminating?: boolean;
}

/** A pod as the API server returns it. */
function pod(key: string, podIP: string | undefined, { labels, annotations, phase, terminating }: PodOptions = {}) {
  const [namespace = '', name = ''] = key.split('/');
  const metadata = { namespace, name, ...(labels && { labels }), ...(annotations && { annotations }) };
  return {
    metadata: { ...metadata, ...(terminating && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: { containers: [{ name: 'database' }] },
    status: { phase: phase ?? (podIP === undefined ? 'Pending' : 'Running'), ...(podIP && { podIP }) },
  };
}

/** The labels that Percona's operators give their pods. */
const labelsOf = (operator: string, component: string, instance: string, more: Record<string, string> = {}) => ({
  'app.kubernetes.io/instance': instance,
  'app.kubernetes.io/managed-by': operator,
  'app.kubernetes.io/component': component,
  ...more,
});
const mongod = labelsOf('percona-server-mongodb-operator', 'mongod', 'docs', { 'app.kubernetes.io/replset': 'rs0' });
const pxc = labelsOf('percona-xtradb-cluster-operator', 'pxc', 'shop');
const haproxy = labelsOf('percona-xtradb-cluster-operator', 'haproxy', 'shop');

const putPxc = (key: string, address: string | undefined) => kubernetes.put(pod(key, address, { labels: pxc }));

test('a dry run reads all pages, plans the databases, and sends no request that writes', async () => {
  const ps = 'percona-server-mysql-operator';
  for (const podOfOperator of [
    pod('db/docs-rs0-0', '10.0.0.1', { labels: mongod }),
    pod('db/shop-pxc-0', '10.0.0.2', { labels: pxc }),
    pod('db/shop-haproxy-0', '10.0.0.3', { labels: haproxy }),
    pod('db/old-mysql-0', '10.0.0.4', { labels: labelsOf(ps, 'mysql', 'old') }),
    pod('db/new-mysql-0', '10.0.0.5', { labels: labelsOf(ps, 'database', 'new'), terminating: true }),
    pod('db/pg-0', '10.0.0.6', { labels: labelsOf('percona-postgresql-operator', 'pg', 'pg') }),
    pod('db/backup-1', '10.0.0.7', { labels: pxc, phase: 'Succeeded' }),
    pod('web/front-1', '10.0.0.8'),
    pod('web/cache-0', 'fd00::9', { annotations: { 'inventory/service-type': 'valkey', 'inventory/port': '7000' } }),
    pod('web/proxy-0', '10.0.0.10', { annotations: { 'inventory/service-type': 'haproxy' } }),
    pod('web/wrong-0', '10.0.0.11', { annotations: { 'inventory/service-type': 'oracle' } }),
    pod('web/wrong-1', '10.0.0.12', { annotations: { 'inventory/service-type': 'mysql', 'inventory/port': '0' } }),
    pod('web/new-0', undefined, { annotations: { 'inventory/service-type': 'mysql' } }),
  ])
    kubernetes.put(podOfOperator);
  const to = ['--api-server', kubernetes.url, '--token-file', tokenFile];
  const { code, json, err } = await line.inventoryCommand(
    ['sync-kubernetes', '--cluster', 'dry', '--dry-run', '-o', 'json', ...to],
    {},
  );
  expect([code, err.trim().split('\n')]).toEqual([
    0,
    [
      expect.stringContaining('web/wrong-0: the annotation inventory/service-type is wrong: oracle'),
      expect.stringContaining('web/wrong-1: the annotation inventory/port is wrong: 0'),
    ],
  ]);
  const [{ items, add }] = json();
  expect([add, items.length]).toEqual([14, 14]);
  expect(kubernetes.requests).toHaveLength(7);
  expect(kubernetes.requests.filter((request) => !request.startsWith('GET /api/v1/pods?limit='))).toEqual([]);
  expect(await listed('dry')).toEqual([]);

  startWatcher({ cluster: 'dry' });
  await until(async () => (await listed('dry', 'services')).length === 7);
  const services = await listed('dry', 'services');
  expect(
    services
      .map((service) => [service.service_name, service.service_type, service.address, service.port, service.cluster])
      .sort(),
  ).toEqual([
    ['dry/db/docs-rs0-0', 'mongodb', '10.0.0.1', 27017, 'docs'],
    ['dry/db/new-mysql-0', 'mysql', '10.0.0.5', 3306, 'new'],
    ['dry/db/old-mysql-0', 'mysql', '10.0.0.4', 3306, 'old'],
    ['dry/db/pg-0', 'postgresql', '10.0.0.6', 5432, 'pg'],
    ['dry/db/shop-pxc-0', 'mysql', '10.0.0.2', 3306, 'shop'],
    ['dry/web/cache-0', 'valkey', 'fd00::9', 7000, undefined],
    ['dry/web/proxy-0', 'haproxy', undefined, undefined, undefined],
  ]);
  expect(services.filter((service) => service.replication_set === 'rs0')).toHaveLength(1);
});

test('it requires a cluster name and a cluster', async () => {
  const none = await line.inventoryCommand(['sync-kubernetes']);
  expect([none.code, none.err]).toEqual([64, expect.stringContaining('--cluster NAME')]);
  const nowhere = await line.inventoryCommand(['sync-kubernetes', '--cluster', 'a']);
  expect([nowhere.code, nowhere.err]).toEqual([64, expect.stringContaining('--api-server URL')]);
});

test('it follows pods: a new address is a change, and an ending pod stays until it is gone', async () => {
  putPxc('db/a', '10.1.0.1');
  putPxc('db/b', '10.1.0.2');
  putPxc('db/c', '10.1.0.3');
  startWatcher({ cluster: 'follow' });
  await until(async () => (await listed('follow')).length === 3);
  const before = await listed('follow');
  // A pod that starts again has no address for a while.
  kubernetes.delete('db/a');
  putPxc('db/a', undefined);
  kubernetes.put(pod('db/b', '10.1.0.2', { labels: pxc, terminating: true }));
  kubernetes.bookmark();
  putPxc('db/d', '10.1.0.4');
  await until(async () => (await listed('follow')).length === 4);
  putPxc('db/a', '10.1.0.5');
  await until(async () => (await addresses('follow'))['db/a'] === '10.1.0.5');
  kubernetes.delete('db/b');
  await until(async () => (await listed('follow')).length === 3);
  const after = new Map((await listed('follow')).map((node) => [node.node_name, node.node_id]));
  for (const { node_name: name, node_id: id } of before) if (!name.endsWith('/b')) expect(after.get(name)).toBe(id);
  expect((await listed('follow', 'services')).map((service) => service.service_name).sort()).toEqual(
    ['a', 'c', 'd'].map((name) => `follow/db/${name}`),
  );
});

test('only pods of the namespace are read, and only its objects are removed', async () => {
  putPxc('one/a', '10.2.0.1');
  putPxc('two/a', '10.2.0.2');
  const all = startWatcher({ cluster: 'spaces' });
  await until(async () => (await listed('spaces')).length === 2);
  await all.stop();
  putPxc('one/b', '10.2.0.3');
  kubernetes.delete('two/a');
  startWatcher({ cluster: 'spaces', more: { namespace: 'one' } });
  await until(async () => (await listed('spaces')).length === 3);
  expect(Object.keys(await addresses('spaces')).sort()).toEqual(['one/a', 'one/b', 'two/a']);
});

test('changes during an interrupted watch, or after an expired version, arrive', async () => {
  putPxc('db/a', '10.3.0.1');
  startWatcher({ cluster: 'faults' });
  await until(async () => (await listed('faults')).length === 1);
  for (const [index, fault] of ['cut', 'expire', 'cut', 'expire'].entries()) {
    await until(() => kubernetes.openWatches === 1);
    kubernetes[fault as 'cut' | 'expire']();
    putPxc(`db/${fault}-${index}`, `10.3.1.${index}`);
    await until(async () => (await listed('faults')).length === index + 2);
  }
  expect(await addresses('faults')).toMatchObject({ 'db/a': '10.3.0.1' });
});

test('pods are unknown until a list is complete and its watch is open, and again as soon as the watch ends', async () => {
  putPxc('db/a', '10.12.0.1');
  const api = new KubernetesApi({ url: kubernetes.url, tokenFile, ca: undefined });
  const controller = new AbortController();
  const states = followPods({ api, namespace: undefined, warn: () => undefined }, quick, {
    signal: controller.signal,
    clock: processClock,
  });
  const next = async () => {
    const { value } = await states.next();
    return value === undefined ? undefined : [...value.keys()];
  };
  let failures = 2;
  kubernetes.onPage = () => ((failures -= 1) < 0 ? undefined : 'fail');
  for (let count = 0; count < 3; count += 1) expect(await next()).toBeUndefined();
  expect(await next()).toEqual(['db/a']);
  kubernetes.cut();
  expect(await next()).toBeUndefined();
  expect(await next()).toEqual(['db/a']);
  putPxc('db/b', '10.12.0.2');
  expect(await next()).toEqual(['db/a', 'db/b']);
  kubernetes.expire();
  for (let count = 0; count < 2; count += 1) expect(await next()).toBeUndefined();
  expect(await next()).toEqual(['db/a', 'db/b']);
  controller.abort();
  expect(await next()).toBeUndefined();
  await expect(next()).rejects.toThrow('aborted');
});

test('in a pod the server is that of the environment, also with an IPv6 address', async () => {
  const options = new Options({ apiCa: tokenFile, tokenFile });
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
  const { url, ca } = await kubernetesServer(options, { env });
  expect([url, ca]).toEqual(['https://[fd00::1]:6443', 'token-1\n']);
});

test('an incomplete list with failed or expired pages causes no reconciliation', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) putPxc(`db/${name}`, '10.4.0.1');
  const first = startWatcher({ cluster: 'lists' });
  await until(async () => (await listed('lists')).length === 5);
  await first.stop();
  let pages = 0;
  const laterPages = (fault: 'fail' | 'expire', most: number) => (isFirst: boolean) =>
    isFirst || pages >= most ? undefined : ((pages += 1), fault);
  kubernetes.onPage = laterPages('fail', Infinity);
  const sent = plansSent();
  const second = startWatcher({ cluster: 'lists' });
  await until(() => pages >= 5);
  expect(plansSent()).toBe(sent);
  expect(second.err()).toContain('etcdserver: leader changed');
  await second.stop();
  pages = 0;
  kubernetes.onPage = laterPages('expire', 3);
  startWatcher({ cluster: 'lists' });
  await until(() => plansSent() > sent);
  expect(pages).toBe(3);
  expect(await listed('lists')).toHaveLength(5);
});

test('the token is read again, because Kubernetes replaces it', async () => {
  putPxc('db/a', '10.5.0.1');
  const watcher = startWatcher({ cluster: 'token', times: { relist: 50 } });
  await until(async () => (await listed('token')).length === 1);
  kubernetes.token = 'token-2';
  kubernetes.cut();
  await until(() => watcher.err().includes('Unauthorized'));
  expect(await listed('token')).toHaveLength(1);
  putPxc('db/b', '10.5.0.2');
  await writeFile(tokenFile, 'token-2');
  await until(async () => (await listed('token')).length === 2);
  expect(watcher.err()).not.toContain('token-');
});

test('agents of a pod stay until the pod ends', async () => {
  putPxc('db/a', '10.6.0.1');
  putPxc('db/b', '10.6.0.2');
  startWatcher({ cluster: 'agents' });
  await until(async () => (await listed('agents')).length === 2);
  const add = async (name: string) => {
    const { node_id: id } = (await listed('agents')).find((node) => node.node_name === `agents/db/${name}`);
    const body = { agent_type: 'pmm_agent', runs_on_node_id: id };
    expect((await line.inventory.request('POST', '/v1/agents', { body })).status).toBe(201);
  };
  await add('a');
  await add('b');
  const agents = async () => (await line.inventory.request('GET', '/v1/agents?agent_type=pmm_agent')).body.agents;
  putPxc('db/c', '10.6.0.3');
  await until(async () => (await listed('agents')).length === 3);
  expect(await agents()).toHaveLength(2);
  kubernetes.delete('db/b');
  await until(async () => (await listed('agents')).length === 2);
  expect(await agents()).toHaveLength(1);
});

test('the server refuses to remove too much or everything', async () => {
  for (const name of ['a', 'b', 'c']) putPxc(`db/${name}`, '10.7.0.1');
  const watcher = startWatcher({ cluster: 'guard', more: { maxRemovals: '40%' } });
  await until(async () => (await listed('guard')).length === 3);
  kubernetes.delete('db/a');
  await until(async () => (await listed('guard')).length === 2);
  kubernetes.delete('db/b');
  await until(() => watcher.err().includes('max_removals_percent allows 40 %'));
  kubernetes.delete('db/c');
  await until(() => /empty|no objects/i.test(watcher.err()));
  expect(await listed('guard')).toHaveLength(2);
});

test('one of two replicas acts, and the other takes over when it ends or is silent', async () => {
  putPxc('db/a', '10.8.0.1');
  const lists = () => kubernetes.requests.filter((request) => request.startsWith('GET /api/v1/pods?limit')).length;
  const times = { lease: 2000 };
  const first = startWatcher({ cluster: 'lease', times });
  await until(async () => (await listed('lease')).length === 1);
  const holder = kubernetes.lease('inventory-sync-kubernetes').spec.holderIdentity;
  expect(kubernetes.lease('inventory-sync-kubernetes').spec).toMatchObject({
    leaseDurationSeconds: 2,
    renewTime: expect.stringMatching(/\.\d{6}Z$/),
  });
  const before = lists();
  const second = startWatcher({ cluster: 'lease', times });
  const renewals = () => kubernetes.requests.filter((request) => request.startsWith('PUT ')).length;
  const renewed = renewals();
  await until(() => renewals() >= renewed + 3);
  expect(lists()).toBe(before);
  await first.stop();
  putPxc('db/b', '10.8.0.2');
  await until(async () => (await listed('lease')).length === 2);
  const lease = kubernetes.lease('inventory-sync-kubernetes');
  expect(lease.spec.holderIdentity).not.toBe(holder);
  // Another replica takes the lease and then stops without releasing it.
  lease.spec.holderIdentity = 'silent';
  await until(() => second.err().includes('The lease is lost'));
  putPxc('db/c', '10.8.0.3');
  await until(async () => (await listed('lease')).length === 3);
  expect(kubernetes.lease('inventory-sync-kubernetes').spec.holderIdentity).not.toBe('silent');
});

test('an inventory error is shown, and the next round retries', async () => {
  putPxc('db/a', '10.9.0.1');
  const { Editor: key } = line.inventory.keys;
  line.inventory.keys.Editor = 'minv_wrong';
  const watcher = startWatcher({ cluster: 'errors' });
  await until(() => watcher.err().includes('errors: '));
  await watcher.stop();
  line.inventory.keys.Editor = key;
  expect(await listed('errors')).toEqual([]);
  startWatcher({ cluster: 'errors' });
  await until(async () => (await listed('errors')).length === 1);
});

describe('the reconciliation delay', () => {
  const pods: DatabasePods = new Map();
  const end = new AbortController();

  test('is 2 to 20 seconds, and a complete list is read every 5 minutes', () => {
    expect(timers).toMatchObject({ quiet: 2000, longest: 20_000, relist: 300_000 });
  });

  test('combines a burst, applies to continuously changing pods, and never ends for unknown ones', async () => {
    let [count, isQuiet] = [0, false];
    async function* source() {
      for (let number = 0; number < 100; number += 1) yield pods;
      await until(() => count === 1);
      yield undefined;
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(count).toBe(1);
      // Without end, and faster than the quiet time.
      while (count === 1) {
        yield pods;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      // A reconciliation that failed is tried again without an event.
      await until(() => count === 3);
      yield undefined;
      isQuiet = true;
    }
    const reconcile = () => {
      count += 1;
      return Promise.resolve(count !== 2);
    };
    await syncPods(source(), reconcile, { quiet: 3_600_000, longest: 20 }, { signal: end.signal, clock: processClock });
    expect([count, isQuiet]).toEqual([3, true]);
  });
});

test('restarts during a rollout with faults never lose or remove a running pod', async () => {
  const random = new Random(testSeed);
  const cluster = 'rollout';
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `db/${name}`);
  let address = 1;
  const next = () => `10.10.${Math.floor(address / 200)}.${(address++ % 200) + 1}`;
  for (const name of names) putPxc(name, next());
  const [stable, rolled] = [names.slice(0, 3), names.slice(3)];
  /** Pods that did not run at some time since the present watcher started. */
  const interrupted = new Set<string>();
  const wrong: string[] = [];
  const onPlan = (planned: ReadonlySet<string>) => {
    for (const name of names)
      if (!planned.has(`${cluster}/${name}`) && !interrupted.has(name)) wrong.push(`${name} of ${planned.size}`);
  };
  const first = startWatcher({ cluster });
  await until(async () => (await listed(cluster)).length === names.length);
  await first.stop();
  const ids = new Map((await listed(cluster)).map((node) => [node.node_name, node.node_id]));
  const pause = (most: number) => new Promise((resolve) => setTimeout(resolve, random.next() * most));
  const over = new AbortController();
  const rollout = (async () => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const name = rolled[index % rolled.length]!;
      interrupted.add(name);
      kubernetes.delete(name);
      await pause(20);
      putPxc(name, undefined);
      await pause(20);
      putPxc(name, next());
      await pause(20);
    }
  })();
  kubernetes.onPage = () =>
    over.signal.aborted ? undefined : random.pick(['fail', 'expire', undefined, undefined, undefined]);
  for (let count = 0; count < inFull(50, 12); count += 1) {
    interrupted.clear();
    for (const name of names) if (!kubernetes.isRunning(name)) interrupted.add(name);
    const watcher = startWatcher({ cluster, onPlan });
    await pause(150);
    if (random.chance(0.3)) kubernetes.cut();
    if (random.chance(0.3)) kubernetes.expire();
    await pause(150);
    await watcher.stop();
  }
  over.abort();
  await rollout;
  expect(wrong).toEqual([]);
  startWatcher({ cluster });
  await until(async () => {
    const now = await addresses(cluster);
    return names.every((name) => now[name] === kubernetes.addressOf(name)) && Object.keys(now).length === names.length;
  });
  const last = new Map((await listed(cluster)).map((node) => [node.node_name, node.node_id]));
  for (const name of stable) expect(last.get(`${cluster}/${name}`)).toBe(ids.get(`${cluster}/${name}`));
  expect(plansSent()).toBeGreaterThan(5);
});

describe('the manifests of docs/kubernetes.md', () => {
  let text: string;
  let objects: any[];
  beforeAll(async () => {
    text = await readFile(new URL('../../docs/kubernetes.md', import.meta.url), 'utf8');
    const section = text.split('\n## ').find((part) => part.startsWith('A watcher for a cluster\n')) ?? '';
    const documents = parseAllDocuments(fencedBlocks(section, 'yaml')[0] ?? '');
    objects = [];
    for (const document of documents) {
      if (!('errors' in document)) throw new Error('There is no manifest.');
      expect([document.errors, document.warnings]).toEqual([[], []]);
      objects.push(document.toJS());
    }
  });
  const ofKind = (kind: string) => objects.find((object) => object.kind === kind);

  test('refer to each other, and to files that the commands create', () => {
    const { metadata, spec } = ofKind('Deployment');
    const account = ofKind('ServiceAccount').metadata;
    expect(spec.template.spec.serviceAccountName).toBe(account.name);
    expect(metadata.namespace).toBe(account.namespace);
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    for (const [binding, role] of [
      ['ClusterRoleBinding', 'ClusterRole'],
      ['RoleBinding', 'Role'],
    ] as const) {
      const { roleRef, subjects } = ofKind(binding);
      expect(roleRef).toMatchObject({ kind: role, name: ofKind(role).metadata.name });
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }]);
    }
    const [{ command, env, volumeMounts }] = spec.template.spec.containers;
    const { volumes } = spec.template.spec;
    const sources = volumes.map((volume: any) => volume.configMap?.name ?? volume.secret.secretName);
    const created = [...text.matchAll(/create (?:configmap|secret generic) (\S+) (.*)/g)];
    expect(sources).toEqual(created.map(([, name]) => name));
    const files = created.flatMap(([, , rest = '']) =>
      [...rest.matchAll(/--from-file=(?:([\w.]+)=)?(\S+)/g)].map(
        ([, name, path = '']) => name ?? path.split('/').at(-1),
      ),
    );
    const used = [command[1], ...env.map((variable: any) => variable.value)].filter((path) => path.startsWith('/'));
    expect(used.map((path) => path.split('/').at(-1)).sort()).toEqual(files.sort());
    const folders = volumeMounts.map((mount: any) => mount.mountPath);
    for (const path of used) expect(folders).toContain(path.slice(0, path.lastIndexOf('/')));
    for (const { name } of env) expect(['INVENTORY_URL', 'INVENTORY_KEY_FILE', 'INVENTORY_CA']).toContain(name);
  });

  test('start the program with valid arguments, and grant exactly its rights', async () => {
    putPxc('db/a', '10.11.0.1');
    const [{ args }] = ofKind('Deployment').spec.template.spec.containers;
    const to = ['--api-server', kubernetes.url, '--token-file', tokenFile];
    const { code, err } = await line.inventoryCommand([...args, ...to, '--dry-run']);
    expect([code, err]).toEqual([0, '']);
    const watcher = startWatcher({ cluster: 'rights' });
    await until(async () => (await listed('rights')).length === 1);
    await watcher.stop();
    const again = startWatcher({ cluster: 'rights' });
    await until(() => kubernetes.openWatches === 1);
    await again.stop();
    const rightOf = (request: string) => {
      const [method = '', path = ''] = request.split(' ');
      const [, group, resource, name] = /^\/apis?(?:\/([\w.]+\.\w+))?\/v1\/(?:namespaces\/[^/]+\/)?(\w+)(\/)?/.exec(
        path,
      )!;
      const reading = path.includes('watch=1') ? 'watch' : name === undefined ? 'list' : 'get';
      const verb = { GET: reading, POST: 'create', PUT: 'update' }[method];
      return `${group ?? ''} ${resource} ${verb}`;
    };
    const granted = ['ClusterRole', 'Role'].flatMap((kind) =>
      ofKind(kind).rules.flatMap(({ apiGroups, resources, verbs }: any) =>
        verbs.map((verb: string) => `${apiGroups} ${resources} ${verb}`),
      ),
    );
    expect(new Set(kubernetes.requests.map(rightOf))).toEqual(new Set(granted));
  });
});
