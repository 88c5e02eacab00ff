import { openSite, type Site, type Tab } from './browser.ts';
import { addFleet } from './fleet.ts';

let site: Site;
let tab: Tab;

beforeAll(async () => {
  site = await openSite();
  const { ids } = await addFleet(site);
  // All databases but two have a version.
  for (const [name, id] of Object.entries(ids)) {
    if (!/-db-\d$/.test(name) || name === 'orders-2-db-3' || name === 'search-4-db-1') continue;
    const version = name.startsWith('orders') ? '8.4.3' : '17.2';
    await site.write('PATCH', `/v1/services/${id}`, { version });
  }
});
afterAll(() => site.close());

beforeEach(async () => {
  tab = await site.at('overview');
});

const link = (name: string) => tab.page.getByRole('link', { name, exact: true });

test('three clicks from the overview show the services without a version', async () => {
  const { page } = tab;
  await link('Services').click();
  await page.getByRole('button', { name: 'Group by version' }).click();
  const groups = page.getByRole('list', { name: 'Services by Version' });
  await groups.getByText('17.2').waitFor();
  expect((await groups.getByRole('listitem').allTextContents()).map((text) => text.trim())).toEqual([
    '17.2 39',
    '(none) 32',
    '8.4.3 19',
  ]);
  await groups.getByRole('link', { name: '(none)' }).click();
  await page.getByText('(32)').waitFor();
  expect(page.url()).toMatch(/#\/services\?version=%28none%29$/);
  await page.reload();
  await page.getByText('(32)').waitFor();
  await page.getByText('Version = (none)').waitFor();
});

test('agents are grouped by region within a filter, and the click on a group narrows the list', async () => {
  const { page } = tab;
  await page.goto(`${site.server.base}/#/agents?status=waiting,done&group_by=region`);
  const groups = page.getByRole('list', { name: 'Agents by Region' });
  await groups.getByText('us-east-1').waitFor();
  expect((await groups.getByRole('listitem').allTextContents()).map((text) => text.trim()).toSorted()).toEqual([
    'eu-central-1 2',
    'us-east-1 2',
  ]);
  await groups.getByRole('link', { name: 'us-east-1' }).click();
  await page.getByText('(2)').waitFor();
  await page.getByText('Region = us-east-1').waitFor();
  await page.getByRole('columnheader', { name: 'Region' }).waitFor();
  // The regions of the nodes are shown once they are read.
  const regions = page.getByRole('cell', { name: 'us-east-1' });
  await regions.nth(1).waitFor();
  expect(await regions.count()).toBe(2);
});

test('nodes are grouped by a label, with the worst state of each group', async () => {
  const { page } = tab;
  await page.goto(`${site.server.base}/#/nodes?group_by=labels.tier`);
  const groups = page.getByRole('list', { name: 'Nodes by tier' });
  await groups.getByText('gold').waitFor();
  const rows = await groups.getByRole('listitem').allTextContents();
  expect(rows.map((text) => text.trim())).toEqual(['silver 45', 'gold 15']);
  const worst = groups.getByRole('img', { name: 'Worst state: Offline' });
  await worst.nth(1).waitFor();
  expect(await worst.count()).toBe(2);
  await groups.getByRole('link', { name: 'gold' }).click();
  await page.getByText('(15)').waitFor();
});
