import { refreshInterval } from '../ui/auto-refresh.tsx';
import { goTo, pageTime, pass, rowsOf, screen, untilQuiet, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const INTERVAL_MS = 10_000;
const LOST = 'The server cannot be reached';

const site = openSite();
let nodeId = '';
let processId = '';

beforeAll(async () => {
  ({ node_id: nodeId } = await site.addNode('host-1', { stale_after: '1h', offline_after: '30d' }));
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  ({ agent_id: processId } = await site.write('POST', '/v1/agents', agent));
});
afterEach(() => {
  site.inventory.clock.now = undefined;
  refreshInterval.set('off');
});

const report = () => site.write('POST', `/v1/agents/${processId}/report`, { agents: [] });

/** A page that refreshes itself every 10 seconds, from now on. */
async function liveAt(hash: string) {
  const network = await site.at(hash, { before: () => refreshInterval.set('10s') });
  await pass(INTERVAL_MS);
  return network;
}

const row = (name: string) => rowsOf('Nodes').find((each) => textOf(each).includes(name))!;

test('a list shows new objects and silent hosts without a reload, and marks only changed health', async () => {
  await liveAt('nodes');
  expect(row('host-1').textContent).toContain('Never seen');
  await site.addNode('host-2', { address: '10.0.0.2' });
  await pass(INTERVAL_MS);
  expect(row('host-2')).toBeDefined();
  expect(document.querySelectorAll('.health-changed')).toHaveLength(0);
  await report();
  await pass(4 * INTERVAL_MS);
  expect([...document.querySelectorAll('.health-changed')].map(textOf)).toEqual([expect.stringMatching(/^Live/)]);
  // States follow from the time alone.
  site.inventory.clock.now = new Date(pageTime() + 2 * 3_600_000);
  await pass(60_000);
  expect(row('host-1').textContent).toContain('Stale');
});

test('one small request suffices without changes and with recent states', async () => {
  const network = await liveAt('nodes');
  const earlier = network.requests.length;
  await pass(2 * INTERVAL_MS);
  const asked = network.requests.slice(earlier).map((request) => request.replace(/\?.*/, ''));
  expect(asked).toEqual(['GET /v1/changes', 'GET /v1/changes']);
});

test('the interval is chosen in the list, and remembered', async () => {
  await site.at('nodes');
  expect(textOf()).toMatch(/Loaded at \d\d:\d\d:\d\d/);
  await user.click(screen.getByRole('button', { name: 'Auto-refresh' }));
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Every 10 seconds' }));
  expect(localStorage.getItem('auto-refresh')).toBe('10s');
});

test('a bar reports that the server is unreachable, disappears by itself, and the page keeps its content', async () => {
  const network = await liveAt('nodes');
  network.isOnline = false;
  await pass(2 * INTERVAL_MS);
  expect(screen.getAllByText(LOST).length).toBeGreaterThan(0);
  expect(row('host-1')).toBeDefined();
  await site.addNode('host-3', { address: '10.0.0.3' });
  network.isOnline = true;
  await pass(INTERVAL_MS);
  expect(screen.queryAllByText(LOST)).toEqual([]);
  expect(row('host-3')).toBeDefined();
});

test('a page of an old load does not show a host as live', async () => {
  await report();
  await site.at('nodes?name_prefix=host-1');
  expect(within(row('host-1')).getByText('Live')).toBeDefined();
  await pass(4 * 60_000);
  expect(within(row('host-1')).queryByText('Live')).toBeNull();
  expect(row('host-1').textContent).toMatch(/Live at \d\d:\d\d/);
});

test("text in a form stays without a question while the object's page follows a change", async () => {
  const network = await liveAt(`nodes/${nodeId}/change`);
  const address = screen.getByLabelText('Address');
  await user.clear(address);
  await user.type(address, '10.9.9.9');
  const earlier = network.requests.length;
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { node_model: 'changed-by-another-user' });
  await pass(3 * INTERVAL_MS);
  expect(address).toHaveProperty('value', '10.9.9.9');
  expect(network.requests.slice(earlier)).toEqual([]);

  await liveAt(`nodes/${nodeId}`);
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { node_model: 'changed-again' });
  await pass(INTERVAL_MS);
  expect([...document.querySelectorAll('dd:not(.differences dd)')].map(textOf)).toContain('changed-again');
});

test('a page that failed to load is loaded once the server replies again', async () => {
  const network = await site.at('nodes');
  network.isOnline = false;
  await goTo('configuration/sessions');
  await pass(2 * INTERVAL_MS);
  expect(textOf()).toContain('The sessions could not be loaded');
  network.isOnline = true;
  await pass(INTERVAL_MS);
  await untilQuiet();
  expect(rowsOf('Sessions').filter((each) => textOf(each).includes('This session'))).toHaveLength(1);
});
