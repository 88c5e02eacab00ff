import { eventually } from '../end-to-end/processes.ts';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logIn,
  logInWithKey,
  menuLink,
  openSite,
  type Site,
  type Tab,
  untilIdle,
  untilValue,
} from './browser.ts';
import { addFleet, type Fleet } from './fleet.ts';
import { untilSilent } from './until-silent.ts';

let site: Site;
let fleet: Fleet;
let tab: Tab;

beforeAll(async () => {
  site = await openSite();
  fleet = await addFleet(site, untilSilent);
});
afterAll(() => site.close());

const field = ({ page }: Tab) => page.getByRole('combobox', { name: 'Search the inventory' });
const option = ({ page }: Tab, text: string) => page.locator('#top header [role=option]').filter({ hasText: text });
const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

/** Presses the key of the search, and types. */
async function search(at: Tab, text: string): Promise<void> {
  await at.page.keyboard.press('/');
  await at.page.locator('#top header [role=search] input:focus').waitFor();
  await at.page.keyboard.type(text);
}

const requests = (at: Tab, path: string) => {
  const found: string[] = [];
  at.page.on('request', (request) => {
    const { pathname, search: query } = new URL(request.url());
    if (pathname === path) found.push(query);
  });
  return found;
};

const stored = ({ page }: Tab) =>
  page.evaluate<string[]>('indexedDB.databases().then((all) => all.map(({ name }) => name))');

test('a host is found by a part of its name in any letter case, with the keyboard alone', async () => {
  tab = await site.at('nodes');
  const exported = requests(tab, '/v1/export');
  expect(exported).toEqual([]);
  await search(tab, 'CH-3-HOST-2');
  await option(tab, 'search-3-host-2').first().waitFor();
  await expectAccessible(tab);
  await untilIdle(tab);
  // The first option lists all results.
  await tab.page.keyboard.press('ArrowDown');
  await tab.page.keyboard.press('ArrowDown');
  await tab.page.keyboard.press('Enter');
  await heading(tab, 'search-3-host-2');
  // One page of the export is enough for this fleet.
  expect(exported).toHaveLength(1);
  expectClean(tab);
});

/** Presses the keys of the palette in the body of the page, or in a field. */
async function palette(at: Tab, keys: string, text: string): Promise<void> {
  await at.page.keyboard.press(keys);
  await at.page.locator('#top header [role=search] input:focus').waitFor();
  await at.page.keyboard.type(text);
}

test('Ctrl-K opens pages and forms with the keyboard alone, also from another field', async () => {
  tab = await site.at('nodes');
  const { page } = tab;
  await palette(tab, 'Control+k', '');
  await option(tab, 'Go to Overview').waitFor();
  await expectAccessible(tab);
  await page.keyboard.type('add ser');
  await option(tab, 'Add service').waitFor();
  await untilIdle(tab);
  // The first option lists all results.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(tab, 'Add service');
  await page.locator('main input').first().focus();
  await palette(tab, 'Meta+k', 'go to audit');
  await option(tab, 'Go to Audit').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Audit/, level: 1 }).waitFor();
  expect(page.url()).toContain('#/configuration/audit');
  await untilValue(field(tab), '');

  await menuLink(tab, 'API keys').click();
  await page.getByRole('button', { name: 'Add API key' }).first().click();
  await page.getByRole('dialog', { name: 'Add API key' }).getByLabel('Key name').waitFor();
  await page.keyboard.press('Control+k');
  expect(await page.locator('#top header [role=search] input:focus').count()).toBe(0);
  expectClean(tab);
});

test('the commands are those of the role', async () => {
  const { key } = (await site.api('POST', '/v1/api-keys', { name: 'reader', role: 'Viewer' })).body;
  tab = await site.open();
  await logInWithKey(tab, key);
  await palette(tab, 'Control+k', '');
  await option(tab, 'Go to Nodes').waitFor();
  for (const text of ['Add node', 'Go to API keys', 'Go to Audit'])
    expect([text, await option(tab, text).count()]).toEqual([text, 0]);
  expectClean(tab);
});

test('a result has its present health, and its region or cluster', async () => {
  const { node_id: id } = await site.addNode('palette-host', { region: 'mars-1' });
  tab = await site.at('nodes');
  const { page } = tab;
  const lists = requests(tab, '/v1/nodes');
  await search(tab, 'palette-ho');
  const found = option(tab, 'palette-host');
  await found.getByText('mars-1').waitFor();
  await found.getByText('Never seen').waitFor();
  await expectAccessible(tab);
  // One request for all nodes that are shown, and none for each letter.
  expect(lists.filter((query) => query.includes('node_id+in'))).toHaveLength(1);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /palette-host/ });
  await row.getByText('Never seen').waitFor();
  await row.getByText('mars-1').waitFor();
  await page.keyboard.press('Escape');
  await expectAccessible(tab);
  await site.write('DELETE', `/v1/nodes/${id}`);
  expectClean(tab);
});

