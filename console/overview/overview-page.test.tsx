import { goTo, pageTime, rowsOf, screen, untilQuiet, textOf, user, within } from '../testing/page.tsx';
import type { Network } from '../testing/network.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

const SILENT = { stale_after: '10s', offline_after: '11s' };
/** The hosts of two zones in eu-central-1 and one in us-east-1, each with a database and an exporter of this status. */
const hosts = [
  { name: 'ledger-1', region: 'eu-central-1', az: 'eu-central-1a', status: 'waiting' },
  { name: 'ledger-2', region: 'eu-central-1', az: 'eu-central-1a', status: 'running', timers: SILENT },
  { name: 'ledger-3', region: 'eu-central-1', az: 'eu-central-1b', status: 'running', timers: SILENT },
  { name: 'orders-1', region: 'us-east-1', az: 'us-east-1a', status: 'running', timers: SILENT },
  { name: 'orders-2', region: 'us-east-1', az: 'us-east-1a', status: 'done' },
  { name: 'orders-3', region: 'us-east-1', az: 'us-east-1a', status: 'running' },
];

beforeAll(async () => {
  site.inventory.clock.now = new Date(pageTime() - 60_000);
  for (const { name, region, az, status, timers = { stale_after: '30d', offline_after: '60d' } } of hosts) {
    const { node_id: node } = await site.addNode(name, { region, az, address: `${name}.example.com`, ...timers });
    const endpoint = { address: `${name}.example.com`, port: 3306, node_ids: [node], cluster: name.split('-')[0] };
    const service = { service_type: 'mysql', service_name: `${name}-db`, ...endpoint };
    const { service_id } = await site.write('POST', '/v1/services', service);
    const agent = (body: object) => site.write('POST', '/v1/agents', body);
    const { agent_id: process } = await agent({ agent_type: 'pmm_agent', runs_on_node_id: node });
    const under = { pmm_agent_id: process, insights: { service_ids: [service_id] } };
    const agents = [];
    for (const agent_type of ['mysqld_exporter', 'qan_mysql_slowlog_agent'])
      agents.push({ agent_id: (await agent({ agent_type, ...under })).agent_id, status });
    await site.write('POST', `/v1/agents/${process}/report`, { agents });
  }
  site.inventory.clock.now = undefined;
});

const heading = () => textOf(screen.getByRole('heading', { level: 1 }));
const finding = (text: string) => within(rowsOf('Needs attention').find((row) => textOf(row).includes(text))!);
const link = (name: string) => screen.getByRole('link', { name });
const address = () => decodeURIComponent(location.hash);

test('a finding leads to the list of its objects, also for a region or cluster, and a disabled agent counts as done', async () => {
  const [agent] = (await site.api('GET', '/v1/agents?agent_type=mysqld_exporter&status=running')).body.agents;
  await site.write('PATCH', `/v1/agents/${agent.agent_id}`, { disabled: true });
  await site.at('overview');
  await user.click(finding('agents not running').getByRole('link', { name: '2 agents not running' }));
  expect(heading()).toBe('Agents (2)');
  expect(screen.getAllByRole('link', { name: 'orders-2-db' }).length).toBeGreaterThan(0);
  await goTo('overview');
  expect(finding('agents waiting').getByRole('link', { name: '2 of 2 in eu-central-1' })).toBeDefined();
  await user.click(finding('agents waiting').getByRole('link', { name: '2 of 2 in ledger' }));
  expect(heading()).toBe('Agents (2)');
  expect(address()).toContain('cluster=ledger');
  await goTo('overview');
  await user.click(link('1 offline in eu-central-1b'));
  expect(heading()).toBe('Nodes (1)');
  expect(address()).toBe('#/nodes?region=eu-central-1&selector=az="eu-central-1b"&state=offline');
});

test('the services of silent nodes belong to these, with the regions of the nodes', async () => {
  await site.at('overview');
  expect(textOf()).not.toContain('services offline');
  expect(textOf(rowsOf('Needs attention').find((row) => textOf(row).includes('3 nodes offline'))!)).toContain(
    'With 3 services on them',
  );
  await user.click(finding('3 nodes offline').getByRole('link', { name: '3 services' }));
  expect(heading()).toBe('Services (3)');
  await goTo('overview');
  await user.click(finding('3 nodes offline').getByRole('link', { name: '2 of 3 in eu-central-1' }));
  expect(heading()).toBe('Nodes (2)');
});

