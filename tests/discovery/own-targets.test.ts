/**
 * A host with its Registrar key: the real vmagent scrapes the file that the documented unit writes, and sends to the real
 * VictoriaMetrics; the real Prometheus discovers the same targets itself.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bearer, bodyOf, type Client, clientOf } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { type DiscoveryFixture, startDiscovered } from './discovered.ts';
import { type Program, prometheus, type Scraper, startScraper } from './scraper.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

/** Of the acceptance: from a change of the inventory to the first, or after the last sample. */
const LIMIT_MS = 90_000;

const run = promisify(execFile);
const fileAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const victoriaMetrics: Program = {
  path: '/usr/bin/victoria-metrics',
  debianPackage: 'victoria-metrics',
  arguments: (home, _, port) => [
    `-storageDataPath=${home}/data`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-search.latencyOffset=0s',
  ],
  readyPath: '/health',
};

let discovered: DiscoveryFixture;
let metrics: Scraper;
let folder: string;
let host: Host;
const stops: (() => Promise<void>)[] = [];

interface Host {
  client: Client;
  keyFile: string;
  nodeId: string;
  processId: string;
}

/** Adds a node with a key of its own, as an enrolled host has it. */
async function addHost(name: string): Promise<Host> {
  const { admin, server } = discovered;
  const token = bodyOf(await admin('POST', '/v1/enrolment-tokens', { body: { name, allowed_addresses: ['*'] } }), 201);
  const node = { node_type: 'generic', node_name: name, address: `${name}.example` };
  const anybody = clientOf(server);
  const enrolled = bodyOf(await anybody('POST', '/v1/enrolment', { body: { token: token.token, node } }), 201);
  const keyFile = join(folder, `${name}.key`);
  await writeFile(keyFile, `${enrolled.api_key.key}\n`, { mode: 0o600 });
  const client = clientOf(server, bearer(enrolled.api_key.key));
  const { node_id: nodeId } = enrolled.node;
  const body = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  const { agent_id: processId } = bodyOf(await client('PUT', '/v1/agents/by-key', { body }), 201);
  return { client, keyFile, nodeId, processId };
}

/** Declares a service and its exporter with the key of the host. @returns the id of the exporter. */
async function declareService({ client, nodeId, processId }: Host, name: string): Promise<string> {
  const mysql = { service_type: 'mysql', node_ids: [nodeId], address: '127.0.0.1', port: 3306 };
  const service = bodyOf(await client('PUT', `/v1/services/by-name/${name}`, { body: mysql }), 201);
  const exporter = {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: processId,
    listen_port: discovered.port,
    push_metrics: true,
    insights: { service_ids: [service.service_id] },
  };
  return bodyOf(await client('PUT', '/v1/agents/by-key', { body: exporter }), 201).agent_id;
}

async function documented(language: 'ini' | 'yaml', holds: string): Promise<string> {
  const docs = await readFile(fileAt('docs/own-targets.md'), 'utf8');
  const blocks = fencedBlocks(docs, language).filter((text) => text.includes(holds));
  expect([holds, blocks.length]).toEqual([holds, 1]);
  return blocks[0]!;
}

function replaced(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((current, [from, to]) => {
    expect([from, current.split(from).length]).toEqual([from, 2]);
    return current.replace(from, to);
  }, text);
}

const targetsFile = () => join(folder, 'targets.json');

/** The command of the documented unit, as a timer runs it. */
async function report({ keyFile }: Host): Promise<void> {
  const unit = await documented('ini', 'ExecStart');
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  const words = replaced(command, [
    ['/usr/bin/env inventory', `${process.execPath} ${fileAt('clients/cli/src/main.ts')}`],
    ['/var/lib/inventory/targets.json', targetsFile()],
  ]).split(' ');
  await run(words[0]!, words.slice(1), {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      INVENTORY_URL: discovered.server.base,
      INVENTORY_KEY_FILE: keyFile,
      NODE_EXTRA_CA_CERTS: discovered.caFile,
    },
  });
}

/** The samples of the exporter of a service. */
const samples = (name: string) => metrics.query(`mysql_up{service_name="${name}"}`);

