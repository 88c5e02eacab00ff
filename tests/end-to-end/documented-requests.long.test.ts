/** The requests in the documents, run as they stand there against a server that has the objects they name. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { blocksIn } from '../support/fenced-blocks.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bearer, bodyOf, type Client, clientOf } from './client.ts';

const MARK = 'run: tests/end-to-end/documented-requests.long.test.ts';
/** Without a blank: one page has it in an address. */
const PASSWORD = 'correct-horse-battery-staple';

/** What the commands of each page print. */
const pages: Readonly<Record<string, readonly RegExp[]>> = {
  'audit.md': [/"entries":\[/],
  // Waits for 20 s, as it asks to: there is no such change.
  'changes.md': [/"changes":\[\]/, /"kind":"node"/],
  'discovery.md': [/"targets":\["10\.1\.0\.1:9104"\]/],
  'history.md': [/"presence":"not_added"/],
  'hosts.md': [/"service_name":"web-1-mysql"/],
  'keys.md': [/"role":"Editor"/, /200\n200\n/, /\nminv_\S+\n/],
  'life-cycle.md': [/"threshold_exceeded":false/, /"removals":\[\{/],
  'maintenance.md': [/"previous_expires_at"/],
  'model.md': [/"targets":\["10\.0\.0\.1:9104"\]/],
  'people.md': [/"name":"maria\.lopez"/],
  'pmm.md': [/^minv_\S+\nminv_\S+\n$/],
  'reports.md': [/"report_after_seconds":\d+[\s\S]*"report_after_seconds":\d+/],
  'role-bindings.md': [/"name":"deployments"/, /"missing_claims":\["environment"\]/],
  'saved-filters.md': [/"name":"Offline in Sydney"/, /"pinned":true/],
  'selectors.md': [/"node_name":"fixture"/, /"service_name":"fixture"/],
  'states.md': [/"state":"live"/, /"availability"/],
  'summary.md': [/"attention"/, /"groups":\[/, /"silences":\[\{/],
};

let server: RunningServer;
let admin: Client;
/** What the reader of a page has. */
let variables: Record<string, string>;

beforeAll(async () => {
  const folder = await newDataDir();
  const providers = [{ name: 'github', kind: 'jwt', issuer: 'https://127.0.0.1:9', audience: 'inventory' }];
  server = await startServer(folder, {
    environment: { ADMIN_PASSWORD: PASSWORD, IDENTITY_PROVIDERS: JSON.stringify(providers) },
  });
  admin = clientOf(server, basic('admin', PASSWORD));
  const add = async (path: string, body: object) => bodyOf(await admin('POST', path, { body }), 201);
  const labels = { env: 'prod', tier: 'gold', team: 'dba' };
  const host = { node_type: 'generic', node_name: 'fixture', address: '10.1.0.1', custom_labels: labels };
  const { next } = bodyOf(await admin('GET', '/v1/changes?since=now'), 200);
  const { node_id } = await add('/v1/nodes', host);
  const database = { service_type: 'mysql', service_name: 'fixture', node_ids: [node_id], address: '10.1.0.1' };
  const place = { port: 3306, cluster: 'orders', environment: 'prod' };
  const { service_id } = await add('/v1/services', { ...database, ...place });
  const insights = { service_ids: [service_id] };
  const process = await add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node_id });
  const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: process.agent_id, insights };
  const { agent_id } = await add('/v1/agents', exporter);
  const external = { agent_type: 'external_exporter', runs_on_node_id: node_id, listen_port: 9104, insights };
  await add('/v1/agents', external);
  await admin('POST', `/v1/agents/${process.agent_id}/report`, { body: { agents: [] } });
  const { node_id: gone } = await add('/v1/nodes', { ...host, node_name: 'gone', address: '10.1.0.2' });
  await admin('DELETE', `/v1/nodes/${gone}?force=true`);
  const { removals } = bodyOf(await admin('GET', '/v1/removed'), 200);
  const silence = { selector: 'team=dba', reason: 'Move', time_to_live: '1h' };
  const filter = { name: 'A shared one', list: 'nodes', shared: true, parameters: { state: 'stale' } };
  const { key, key_id } = await add('/v1/api-keys', { name: 'reader', role: 'Editor' });
  // Who shares a filter pins it.
  const editor = clientOf(server, bearer(key));
  const { saved_filter_id } = bodyOf(await editor('POST', '/v1/saved-filters', { body: filter }), 201);
  variables = {
    ...{
      ADMIN_PASSWORD: PASSWORD,
      P: PASSWORD,
      B: server.base,
      BASE: server.base,
      J: 'Content-Type: application/json',
    },
    ...{ KEY: key, KEY_ID: key_id, A: `Authorization: Bearer ${key}` },
    ...{ NODE_ID: node_id, PMM_AGENT_ID: process.agent_id, AGENT_ID: agent_id, CLUSTER: 'orders', CURSOR: next },
    ...{ REMOVAL_ID: removals[0].removal_id, SILENCE_ID: (await add('/v1/silences', silence)).silence_id },
    SAVED_FILTER_ID: saved_filter_id,
    CURL_CA_BUNDLE: join(folder, 'tls-cert.pem'),
  };
  // A reply that is an error ends the commands. Replies begin on lines of their own.
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\nwrite-out = "\\n"\n');
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

test.each(Object.entries(pages))('the requests of docs/%s do what they say', async (page, printed) => {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const commands = blocksIn(text)
    .filter(({ comment, language }) => comment === MARK && language === 'sh')
    .map(({ code }) => code)
    .join('\n')
    .replaceAll('https://localhost:8443', server.base)
    .replaceAll('inventory.example.com', `127.0.0.1:${server.port}`);
  expect(commands).not.toBe('');
  const env = { PATH: process.env['PATH'], HOME: server.dataDir, ...variables };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', commands], { env });
  for (const part of printed) expect(stdout).toMatch(part);
});