test('until the numbers are loaded, the overview has its frame', async () => {
  let release = () => {};
  await site.at('overview', {
    before: (network) => {
      release = network.hold('GET /v1/summary');
    },
  });
  expect(textOf()).toContain('Hosts by region and zone');
  expect(textOf()).toContain('Loading the overview');
  release();
  await untilQuiet();
  expect(textOf()).not.toContain('Loading the overview');
  expect(screen.getByRole('listitem', { name: 'eu-central-1a' })).toBeDefined();
});

const total = (text: string) => within(screen.getByRole('region', { name: 'Nodes' })).getByRole('link', { name: text });

test('only incomplete numbers are marked', async () => {
  const summary = (await site.api('GET', '/v1/summary')).body;
  // Only an inventory above 20,000 objects, or a busy one, has such a count.
  const incomplete = { ...summary, complete: false, incomplete: ['changes'] };
  await site.at('overview', { before: (network) => void network.answer('GET /v1/summary', () => incomplete) });
  expect(textOf()).toContain('The changes of the last 24 hours are not all counted yet: their chart is not complete.');
  expect(textOf()).not.toContain('objects are not all counted');
});

test('findings that are about no list of objects are named', async () => {
  const summary = (await site.api('GET', '/v1/summary')).body;
  const attention = [
    { reason: 'reconciliation_failed', kind: 'reconciliation', count: 2, examples: [] },
    { reason: 'cleanup_stopped', kind: 'cleanup', count: 1, examples: [{ id: '2026-01-02T03:04:05Z' }] },
  ];
  const before = (network: Network) => void network.answer('GET /v1/summary', () => ({ ...summary, attention }));
  await site.at('overview', { before });
  expect(rowsOf('Needs attention').map((row) => textOf(row))).toEqual([
    expect.stringMatching(/^2 failed reconciliations.*and 2 more/),
    expect.stringMatching(/^1 cleanup stopped(?!.*more)/),
  ]);
});

test('stored numbers are shown at once, then the current ones', async () => {
  const summary = (await site.api('GET', '/v1/summary')).body;
  const network = await site.at('configuration/sessions');
  // The reply of a server that has counted two minutes ago.
  const former = { ...summary, age_seconds: 120, nodes: { ...summary.nodes, total: 57 } };
  network.answer(/^GET \/v1\/summary\?max_age=600$/, () => former);
  const release = network.hold(/^GET \/v1\/summary$/);
  await goTo('overview');
  expect(total('57 in total')).toBeDefined();
  release();
  await untilQuiet();
  expect(total('6 in total')).toBeDefined();
  expect(network.requests.filter((request) => request.includes('/v1/summary'))).toEqual([
    'GET /v1/summary?max_age=600',
    'GET /v1/summary',
  ]);
});

test('the last changes have their authors', async () => {
  await site.at('overview');
  const rows = rowsOf('Latest changes').map((row) => textOf(row));
  expect(rows).toHaveLength(10);
  expect(rows[0]).toMatch(/(Added|Changed).*admin.*User/);
});

test('the list of keys that expire soon has only those; a Viewer sees no findings about keys', async () => {
  for (const life of ['3d', '90d'])
    await site.write('POST', '/v1/api-keys', { name: `lives-${life}`, role: 'Viewer', time_to_live: life });
  await site.at('configuration/api-keys?expires=soon');
  const lives = () => rowsOf('API keys').flatMap((row) => /lives-\d+d/.exec(textOf(row))?.[0] ?? []);
  expect(rowsOf('API keys')).toHaveLength(1);
  expect(lives()).toEqual(['lives-3d']);
  await user.click(screen.getByLabelText('Expires within 14 days'));
  expect(lives().sort()).toEqual(['lives-3d', 'lives-90d']);
  expect(location.hash).toBe('#/configuration/api-keys');
  // The server counts again after a minute.
  site.inventory.clock.now = new Date(pageTime() + 120_000);
  await goTo('overview');
  expect(textOf()).toContain('1 API key that expire within 14 days');
  await site.at('overview', { key: site.inventory.keys.Viewer });
  expect(total('6 in total')).toBeDefined();
  expect(textOf()).not.toContain('expire within');
  site.inventory.clock.now = undefined;
});
