import { goTo, pass, rowsOf, screen, untilQuiet, textOf, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

/** The interval at which the index follows the changes of others. */
const FOLLOW_MS = 10_000;

const site = openSite();
let agentId = '';

beforeAll(async () => {
  const host = { address: 'DB-1.Example.com', region: 'mars-1', custom_labels: { tier: 'gold' } };
  const { node_id: nodeId } = await site.addNode('orders-host-1', host);
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  // A hidden page does not follow changes.
  Object.defineProperty(document, 'hidden', { value: false, configurable: true });
  ({ agent_id: agentId } = await site.write('POST', '/v1/agents', agent));
  await site.addNode('orders-host-2', { address: '10.0.0.2' });
  for (const [index, cluster] of ['orders', 'orders', 'ledger'].entries()) {
    const service = { service_type: 'mysql', service_name: `${cluster}-db-${index}`, address: '10.0.0.9', port: 3306 };
    const { service_id: serviceId } = await site.write('POST', '/v1/services', {
      ...{ ...service, cluster, node_ids: [nodeId] },
    });
    const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: agentId, insights: { service_ids: [serviceId] } };
    await site.write('POST', '/v1/agents', exporter);
  }
});

afterAll(() => Reflect.deleteProperty(document, 'hidden'));

const field = () => document.querySelector<HTMLInputElement>('#top header [role=search] input')!;

const isFocused = () => document.activeElement === field();

/** What the search offers, without the option that lists all results. */
const offeredOptions = () =>
  [...document.querySelectorAll('#top header [role=option]')]
    .map((option) => textOf(option))
    .filter((text) => !text.startsWith('All results for'));

const offer = (text: string) => offeredOptions().filter((option) => option.includes(text));

/** Nothing has a layout here, so that the field is behind its button, as in a narrow window. */
async function showField(): Promise<void> {
  if (document.querySelector('#top header [role=search]') !== null) return;
  await user.click(document.querySelector('#top header [data-utility-special=search] [role=button]')!);
  field().blur();
  await untilQuiet();
}

async function at(...rest: Parameters<typeof site.at>) {
  const network = await site.at(...rest);
  await showField();
  return network;
}

/** Presses a key of the search, and enters a text in place of the former one. */
async function search(text: string, key = '/'): Promise<void> {
  await user.keyboard(key);
  expect(isFocused()).toBe(true);
  await user.paste(text);
}

async function replace(text: string): Promise<void> {
  await user.clear(field());
  await user.paste(text);
}

const title = () => textOf(document.querySelector('main h1')!);

const CTRL_K = '{Control>}k{/Control}';
const CMD_K = '{Meta>}k{/Meta}';

test('Ctrl-K opens pages and forms from any field, but not from a dialog, and the slash is text in a field', async () => {
  const network = await at('nodes');
  await user.keyboard(CTRL_K);
  expect(isFocused()).toBe(true);
  expect(offer('Go to Overview')).toHaveLength(1);
  await user.paste('add ser');
  expect(offer('Add service')).toHaveLength(1);
  // The first option lists all results.
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(title()).toBe('Add service');

  const name = screen.getByLabelText<HTMLInputElement>('Name');
  await user.click(name);
  await user.keyboard('/');
  expect(document.activeElement === name).toBe(true);
  await user.clear(name);
  await showField();
  await user.click(name);
  await search('go to audit', CMD_K);
  await user.keyboard('{Enter}');
  expect(title()).toMatch(/^Audit/);
  expect(location.hash).toBe('#/configuration/audit');
  expect(field().value).toBe('');

  await goTo('configuration/api-keys');
  await showField();
  await user.click(screen.getAllByRole('button', { name: 'Add API key', hidden: true })[0]!);
  expect(screen.getByLabelText('Key name')).toBeDefined();
  expect(field()).not.toBeNull();
  await user.keyboard(CTRL_K);
  expect(isFocused()).toBe(false);
  // One page of the export is enough for this inventory.
  expect(network.requests.filter((path) => path.startsWith('GET /v1/export'))).toHaveLength(1);
});

