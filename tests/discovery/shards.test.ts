/** The real Prometheus discovers a real server in parts, with the configuration of docs/large-discovery.md. */
import { bodyOf } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { documentedConfig, scrapeHere, useScraper } from './discovered.ts';
import { prometheus as program } from './scraper.ts';

const TARGETS = 12;

const { discovered, scraper: prometheus } = useScraper(async (discovered) => {
  const config = await documentedConfig('Request parts', [
    ...['0/2', '1/2'].map((shard): [string, string] => [
      `https://inventory.example.com/v1/discovery/prometheus?shard=${shard}\n        refresh_interval: 60s`,
      `${discovered.server.base}/v1/discovery/prometheus?shard=${shard}\n        refresh_interval: 1s`,
    ]),
    scrapeHere(discovered.port),
  ]);
  const text = config
    .replaceAll('/etc/prometheus/inventory.key', discovered.keyFile)
    .replaceAll('/etc/prometheus/inventory-ca.pem', discovered.caFile);
  return { program, config: text };
});

test('Prometheus scrapes the union of the parts, each target once', async () => {
  const { editor, port } = discovered;
  const add = async (path: string, body: Record<string, unknown>): Promise<any> =>
    bodyOf(await editor('POST', path, { body }), 201);
  const { node_id: node } = await add('/v1/nodes', {
    node_type: 'generic',
    node_name: 'db-1',
    address: '192.0.2.1',
  });
  const ids: string[] = [];
  for (let index = 0; index < TARGETS; index += 1) {
    const agent = { agent_type: 'external_exporter', runs_on_node_id: node, listen_port: port };
    ids.push((await add('/v1/agents', { ...agent, metrics_path: `/${index}` })).agent_id);
  }
  await eventually(async () => {
    const { active } = await prometheus.targets();
    return active.length === TARGETS && active.every(({ health }) => health === 'up');
  });
  const { active } = await prometheus.targets();
  expect(active.map(({ labels }) => labels['agent_id']).sort()).toEqual(ids.toSorted());
});
