import { loadFunctions } from '../../../../local/gateway/functions.ts';
import { createGateway } from '../../../../local/gateway/gateway.ts';
import { addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
const NOON = new Date('2030-01-01T12:00:00.000Z');
beforeAll(async () => {
  inventory = await startInventory();
  inventory.clock.now = NOON;
});
afterAll(() => inventory.stop());

test('returns the numbers of the summary as OpenMetrics text', async () => {
  const { pmmAgentId } = await addHost(inventory);
  await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  await addNode(inventory, { region: 'a "b" \\ c', address: '10.0.0.1' });
  await addService(inventory, { cluster: 'shop', environment: 'prod' });
  await inventory.request('POST', '/v1/api-keys', {
    body: { name: 'soon', role: 'Viewer', time_to_live: '1d' },
    as: 'Admin',
  });
  const { status, headers, text } = await inventory.request('GET', '/v1/metrics', { as: 'Viewer' });
  expect([status, headers['Content-Type']]).toEqual([
    200,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ]);
  const lines = text.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE inventory_nodes gauge',
      'inventory_nodes{type="generic",state="live"} 1',
      'inventory_nodes{type="generic",state="never_seen",region="a \\"b\\" \\\\ c"} 1',
      'inventory_services{type="mysql",state="never_seen",environment="prod"} 1',
      'inventory_agents{type="pmm_agent",state="live"} 1',
      'inventory_clusters{state="never_seen"} 1',
      'inventory_clusters{state="live"} 0',
      'inventory_attention{reason="offline",kind="node"} 0',
      'inventory_attention{reason="cleanup_stopped",kind="cleanup"} 0',
      'inventory_summary_age_seconds 0',
      'inventory_summary_complete 1',
    ]),
  );
  expect(text).toMatch(/^inventory_attention\{reason="expires_soon",kind="api_key"\} [1-9]/m);
  expect(text.endsWith('\n# EOF\n')).toBe(true);
  inventory.clock.now = new Date(NOON.getTime() + 30_000);
  expect((await inventory.request('GET', '/v1/metrics')).text).toContain('\ninventory_summary_age_seconds 30\n');
});

test('silenced objects have a label of their own', async () => {
  for (const number of ['1', '2'])
    await addNode(inventory, { region: 'silent', address: `host-${number}.example`, custom_labels: { number } });
  const body = { selector: 'number=1', reason: 'Upgrade', time_to_live: '1h' };
  await inventory.request('POST', '/v1/silences', { body });
  inventory.clock.now = new Date(NOON.getTime() + 120_000);
  const { text } = await inventory.request('GET', '/v1/metrics');
  const ofRegion = text.split('\n').filter((line) => line.includes('region="silent"'));
  expect(ofRegion).toEqual([
    'inventory_nodes{type="generic",state="never_seen",region="silent"} 1',
    'inventory_nodes{type="generic",state="never_seen",region="silent",silenced="true"} 1',
  ]);
});

test('the build is stated by its version and commit, so that a graph shows an upgrade', async () => {
  const { text } = await inventory.request('GET', '/v1/metrics');
  expect(text).toContain('# TYPE inventory_build_info gauge\ninventory_build_info{version="1.2.3",commit="abc"} 1\n');
});

test('a server with a connection limit and a database file returns refused connections and the size; others omit both', async () => {
  expect((await inventory.request('GET', '/v1/metrics')).text).not.toMatch(/refused_connections|database_bytes/);
  const gateway = createGateway(
    await loadFunctions({ ...inventory.dependencies, refusedConnections: () => 7, databaseBytes: () => 4096 }),
  );
  const rawHeaders = ['Authorization', `Bearer ${inventory.keys.Viewer}`];
  const { body } = await gateway({ method: 'GET', url: '/v1/metrics', rawHeaders, body: '', sourceIp: '' });
  expect(body.toString()).toContain(
    '# TYPE inventory_refused_connections counter\ninventory_refused_connections_total 7\n',
  );
  expect(body.toString()).toContain('# TYPE inventory_database_bytes gauge\ninventory_database_bytes 4096\n');
});
