/** The real vmagent discovers a real server, with the configuration of docs/discovery.md and a Viewer's key over TLS. */
import { readFile } from 'node:fs/promises';
import { eventually } from '../end-to-end/processes.ts';
import { addCluster, type Discovered, documentedConfig, startDiscovered } from './discovered.ts';
import { type Program, type Scraper, startScraper } from './scraper.ts';

const REFRESH_SECONDS = 1;

/** A refresh and what the request takes. */
const REFRESHED_MS = (REFRESH_SECONDS + 4) * 1000;

const PATH = '/usr/bin/vmagent';

let discovered: Discovered;
let vmagent: Scraper;
/** Ends what was started, last first. */
const stops: (() => Promise<void>)[] = [];

/** The documented command, for this file and this receiver of what was scraped. */
async function documentedProgram(receiver: string): Promise<Program> {
  const docs = await readFile(new URL('../../docs/discovery.md', import.meta.url), 'utf8');
  const [, command = ''] = /^`vmagent (-[^`]*)`$/m.exec(docs) ?? [];
  return {
    path: PATH,
    debianPackage: 'victoria-metrics',
    arguments: (home, file, port) => [
      ...command
        .replace('/etc/vmagent/inventory.yml', file)
        .replace('CheckInterval=60s', `CheckInterval=${REFRESH_SECONDS}s`)
        .replace('remoteWrite.url=...', `remoteWrite.url=${receiver}`)
        .split(' '),
      `-remoteWrite.tmpDataPath=${home}/data`,
      `-httpListenAddr=127.0.0.1:${port}`,
    ],
    readyPath: '/health',
  };
}

beforeAll(async () => {
  discovered = await startDiscovered();
  stops.push(discovered.stop);
  const config = await documentedConfig('VictoriaMetrics vmagent', [
    ['https://inventory.example.com', discovered.server.base],
    ['/etc/vmagent/inventory.key', discovered.keyFile],
    ['/etc/vmagent/inventory-ca.pem', discovered.caFile],
  ]);
  const program = await documentedProgram(`http://127.0.0.1:${discovered.port}/received`);
  vmagent = await startScraper(program, discovered.folder, config);
  stops.push(vmagent.stop);
}, 60_000);

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

test('it discovers a cluster with its labels, scrapes it, and drops an agent that is removed within one refresh', async () => {
  const { editor, port, asked } = discovered;
  expect((await vmagent.targets()).active).toEqual([]);
  const { nodes, agents, external } = await addCluster(discovered);

  await eventually(async () => (await vmagent.targets()).active.length === 4, REFRESHED_MS);
  const { active, dropped } = await vmagent.targets();
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

  // It really scrapes what it has found, and sends it on.
  await eventually(async () => {
    const { active: now } = await vmagent.targets();
    return now.find(({ labels }) => labels['agent_id'] === external.agent_id)?.health === 'up';
  });
  await eventually(() => asked.has('/received'));
  expect([...asked]).toContain('/custom');

  const removed = performance.now();
  expect((await editor('DELETE', `/v1/agents/${agents[0].agent_id}`)).status).toBe(204);
  await eventually(async () => (await vmagent.targets()).active.length === 3, REFRESHED_MS);
  expect(performance.now() - removed).toBeLessThan(REFRESHED_MS);
  const left = (await vmagent.targets()).active.map(({ labels }) => labels['agent_id']);
  expect(left).not.toContain(agents[0].agent_id);
}, 40_000);

test('an error leaves it with the targets that it had', async () => {
  const { active } = await vmagent.targets();
  expect(active).toHaveLength(3);
  const failures = () =>
    vmagent.said().split(`cannot fetch "${discovered.server.base}/v1/discovery/prometheus"`).length - 1;
  expect(failures()).toBe(0);
  await discovered.server.stop();
  await eventually(() => failures() > 2);
  expect((await vmagent.targets()).active).toHaveLength(active.length);
}, 30_000);
