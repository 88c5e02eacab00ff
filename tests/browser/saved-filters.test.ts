import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  logIn,
  logInWithKey,
  openSite,
  type Site,
  type Tab,
  untilIdle,
} from './browser.ts';

let site: Site;
let viewer: string;

beforeAll(async () => {
  site = await openSite();
  viewer = (await site.write('POST', '/v1/api-keys', { name: 'second user', role: 'Viewer' })).key;
  for (const [address, region] of Object.entries({ '10.0.0.1': 'eu', '10.0.0.2': 'eu', '10.0.0.3': 'us' }))
    await site.addNode(address, { region, address });
});
afterAll(() => site.close());
afterEach(async () => {
  for (const { saved_filter_id: id } of await filters()) await site.api('DELETE', `/v1/saved-filters/${id}`);
});

const filters = async () => (await site.api('GET', '/v1/saved-filters')).body.saved_filters;

const button = ({ page }: Tab) => page.getByRole('button', { name: 'Saved filters' });

async function menuItems(tab: Tab) {
  await button(tab).click();
  await tab.page.getByRole('menuitem').first().waitFor();
  const items = await tab.page.getByRole('menuitem').allInnerTexts();
  await tab.page.keyboard.press('Escape');
  return items.map((text) => text.replaceAll(/\s+/g, ' '));
}

async function choose(tab: Tab, item: string) {
  await button(tab).click();
  await tab.page.getByRole('menuitem', { name: item }).click();
}