test('objects are found by a part of an address, a label, a cluster and an id, with the reason', async () => {
  tab = await site.at('nodes');
  await search(tab, 'orders-2-host-2.EXAMPLE');
  await option(tab, 'Address: orders-2-host-2.example.com:3306').waitFor();
  await field(tab).fill('gold');
  await option(tab, 'Tier: gold').first().waitFor();
  await field(tab).fill('orders-4');
  await option(tab, '6 services').first().waitFor();
  const id = fleet.processes['search-5-host-4']!;
  await field(tab).fill(id.slice(9));
  await option(tab, 'on search-5-host-4').click();
  await heading(tab, 'pmm_agent on search-5-host-4');
  expectClean(tab);
});

test('the host of an address is the first result, before longer addresses', async () => {
  const ends = [170, 171, 172, 173, 174, 17];
  const hosts = ends.map((end) => ({ name: `address-${end}`, address: `10.20.3.${end}` }));
  const added = await Promise.all(hosts.map(({ name, address }) => site.addNode(name, { address })));
  tab = await site.at('nodes');
  await search(tab, '10.20.3.17');
  // The first option lists all results. The order of the others can change until the inventory is read.
  await option(tab, 'address-')
    .first()
    .filter({ hasText: /^address-17(?!\d)/ })
    .waitFor();
  await Promise.all(added.map(({ node_id: id }) => site.write('DELETE', `/v1/nodes/${id}`)));
  expectClean(tab);
});

test('the filter of agents by cluster suggests the clusters; an open list gains those that others add', async () => {
  tab = await site.at('agents');
  const suggestion = (text: string) => tab.page.locator('[role=option]').filter({ hasText: text });
  await tab.page.getByRole('combobox', { name: 'Filter agents' }).pressSequentially('Cluster = ');
  await suggestion('search-5').waitFor();
  await suggestion('-').nth(14).waitFor();
  expect(await suggestion('-').count()).toBe(15);
  const service = { service_type: 'mysql', service_name: 'in-between', address: '10.0.0.1', port: 3306 };
  const { service_id: id } = await site.write('POST', '/v1/services', { ...service, cluster: 'added-in-between' });
  await suggestion('added-in-between').waitFor();
  await suggestion('orders-2').click();
  await tab.page.getByText('Cluster = orders-2').waitFor();
  await tab.page.getByText('8 matches').first().waitFor();
  await site.write('DELETE', `/v1/services/${id}`);
  expectClean(tab);
});

test('a list opens with the rows of the index; the answer of the server brings the states, and moves nothing', async () => {
  // Where the age of a report fits one line.
  tab = await site.at('overview', { viewport: { width: 1600, height: 900 } });
  const { page } = tab;
  await search(tab, 'ledger-1-host-2');
  await option(tab, 'ledger-1-host-2').first().waitFor();
  await page.keyboard.press('Escape');
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/v1/nodes?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Nodes', exact: true }).click();
  const table = page.getByRole('table', { name: 'Nodes' });
  const row = table.getByRole('row', { name: 'ledger-1-host-2' });
  await row.waitFor();
  await page.getByRole('heading', { name: 'Nodes (60)' }).waitFor();
  expect(await row.textContent()).toContain('Loading');
  const tops = () =>
    table
      .locator('tbody tr')
      .evaluateAll((rows: any[]) => rows.map((row) => row.getBoundingClientRect().top as number));
  const before = await tops();
  expect(before).toHaveLength(25);
  await expectAccessible(tab);
  answer();
  await row.getByText('Live', { exact: true }).waitFor();
  expect(await tops()).toEqual(before);
  expectClean(tab);
});

test('all results of a search are a page with an address', async () => {
  tab = await site.at('nodes');
  await search(tab, 'orders production');
  await tab.page.getByText('Press Enter to list all 24 results.').waitFor();
  await tab.page.keyboard.press('Enter');
  await heading(tab, 'Search: orders production');
  await tab.page.getByText('(24)').waitFor();
  expect(tab.page.url()).toContain('#/search?text=orders+production');
  await tab.page.keyboard.press('Escape');
  await expectAccessible(tab);
  await tab.page.getByRole('link', { name: 'orders-1-db-1', exact: true }).click();
  await heading(tab, 'orders-1-db-1');
  await tab.page.goBack();
  await tab.page.getByText('(24)').waitFor();
  await search(tab, 'nothing has this name');
  await tab.page.getByText('No results').first().waitFor();
  expectClean(tab);
});

test('changes by others appear in the search without a reload, and those of this page at once', async () => {
  tab = await site.at('nodes');
  await search(tab, 'brand-new');
  await tab.page.getByText('No results').first().waitFor();
  const { node_id: id } = await site.addNode('a-brand-new-host');
  await option(tab, 'a-brand-new-host').waitFor();
  await site.write('PATCH', `/v1/nodes/${id}`, { address: '10.9.8.7' });
  await field(tab).fill('10.9.8');
  await option(tab, 'Address: 10.9.8.7').waitFor();
  await site.write('DELETE', `/v1/nodes/${id}`);
  await option(tab, 'Address: 10.9.8.7').waitFor({ state: 'detached' });
  expectClean(tab);
});

