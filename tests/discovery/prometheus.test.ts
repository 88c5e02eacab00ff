/** The real Prometheus discovers a real server, with the configuration of docs/discovery.md and a Viewer's key over TLS. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const REFRESH_SECONDS = 1;

/** A refresh, what the request takes, and what Prometheus waits for before it hands changes to its scrapers: 5 s. */
const REFRESHED_MS = (REFRESH_SECONDS + 5 + 4) * 1000;

let folder: string;
let server: RunningServer;
let exporter: Server;
let editor: Client;
let prometheus: Prometheus;
/** Ends what was started, last first. */
const stops: (() => unknown)[] = [];
/** What the exporter was asked for. */
const scraped = new Set<string>();

/** The configuration of the docs, for these files and this server. */
async function documentedConfig(keyFile: string, caFile: string): Promise<string> {
  const docs = await readFile(new URL('../../docs/discovery.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /^## Prometheus\n\n```yaml\n(.*?)^```/ms.exec(docs) ?? [];
  const replacements = [
    ['https://inventory.example.com', server.base],
    ['refresh_interval: 60s', `refresh_interval: ${REFRESH_SECONDS}s`],
    ['/etc/prometheus/inventory.key', keyFile],
    ['/etc/prometheus/inventory-ca.pem', caFile],
  ] as const;
  return replacements.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`not once in the documented configuration: ${from}`);
    return text.replace(from, to);
  }, `global: { scrape_interval: 1s, scrape_timeout: 1s }\n${yaml}`);
}

const add = async (path: string, body: Record<string, unknown>): Promise<any> =>
  bodyOf(await editor('POST', path, { body }), 201);

beforeAll(async () => {
  folder = await newDataDir();
  stops.push(() => removeDataDir(folder));
  exporter = createServer((request, response) => {
    scraped.add(request.url ?? '');
    response.setHeader('Content-Type', 'text/plain; version=0.0.4').end('mysql_up 1\n');
  }).listen(0, '127.0.0.1');
  [server] = await Promise.all([
    startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } }),
    once(exporter, 'listening'),
  ]);
  stops.push(
    () => server.stop(),
    () => exporter.close(),
  );
  const { keys } = await makeKeys(server);
  editor = clientOf(server, bearer(keys.Editor));
  await writeFile(join(folder, 'inventory.key'), `${keys.Viewer}\n`, { mode: 0o600 });
  const config = await documentedConfig(join(folder, 'inventory.key'), join(folder, 'data', 'tls-cert.pem'));
  prometheus = await startPrometheus(folder, config);
  stops.push(prometheus.stop);
}, 60_000);

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

test('an empty inventory is no target, and no failure', async () => {
  await eventually(async () => (await prometheus.counter('prometheus_sd_refresh_duration_seconds_count')) > 1);
  expect(await prometheus.targets()).toEqual({ active: [], dropped: [] });
  expect(await prometheus.counter('prometheus_sd_http_failures_total')).toBe(0);
});

test('it discovers a cluster with its labels, scrapes it, and drops an agent that is removed within one refresh', async () => {
  const { port } = exporter.address() as { port: number };
  const addresses = ['127.0.0.1', '127.0.0.2', '::1'];
  const nodes = await Promise.all(
    addresses.map((address, index) =>
      add('/v1/nodes', {
        node_type: 'generic',
        node_name: `db "${index}" \u4e2d`,
        address,
        region: 'eu',
        custom_labels: { rack: `r${index}` },
      }),
    ),
  );
  const service = await add('/v1/services', {
    service_type: 'mysql',
    service_name: 'orders',
    node_ids: nodes.map(({ node_id: id }) => id),
    address: '127.0.0.1',
    port: 3306,
    environment: 'prod',
    cluster: 'pxc',
    custom_labels: { team: 'shop', rack: 'none' },
  });
  const agents = await Promise.all(
    nodes.map(async ({ node_id: id }) => {
      const process = await add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
      const under = { pmm_agent_id: process.agent_id, listen_port: port };
      await add('/v1/agents', { ...under, agent_type: 'node_exporter' });
      return add('/v1/agents', {
        ...under,
        agent_type: 'mysqld_exporter',
        expose_exporter: true,
        insights: { service_ids: [service.service_id] },
      });
    }),
  );
  const external = await add('/v1/agents', {
    agent_type: 'external_exporter',
    runs_on_node_id: nodes[0].node_id,
    listen_port: port,
    metrics_path: '/custom',
    custom_labels: { rack: 'own' },
  });

  await eventually(async () => (await prometheus.targets()).active.length === 4, REFRESHED_MS);
  const { active, dropped } = await prometheus.targets();
  const byId = new Map(active.map((target) => [target.labels['agent_id'], target]));
  expect([...byId.keys()].sort()).toEqual([...agents, external].map(({ agent_id: id }) => id).sort());
  expect(byId.get(agents[2].agent_id)).toMatchObject({
    scrapeUrl: `http://[::1]:${port}/metrics`,
    discoveredLabels: { __meta_inventory_node_id: nodes[2].node_id, __scheme__: 'http' },
    labels: {
      instance: `[::1]:${port}`,
      job: 'mysqld_exporter',
      node_name: 'db "2" \u4e2d',
      service_name: 'orders',
      environment: 'prod',
      cluster: 'pxc',
      region: 'eu',
      team: 'shop',
      rack: 'none',
    },
  });
  expect(byId.get(external.agent_id)).toMatchObject({
    scrapeUrl: `http://127.0.0.1:${port}/custom`,
    labels: { job: 'external_exporter', node_name: 'db "0" \u4e2d', rack: 'own' },
  });
  // Those that only their own host reaches are dropped by the documented rule.
  expect(dropped.map(({ discoveredLabels: { job } }) => job)).toEqual([
    'node_exporter',
    'node_exporter',
    'node_exporter',
  ]);

  // It really scrapes what it has found.
  await eventually(async () => {
    const { active: now } = await prometheus.targets();
    return now.find(({ labels }) => labels['agent_id'] === external.agent_id)?.health === 'up';
  });
  expect([...scraped]).toContain('/custom');

  const removed = performance.now();
  expect((await editor('DELETE', `/v1/agents/${agents[0].agent_id}`)).status).toBe(204);
  await eventually(async () => (await prometheus.targets()).active.length === 3, REFRESHED_MS);
  expect(performance.now() - removed).toBeLessThan(REFRESHED_MS);
  const left = (await prometheus.targets()).active.map(({ labels }) => labels['agent_id']);
  expect(left).not.toContain(agents[0].agent_id);
  expect(await prometheus.counter('prometheus_sd_http_failures_total')).toBe(0);
}, 40_000);

test('an error leaves it with the targets that it had', async () => {
  const { active } = await prometheus.targets();
  const failures = () => prometheus.counter('prometheus_sd_http_failures_total');
  const before = await failures();
  await server.stop();
  await eventually(async () => (await failures()) > before + 1);
  expect((await prometheus.targets()).active).toHaveLength(active.length);
}, 30_000);
