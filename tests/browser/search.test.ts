import { eventually } from '../end-to-end/processes.ts';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logIn,
  useSite,
  type Tab,
  untilIdle,
} from './browser.ts';
import { addFleet } from './fleet.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();
let tab: Tab;

beforeAll(async () => {
  await addFleet(site, untilSilent);
});

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
  const queries: string[] = [];
  at.page.on('request', (request) => {
    const { pathname, search: query } = new URL(request.url());
    if (pathname === path) queries.push(query);
  });
  return queries;
};

const stored = ({ page }: Tab) =>
  page.evaluate<string[]>('indexedDB.databases().then((all) => all.map(({ name }) => name))');

test('a host is found by a part of its name by keyboard alone, and Back returns to the page of all results', async () => {
  tab = await site.at('nodes');
  const { page } = tab;
  await page.keyboard.press('Control+k');
  await page.locator('#top header [role=search] input:focus').waitFor();
  await option(tab, 'Go to Overview').waitFor();
  await expectAccessible(tab);
  await page.keyboard.type('CH-3-HOST-2');
  await option(tab, 'search-3-host-2').first().getByText('Live').waitFor();
  await expectAccessible(tab);
  await untilIdle(tab);
  // The first option lists all results.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(tab, 'search-3-host-2');
  await search(tab, 'orders production');
  await page.getByText('Press Enter to list all 24 results.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('(24)').waitFor();
  await page.keyboard.press('Escape');
  await expectAccessible(tab);
  await page.getByRole('link', { name: 'orders-1-db-1', exact: true }).click();
  await heading(tab, 'orders-1-db-1');
  await page.goBack();
  await heading(tab, 'Search: orders production');
  await page.getByText('(24)').waitFor();
  expectClean(tab);
});

test("a list opens with the index's rows, and the server's reply adds states without moving anything", async () => {
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
  const table = page.getByRole('grid', { name: 'Nodes' });
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

test('a log-out removes the index copy, and another session does not read it', async () => {
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

test('in narrow windows the search with its failure, progress and results needs no sideways scrolling', async () => {
  tab = await site.at('nodes', { viewport: { width: 768, height: 800 }, colorScheme: 'dark' });
  const { page } = tab;
  await page.route('**/v1/export?*', (route) => route.fulfill({ status: 500, json: {} }));
  await search(tab, 'search-2-db-3');
  await page.getByText('The server returned status 500.', { exact: true }).waitFor();
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  await page.unroute('**/v1/export?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await option(tab, 'search-2-db-3').first().waitFor();
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  expectClean(tab, [500]);

  tab = await site.at('nodes', { viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
  const narrow = tab.page;
  const held = Promise.withResolvers<undefined>();
  await narrow.route('**/v1/export?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await search(tab, 'search-2-db-3');
  await narrow.keyboard.press('Enter');
  const reading = narrow.locator('main').getByText(/^Reading the inventory: 0 of \d+ objects$/);
  await reading.waitFor();
  await narrow.keyboard.press('Escape');
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  held.resolve(undefined);
  await narrow.getByRole('link', { name: 'search-2-db-3', exact: true }).waitFor();
  await reading.waitFor({ state: 'detached' });
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});
