import { goTo, pageTime, pass, rowsOf, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const HOUR_MS = 3_600_000;

const site = openSite();
const ids: Record<string, string> = {};

/** A node whose agent process has reported once, this many hours ago. */
async function host(name: string, hours: number): Promise<void> {
  const { node_id: nodeId } = await site.addNode(name, { stale_after: '1h', offline_after: '2h' });
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  const { agent_id: agentId } = await site.write('POST', '/v1/agents', agent);
  site.inventory.clock.now = new Date(pageTime() - hours * HOUR_MS);
  await site.write('POST', `/v1/agents/${agentId}/report`, { agents: [] });
  site.inventory.clock.now = undefined;
  Object.assign(ids, { [name]: nodeId, [`agent on ${name}`]: agentId });
}

beforeAll(async () => {
  await host('host-live', 0);
  await host('host-stale', 1.5);
  await host('host-offline', 3);
  await site.addNode('host-new');
  const service = { service_type: 'mysql', service_name: 'orders', address: '10.0.0.1', port: 3306 };
  const { service_id: id } = await site.write('POST', '/v1/services', { ...service, node_ids: [ids['host-stale']] });
  ids['orders'] = id;
});

const row = (table: string, name: string) =>
  rowsOf(table)
    .map(textOf)
    .find((text) => text.includes(name));

const facts = () => [...document.querySelectorAll('dd:not(.differences dd)')].map(textOf);

const title = () => textOf(document.querySelector('main h1')!);

test('lists show the health of each node, service and agent, and since when it is silent', async () => {
  await site.at('nodes');
  expect(row('Nodes', 'host-live')).toMatch(/LiveLast report (just now|1 minute ago)/);
  expect(row('Nodes', 'host-stale')).toMatch(/StaleNo report for \d hours?/);
  expect(row('Nodes', 'host-offline')).toMatch(/OfflineNo report for 3 hours/);
  expect(row('Nodes', 'host-new')).toContain('Never seenNo report yet');
  await goTo('services');
  expect(row('Services', 'orders')).toContain('StaleNo report from its node for');
  await goTo('agents');
  expect(row('Agents', 'host-offline')).toContain('OfflineNo report for');
});

test('object pages show the present health, also after another request', async () => {
  await site.at(`nodes/${ids['host-stale']}`);
  expect(facts()).toContainEqual(expect.stringMatching(/^Stale/));
  expect(row('Services that run on it', 'orders')).toContain('Stale');
  expect(row('Agents that run on it', 'pmm_agent')).toContain('Stale');
  await goTo(`services/${ids['orders']}`);
  expect(title()).toBe('orders');
  expect(facts()).toContainEqual(expect.stringMatching(/^Stale/));
  const agentId = ids['agent on host-offline'];
  await goTo(`agents/${agentId}`);
  expect(facts()).toContainEqual(expect.stringMatching(/^Offline/));
  await site.write('POST', `/v1/agents/${agentId}/report`, { agents: [] });
  await user.click(screen.getByLabelText('Reload the agent'));
  expect(facts()).toContainEqual(expect.stringMatching(/^Live/));
});

test('lists are filtered by state: by one, by several, and by all but some', async () => {
  await site.at('nodes');
  const filter = async (text: string) => {
    await user.type(screen.getByLabelText('Filter nodes'), text);
    await pass(1000);
    await user.keyboard('{Enter}');
  };
  await filter('State = never_seen');
  expect(title()).toBe('Nodes (1)');
  expect(row('Nodes', 'host-new')).toBeDefined();
  expect(location.hash).toBe('#/nodes?state=never_seen');
  await goTo('nodes?state=stale,never_seen');
  expect(title()).toBe('Nodes (2)');
  expect(textOf()).toContain('State = stale, never seen');
  await goTo('nodes');
  expect(title()).toBe('Nodes (4)');
  await filter('State != never_seen');
  expect(title()).toBe('Nodes (3)');
  await goTo('services?state=stale');
  expect(row('Services', 'orders')).toBeDefined();
  await goTo('services?state=live');
  expect(textOf()).toContain('No service matches');
  await goTo('agents?state=stale');
  expect(title()).toBe('Agents (1)');
  expect(row('Agents', 'pmm_agent')).toBeDefined();
});