test('a reload continues from the cursor: the inventory is not read again, and changes in between are found', async () => {
  tab = await site.at('nodes');
  await search(tab, 'orders-1-host-1');
  await option(tab, 'orders-1-host-1').first().waitFor();
  await eventually(async () => (await tab.page.evaluate('sessionStorage.getItem("search-index")')) !== null);
  const { node_id: id } = await site.addNode('added-in-between');
  const [exported, changes] = [requests(tab, '/v1/export'), requests(tab, '/v1/changes')];
  await tab.page.reload();
  await heading(tab, 'Nodes');
  await search(tab, 'added-in');
  await option(tab, 'added-in-between').waitFor();
  await field(tab).fill('orders-1-host-1');
  await option(tab, 'orders-1-host-1').first().waitFor();
  expect(exported).toEqual([]);
  expect(changes[0]).not.toContain('since=now');
  await site.write('DELETE', `/v1/nodes/${id}`);
  expectClean(tab);
});

test('a log-out removes the copy of the index, and another session does not read it', async () => {
  tab = await site.at('nodes');
  const states = tab.page.waitForResponse(/node_id\+in/);
  await search(tab, 'orders');
  await option(tab, 'orders-1').first().waitFor();
  // A request in flight at the log-out would be refused.
  await states;
  await untilIdle(tab);
  await eventually(async () => (await stored(tab)).length > 0);
  expect(await stored(tab)).toEqual(['inventory-index']);
  await tab.page.keyboard.press('Escape');
  await tab.page.getByRole('button', { name: 'admin' }).click();
  await tab.page.getByRole('menuitem', { name: 'Log out' }).click();
  await tab.page.getByRole('heading', { name: 'Log in' }).waitFor();
  await eventually(async () => (await stored(tab)).length === 0);
  await logIn(tab);
  const exported = requests(tab, '/v1/export');
  await search(tab, 'orders');
  await option(tab, 'orders-1').first().waitFor();
  expect(exported).toHaveLength(1);
  expectClean(tab);
});

test('in an inventory that is too large, the server finds names by their beginning', async () => {
  tab = await site.at('nodes');
  await tab.page.route('**/v1/summary', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { agents: { total: number } };
    await route.fulfill({ response, json: { ...body, agents: { ...body.agents, total: 200_000 } } });
  });
  const exported = requests(tab, '/v1/export');
  await search(tab, 'search-2-db');
  await option(tab, 'search-2-db-3').waitFor();
  await tab.page.getByText('More than 200,000 objects').first().waitFor();
  expect(exported).toEqual([]);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByText('The inventory has more than 200,000 objects.').waitFor();
  await tab.page.getByRole('link', { name: 'search-2-db-4', exact: true }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('a failed reading is shown in the field and can be repeated', async () => {
  tab = await site.at('nodes');
  await tab.page.route('**/v1/export?*', (route) => route.fulfill({ status: 500, json: {} }));
  await search(tab, 'orders');
  await tab.page.getByText('The server returned status 500.', { exact: true }).waitFor();
  await expectAccessible(tab);
  await tab.page.unroute('**/v1/export?*');
  await tab.page.getByRole('button', { name: 'Try again' }).click();
  await option(tab, 'orders-1').first().waitFor();
  expectClean(tab, [500]);
});

test.each([1280, 390])(
  'while the inventory is read, the page of results says how far, in a window of %d pixels',
  async (width) => {
    tab = await site.open('/#/search?text=search-2-db-3', { viewport: { width, height: 800 } });
    const held = Promise.withResolvers<undefined>();
    await tab.page.route('**/v1/export?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await logIn(tab);
    const reading = tab.page.locator('main').getByText(/^Reading the inventory: 0 of \d+ objects$/);
    await reading.waitFor();
    await tab.page.getByText('Searching').first().waitFor();
    await expectAccessible(tab);
    await expectNoSidewaysScroll(tab);
    held.resolve(undefined);
    await tab.page.getByRole('link', { name: 'search-2-db-3', exact: true }).waitFor();
    await reading.waitFor({ state: 'detached' });
    expectClean(tab);
  },
);

test.each([768, 390])('the search works in a window of %d pixels', async (width) => {
  tab = await site.at('nodes', { viewport: { width, height: 800 }, colorScheme: 'dark' });
  await search(tab, 'search-2-db-3');
  await option(tab, 'search-2-db-3').first().waitFor();
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  await tab.page.keyboard.press('Enter');
  await heading(tab, 'Search: search-2-db-3');
  await tab.page.keyboard.press('Escape');
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});