async function save(tab: Tab, name: string, ...boxes: string[]) {
  await choose(tab, 'Save the filter');
  const dialog = tab.page.getByRole('dialog', { name: 'Save the filter' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  for (const box of boxes) await dialog.getByLabel(box).check();
  await expectNoViolations(tab);
  await dialog.getByLabel('Name', { exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

async function logInAgain(tab: Tab, as: () => Promise<unknown>) {
  await tab.page.getByRole('button', { name: /^(admin|second user)/ }).click();
  await tab.page.getByRole('menuitem', { name: 'Log out' }).click();
  await tab.page.getByRole('button', { name: 'Log in' }).waitFor();
  await as();
}

test('a filter is saved with its order and groups, opened in another browser, replaced and removed', async () => {
  const tab = await site.at('nodes?region=eu&sort=-name&group_by=state&page=1');
  await tab.page.getByText('2 matches').first().waitFor();
  await save(tab, 'Europe');
  const another = await site.at('nodes');
  await choose(another, 'Europe');
  await another.page.getByText('2 matches').first().waitFor();
  expect(Object.fromEntries(new URLSearchParams(another.page.url().split('?')[1]))).toEqual({
    region: 'eu',
    sort: '-name',
    group_by: 'state',
  });
  await another.page.goto(`${site.server.base}/#/nodes?region=us`);
  await another.page.getByText('1 match').first().waitFor();
  await save(another, 'Europe');
  expect(await filters()).toMatchObject([{ name: 'Europe', parameters: { region: 'us' }, revision: 2 }]);
  await choose(another, 'Manage saved filters');
  await expectAccessible(another);
  await another.page.getByRole('button', { name: 'Remove Europe' }).click();
  await another.page.getByText('No saved filters').waitFor();
  expect(await filters()).toEqual([]);
  expectClean(tab);
  expectClean(another);
});

test('a shared filter is seen by everybody; each pins it for the own menu and overview, which counts its objects', async () => {
  const tab = await site.at('nodes?region=eu');
  await tab.page.getByText('2 matches').first().waitFor();
  await save(tab, 'All of Europe', 'Share it with everybody', 'Pin it to my menu and my overview');
  await save(tab, 'Mine');
  const menu = tab.page.getByRole('navigation').getByRole('link', { name: 'All of Europe' });
  await menu.waitFor();
  await tab.page.getByRole('link', { name: 'Overview', exact: true }).click();
  const pinned = tab.page.getByRole('list', { name: 'Pinned filters' });
  await pinned.getByText('2 nodes').waitFor();
  await expectAccessible(tab);
  await pinned.getByRole('link', { name: 'All of Europe' }).click();
  await tab.page.getByText('2 matches').first().waitFor();

  await logInAgain(tab, () => logInWithKey(tab, viewer));
  await button(tab).waitFor();
  expect(await menuItems(tab)).toEqual(['All of Europe Shared by admin', 'Save the filter', 'Manage saved filters']);
  expect(await menu.count()).toBe(0);
  await choose(tab, 'Manage saved filters');
  expect(await tab.page.getByRole('checkbox', { name: 'Share All of Europe' }).isDisabled()).toBe(true);
  expect(await tab.page.getByRole('button', { name: 'Remove All of Europe' }).count()).toBe(0);
  await tab.page.getByRole('checkbox', { name: 'Pin All of Europe' }).click();
  await menu.waitFor();
  await tab.page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});

test('filters that an earlier version stored in the browser are moved in one action, also one whose name is taken', async () => {
  await site.write('POST', '/v1/saved-filters', { name: 'Europe', list: 'nodes', parameters: { az: 'a' } });
  const tab = await site.open('/#/nodes?region=eu');
  await tab.page.evaluate(() => {
    const stored = ['Europe', 'Of before'].map((name) => ({ name, query: { region: 'eu' } }));
    localStorage.setItem('saved-filters/user/admin/nodes', JSON.stringify(stored));
  });
  await logInWithKey(tab, viewer);
  await button(tab).waitFor();
  expect(await menuItems(tab)).toEqual(['Save the filter']);
  await logInAgain(tab, () => logIn(tab));
  await choose(tab, 'Move 2 filters of this browser here');
  await tab.page.getByText('The inventory contains the filters now').waitFor();
  await untilIdle(tab);
  expect((await filters()).map(({ name }: { name: string }) => name)).toEqual([
    ...['Europe', 'Europe (of a browser)', 'Of before'],
  ]);
  expect(await tab.page.evaluate(() => localStorage.getItem('saved-filters/user/admin/nodes'))).toBeNull();
  expect(await menuItems(tab)).toEqual([
    ...['Europe', 'Europe (of a browser)', 'Of before', 'Save the filter', 'Manage saved filters'],
  ]);
});

test('the menu opens once its filters are loaded, so that no item moves under the pointer', async () => {
  await site.write('POST', '/v1/saved-filters', { name: 'Europe', list: 'nodes', parameters: { region: 'eu' } });
  const tab = await site.open('/#/nodes');
  const held = Promise.withResolvers<undefined>();
  await tab.page.route('**/v1/saved-filters', async (route) => {
    await held.promise;
    await route.continue();
  });
  await logIn(tab);
  await button(tab).and(tab.page.locator('[aria-disabled=true]')).waitFor();
  await expectNoViolations(tab);
  // Without the wait of the browser for a button that can be used.
  await button(tab).click({ force: true });
  expect(await tab.page.getByRole('menuitem').count()).toBe(0);
  held.resolve(undefined);
  expect(await menuItems(tab)).toEqual(['Europe', 'Save the filter', 'Manage saved filters']);
  expectClean(tab);
});

test('the list of clusters has saved filters, and a pin of it counts clusters', async () => {
  for (const cluster of ['one', 'two']) {
    const service = { service_type: 'mysql', service_name: cluster, cluster, address: '10.0.0.1', port: 3306 };
    await site.write('POST', '/v1/services', { ...service, node_ids: [] });
  }
  const tab = await site.at('clusters?type=mysql');
  await save(tab, 'MySQL', 'Pin it to my menu and my overview');
  await tab.page.getByRole('link', { name: 'Overview', exact: true }).click();
  await tab.page.getByRole('list', { name: 'Pinned filters' }).getByText('2 clusters').waitFor();
  expectClean(tab);
});
