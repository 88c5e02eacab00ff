import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type Program, type Scraper, startScraper } from './scraper.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

/** A real server to discover, an exporter to scrape, and the files that the documented configurations speak of. */
export interface DiscoveryFixture {
  folder: string;
  server: RunningServer;
  editor: Client;
  admin: Client;
  /** Where the exporter listens, on 127.0.0.1. */
  port: number;
  /** What the exporter was asked for. */
  asked: ReadonlySet<string>;
  keyFile: string;
  caFile: string;
  stop: () => Promise<void>;
}

export async function startDiscovered(): Promise<DiscoveryFixture> {
  const folder = await newDataDir();
  const asked = new Set<string>();
  const exporter = createServer((request, response) => {
    asked.add(request.url ?? '');
    request.resume();
    response.setHeader('Content-Type', 'text/plain; version=0.0.4').end('mysql_up 1\n');
  }).listen(0, '127.0.0.1');
  const [server] = await Promise.all([
    startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } }),
    once(exporter, 'listening'),
  ]);
  const { keys } = await makeKeys(server);
  const keyFile = join(folder, 'inventory.key');
  await writeFile(keyFile, `${keys.Viewer}\n`, { mode: 0o600 });
  return {
    folder,
    server,
    editor: clientOf(server, bearer(keys.Editor)),
    admin: clientOf(server, bearer(keys.Admin)),
    port: (exporter.address() as { port: number }).port,
    asked,
    keyFile,
    caFile: join(folder, 'data', 'tls-cert.pem'),
    stop: async () => {
      exporter.closeAllConnections();
      exporter.close();
      await server.stop();
      await removeDataDir(folder);
    },
  };
}

/** A server to discover, and a program that scrapes what it finds there, for the tests of a file. */
export function useScraper(setUp: (discovered: DiscoveryFixture) => Promise<{ program: Program; config: string }>): {
  discovered: DiscoveryFixture;
  scraper: Scraper;
} {
  const fixture = { discovered: {} as DiscoveryFixture, scraper: {} as Scraper };
  /** Ends what was started, last first. */
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const discovered = Object.assign(fixture.discovered, await startDiscovered());
    stops.push(discovered.stop);
    const { program, config } = await setUp(discovered);
    Object.assign(fixture.scraper, await startScraper(program, discovered.folder, config));
    stops.push(fixture.scraper.stop);
  });
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });
  return fixture;
}

/** The configuration under a heading of docs/discovery.md or docs/large-discovery.md, with what must be there once replaced. */
export async function documentedConfig(
  heading: string,
  replacements: readonly (readonly [from: string, to: string])[],
): Promise<string> {
  const pages = ['discovery', 'large-discovery'].map((name) =>
    readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
  );
  const section =
    (await Promise.all(pages))
      .flatMap((page) => page.split('\n## '))
      .find((candidate) => candidate.startsWith(`${heading}\n`)) ?? '';
  const [yaml = ''] = fencedBlocks(section, 'yaml');
  return replacements.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`not once in the documented configuration: ${from}`);
    return text.replace(from, to);
  }, `global: { scrape_interval: 1s, scrape_timeout: 1s }\n${yaml}`);
}

/** Scrapes this machine in place of every host: a node has no loopback address. */
export const scrapeHere = (port: number): [string, string] => [
  '    relabel_configs:\n',
  `    relabel_configs:\n      - target_label: __address__\n        replacement: 127.0.0.1:${port}\n`,
];

/** A cluster of three MySQL servers, each with two exporters, and an external exporter. The ids of those to be scraped. */
async function addCluster({ editor, port }: Pick<DiscoveryFixture, 'editor' | 'port'>) {
  const add = async (path: string, body: Record<string, unknown>): Promise<any> =>
    bodyOf(await editor('POST', path, { body }), 201);
  const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8::1'];
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
  return { nodes, agents, external };
}

/**
 * What every program that discovers targets must do: find the cluster with its labels, scrape it, and drop an agent that is
 * removed.
 */
export async function expectDiscovery({ editor, port, asked }: DiscoveryFixture, { targets }: Scraper): Promise<void> {
  const { nodes, agents, external } = await addCluster({ editor, port });
  await eventually(async () => (await targets()).active.length === 4);
  const { active, dropped } = await targets();
  const byId = new Map(active.map((target) => [target.labels['agent_id'], target]));
  expect([...byId.keys()].sort()).toEqual([...agents, external].map(({ agent_id: id }) => id).sort());
  expect(byId.get(agents[2].agent_id)).toMatchObject({
    scrapeUrl: `http://127.0.0.1:${port}/metrics`,
    discoveredLabels: {
      // Prometheus 2.42 shows the address as relabelled.
      __address__: expect.stringMatching(/^(127\.0\.0\.1|\[2001:db8::1\]):\d+$/),
      __meta_inventory_node_id: nodes[2].node_id,
      __scheme__: 'http',
    },
    labels: {
      instance: `127.0.0.1:${port}`,
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
  expect(dropped.map(({ discoveredLabels: { job } }) => job)).toEqual(Array.from(nodes, () => 'node_exporter'));

  // It really scrapes what it has found.
  await eventually(async () => {
    const { active: now } = await targets();
    return now.find(({ labels }) => labels['agent_id'] === external.agent_id)?.health === 'up';
  });
  expect([...asked]).toContain('/custom');

  expect((await editor('DELETE', `/v1/agents/${agents[0].agent_id}`)).status).toBe(204);
  await eventually(async () => (await targets()).active.length === 3);
  expect((await targets()).active.map(({ labels }) => labels['agent_id'])).not.toContain(agents[0].agent_id);
}