test("the commands are those of the user's role", async () => {
  const { key } = await site.write('POST', '/v1/api-keys', { name: 'reader', role: 'Viewer' });
  await at('nodes', { key });
  await user.keyboard(CTRL_K);
  expect(offeredOptions()).toContain('Go to Nodes');
  for (const text of ['Add node', 'Go to API keys', 'Go to Audit']) expect(offeredOptions()).not.toContain(text);
});

test('a result has its present health and region by one request, also on the page of results', async () => {
  const network = await at('configuration/sessions');
  const asked = () => network.requests.filter((path) => /^GET \/v1\/nodes\?.*node_id\+in/.test(path));
  await search('ORDERS-host-1');
  await pass(500);
  expect(offer('orders-host-1')).toEqual([expect.stringMatching(/mars-1/)]);
  expect(offer('orders-host-1')).toEqual([expect.stringMatching(/Never seen/)]);
  expect(asked()).toHaveLength(1);
  await user.keyboard('{Enter}');
  await pass(500);
  const [row] = rowsOf('Search results');
  for (const text of ['orders-host-1', 'mars-1', 'Never seen']) expect(row?.textContent).toContain(text);
});

test('objects are found by a part of an address, label, cluster or id, with the reason', async () => {
  await at('nodes');
  await search('b-1.EXAMPLE');
  expect(offer('orders-host-1')).toEqual([expect.stringMatching(/Address: DB-1\.Example\.com/i)]);
  await replace('gold');
  expect(offer('orders-host-1')).toEqual([expect.stringMatching(/Tier: gold/)]);
  await replace('orders');
  expect(offer('2 services')).toEqual([expect.stringMatching(/^orders/)]);
  await replace(agentId.slice(9));
  expect(offer('on orders-host-1')).toHaveLength(1);
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(title()).toBe('pmm_agent on orders-host-1');
});

test('the host of an address precedes longer addresses', async () => {
  const ends = [170, 171, 172, 173, 174, 17];
  const added = await Promise.all(ends.map((end) => site.addNode(`address-${end}`, { address: `10.20.3.${end}` })));
  await at('nodes');
  await search('10.20.3.17');
  expect(offer('address-')[0]).toMatch(/^address-17(?!\d)/);
  await Promise.all(added.map(({ node_id: id }) => site.write('DELETE', `/v1/nodes/${id}`)));
});

test('all results have a page with an address, and a text without results says so', async () => {
  await at('nodes');
  await search('orders host');
  expect(textOf()).toContain('Press Enter to list all 2 results.');
  await user.keyboard('{Enter}');
  expect(title()).toBe('Search: orders host (2)');
  expect(location.hash).toBe('#/search?text=orders+host');
  const links = rowsOf('Search results').map((row) => textOf(row.querySelector('a')!));
  expect(links).toEqual(['orders-host-1', 'orders-host-2']);
  await user.click(screen.getByText('orders-host-2'));
  expect(title()).toBe('orders-host-2');
  await goTo('search?text=nothing+has+this+name');
  expect(textOf(document.querySelector('main')!)).toContain('No results');
});

test("others' changes appear in the search without a reload, and this page's at once", async () => {
  await at('nodes/add?node_type=generic');
  await search('brand-new');
  expect(textOf()).toContain('No results');
  const { node_id: id } = await site.addNode('a-brand-new-host');
  await pass(FOLLOW_MS);
  expect(offer('a-brand-new-host')).toHaveLength(1);
  await site.write('PATCH', `/v1/nodes/${id}`, { address: '10.9.8.7' });
  await replace('10.9.8');
  expect(offer('Address: 10.9.8.7')).toEqual([]);
  await pass(FOLLOW_MS);
  expect(offer('Address: 10.9.8.7')).toHaveLength(1);
  await site.write('DELETE', `/v1/nodes/${id}`);
  await pass(FOLLOW_MS);
  expect(offer('Address: 10.9.8.7')).toEqual([]);

  await replace('');
  await user.click(screen.getByLabelText('Name'));
  await user.paste('made-by-this-page');
  await user.click(screen.getByLabelText('Address'));
  await user.paste('10.0.0.7');
  await user.click(screen.getByRole('button', { name: 'Add node', hidden: true }));
  expect(title()).toBe('made-by-this-page');
  await showField();
  await search('made-by-this');
  expect(offer('made-by-this-page')).toHaveLength(1);
});

