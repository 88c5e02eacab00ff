/** The real Prometheus discovers a real server, with the configuration of docs/discovery.md and a Viewer's key over TLS. */
import { eventually } from '../end-to-end/processes.ts';
import { addCluster, type Discovered, documentedConfig, startDiscovered } from './discovered.ts';
import { prometheus as program, type Scraper, startScraper } from './scraper.ts';

const REFRESH_SECONDS = 1;

/** A refresh, what the request takes, and what Prometheus waits for before it hands changes to its scrapers: 5 s. */
const REFRESHED_MS = (REFRESH_SECONDS + 5 + 4) * 1000;

let discovered: Discovered;
let prometheus: Scraper;
/** Ends what was started, last first. */
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  discovered = await startDiscovered();
  stops.push(discovered.stop);
  const config = await documentedConfig('Prometheus', [
    ['https://inventory.example.com', discovered.server.base],
    ['refresh_interval: 60s', `refresh_interval: ${REFRESH_SECONDS}s`],
    ['/etc/prometheus/inventory.key', discovered.keyFile],
    ['/etc/prometheus/inventory-ca.pem', discovered.caFile],
  ]);
  prometheus = await startScraper(program, discovered.folder, config);
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
  const { editor, port, asked } = discovered;
  const { nodes, agents, external } = await addCluster(discovered);

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
  expect([...asked]).toContain('/custom');

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
  await discovered.server.stop();
  await eventually(async () => (await failures()) > before + 1);
  expect((await prometheus.targets()).active).toHaveLength(active.length);
}, 30_000);