async function startVmagent(home: string): Promise<Scraper> {
  const yaml = await documented('yaml', 'file_sd_configs');
  const [, options = ''] = /vmagent (-promscrape\.config=.*)$/m.exec(yaml) ?? [];
  const config = replaced(yaml, [['/var/lib/inventory/targets.json', targetsFile()]]);
  await mkdir(home, { recursive: true });
  const program: Program = {
    path: '/usr/bin/vmagent',
    debianPackage: 'victoria-metrics',
    arguments: (enrolledHost, file, port) => [
      ...replaced(options, [
        ['/etc/vmagent/host.yml', file],
        ['remoteWrite.url=...', `remoteWrite.url=${metrics.base}/api/v1/write`],
      ]).split(' '),
      `-remoteWrite.tmpDataPath=${enrolledHost}/data`,
      `-httpListenAddr=127.0.0.1:${port}`,
    ],
    readyPath: '/health',
  };
  return startScraper(program, home, `global: { scrape_interval: 1s, scrape_timeout: 1s }\n${config}`);
}

/** Reports as a timer does until the condition holds. @returns the time that it took. */
async function reportUntil(of: Host, condition: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  await eventually(async () => {
    await report(of);
    return condition();
  });
  return performance.now() - start;
}

beforeAll(async () => {
  discovered = await startDiscovered();
  ({ folder } = discovered);
  stops.push(discovered.stop);
  await mkdir(join(folder, 'metrics'));
  metrics = await startScraper(victoriaMetrics, join(folder, 'metrics'), '');
  stops.push(metrics.stop);
  host = await addHost('db-1');
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

let vmagent: Scraper;

test('the first sample of a declared exporter and the last of a removed one are within the limit', async () => {
  await report(host);
  expect(JSON.parse(await readFile(targetsFile(), 'utf8'))).toEqual([]);
  vmagent = await startVmagent(join(folder, 'vmagent'));
  const exporter = await declareService(host, 'orders');
  const first = await reportUntil(host, async () => (await samples('orders')).length === 1);
  expect(first).toBeLessThan(LIMIT_MS);
  expect((await samples('orders'))[0]!.metric).toMatchObject({
    instance: `db-1.example:${discovered.port}`,
    job: 'mysqld_exporter',
    node_name: 'db-1',
  });
  expect((await host.client('DELETE', `/v1/agents/${exporter}`)).status).toBe(204);
  const last = await reportUntil(host, async () => (await samples('orders')).length === 0);
  expect(last).toBeLessThan(LIMIT_MS);
  process.stderr.write(`first sample after ${Math.round(first)} ms, none after ${Math.round(last)} ms\n`);
});

test("Prometheus discovers a host's own targets, and no other host sees them", async () => {
  const other = await addHost('db-2');
  await declareService(host, 'invoices');
  expect((await other.client('GET', '/v1/discovery/prometheus?node=self')).body).toEqual([]);
  const yaml = await documented('yaml', 'http_sd_configs');
  const scrapers = await Promise.all(
    [host, other].map(async ({ keyFile }, index) => {
      const config = replaced(yaml, [
        ['https://inventory.example.com', discovered.server.base],
        ['refresh_interval: 60s', 'refresh_interval: 1s'],
        ['/etc/inventory/key', keyFile],
        ['/etc/prometheus/inventory-ca.pem', discovered.caFile],
      ]);
      const home = join(folder, `prometheus-${index}`);
      await mkdir(home);
      const scraper = await startScraper(
        prometheus,
        home,
        `global: { scrape_interval: 1s, scrape_timeout: 1s }\n${config}`,
      );
      stops.push(scraper.stop);
      return scraper;
    }),
  );
  await eventually(async () => (await scrapers[0]!.query('mysql_up{service_name="invoices"}')).length === 1);
  await eventually(async () => (await scrapers[1]!.counter('prometheus_sd_refresh_duration_seconds_count')) > 1);
  expect(await scrapers[1]!.targets()).toEqual({ active: [], dropped: [] });
  expect(await scrapers[1]!.counter('prometheus_sd_http_failures_total')).toBe(0);
});

test('without the inventory scraping continues, also after a restart of vmagent', async () => {
  await reportUntil(host, async () => (await samples('invoices')).length === 1);
  const before = await readFile(targetsFile(), 'utf8');
  await discovered.server.stop();
  await expect(report(host)).rejects.toMatchObject({ code: 7 });
  expect(await readFile(targetsFile(), 'utf8')).toBe(before);
  await vmagent.stop();
  const time = async () =>
    Number((await metrics.query('max(timestamp(mysql_up{service_name="invoices"}))'))[0]?.value[1]);
  // The last sample stands for as long as VictoriaMetrics looks back.
  const stopped = Date.now() / 1000;
  vmagent = await startVmagent(join(folder, 'vmagent-again'));
  stops.push(vmagent.stop);
  await eventually(async () => (await time()) > stopped);
});