test('in an inventory above the limit, the server finds names by prefix', async () => {
  const { body } = await site.api('GET', '/v1/summary');
  const large = { ...body, agents: { ...body.agents, total: 200_000 } };
  const network = await at('nodes', { before: (it) => it.answer('GET /v1/summary', () => large) });
  await search('orders-');
  await pass(500);
  expect(offer('orders-db-1')).toHaveLength(1);
  expect(textOf()).toContain('More than 200,000 objects: finds the beginnings of names.');
  await replace('db-1');
  await pass(500);
  expect(offer('orders-db-1')).toEqual([]);
  expect(network.requests.filter((path) => path.startsWith('GET /v1/export'))).toEqual([]);
  await replace('orders-db');
  await user.keyboard('{Enter}');
  await pass(500);
  expect(textOf(document.querySelector('main')!)).toContain('The inventory has more than 200,000 objects.');
  expect(rowsOf('Search results').map((row) => textOf(row.querySelector('a')!))).toEqual([
    'orders-db-0',
    'orders-db-1',
  ]);
});

test('a failed read is shown in the field and can be repeated', async () => {
  await at('nodes', { before: (network) => network.refuseNext('GET /v1/export', 403, 'Not today.') });
  await search('orders-host');
  expect(textOf()).toContain('Not today.');
  expect(offeredOptions()).toEqual([]);
  await user.click(screen.getByText('Try again'));
  expect(offer('orders-host-1')).toHaveLength(1);
});

test('while the inventory is read, the page of results shows the progress', async () => {
  let release = () => {};
  await site.at('search?text=orders-db-1', { before: (network) => (release = network.hold('GET /v1/export')) });
  const main = () => textOf(document.querySelector('main')!);
  expect(main()).toMatch(/Reading the inventory: 0 of \d+ objects/);
  expect(main()).toContain('Searching');
  release();
  await untilQuiet();
  expect(main()).not.toMatch(/Reading the inventory|Searching/);
  expect(rowsOf('Search results').map((row) => textOf(row.querySelector('a')!))).toEqual(['orders-db-1']);
});

test("the agents' cluster filter suggests clusters, and an open list gains new ones", async () => {
  await site.at('agents');
  const suggested = () =>
    [...document.querySelectorAll('[role=option]')]
      .map((option) => textOf(option))
      .filter((text) => text.startsWith('Cluster = '));
  await user.type(screen.getByLabelText('Filter agents'), 'Cluster = ');
  await pass(500);
  expect(suggested()).toEqual(['Cluster = (none)', 'Cluster = ledger', 'Cluster = orders']);
  const service = { service_type: 'mysql', service_name: 'in-between', address: '10.0.0.1', port: 3307 };
  const { service_id: id } = await site.write('POST', '/v1/services', { ...service, cluster: 'added-in-between' });
  await pass(FOLLOW_MS);
  expect(suggested()).toEqual(['(none)', 'added-in-between', 'ledger', 'orders'].map((name) => `Cluster = ${name}`));
  await user.click([...document.querySelectorAll('[role=option]')].find((option) => /orders/.test(textOf(option)))!);
  await pass(500);
  expect(textOf()).toContain('Cluster = orders');
  expect(textOf()).toContain('2 matches');
  await site.write('DELETE', `/v1/services/${id}`);
});
