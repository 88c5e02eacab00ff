import { expectAccessible, expectClean, expectNoSidewaysScroll, openSite, type Site, untilIdle } from './browser.ts';
import { addFleet } from './fleet.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await addFleet(site);
});
afterAll(() => site.close());

test('the worst cluster is the first one, and its page shows the problem, with the keyboard alone', async () => {
  const tab = await site.at('clusters');
  const { page } = tab;
  const first = page.getByRole('table', { name: 'Clusters' }).locator('tbody tr').first();
  await first.getByText('4 live, 1 stale, 1 offline', { exact: true }).waitFor();
  await expectAccessible(tab);
  await first.getByRole('link', { name: 'ledger-3' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'ledger-3', level: 1 }).waitFor();

  const node = (name: string) => page.getByRole('table', { name: 'Nodes of the cluster' }).getByRole('row', { name });
  await node('ledger-3-host-2').getByText('No report for').waitFor();
  expect(await node('ledger-3-host-2').textContent()).toContain('OfflineNo report for');
  expect(await node('ledger-3-host-4').textContent()).toContain('Stale');
  // The agents of a silent host are offline, whatever they reported last.
  // What comes above the table later would move it out of view again.
  await untilIdle(tab);
  await node('ledger-3-host-2').scrollIntoViewIfNeeded();
  await node('ledger-3-host-2').getByRole('link', { name: 'postgres_exporter' }).waitFor();
  expect(await node('ledger-3-host-2').textContent()).not.toContain('Running');
  const service = page
    .getByRole('table', { name: 'Services of the cluster' })
    .getByRole('row', { name: 'ledger-3-db-2' });
  expect(await service.textContent()).toContain('OfflineNo report from its node for');
  await expectAccessible(tab);
  expectClean(tab);
});

test('clusters are filtered by their worst state and by the types of their services, also from the address', async () => {
  const tab = await site.at('clusters?state=offline');
  const { page } = tab;
  const rows = page.getByRole('table', { name: 'Clusters' }).locator('tbody tr');
  await page.getByRole('heading', { name: 'Clusters (3/15)' }).waitFor();
  expect(await rows.count()).toBe(3);
  await page.getByRole('button', { name: 'Any type' }).click();
  await page.getByRole('option', { name: 'mysql' }).click();
  await rows.getByRole('link', { name: 'orders-2' }).waitFor();
  await page.getByRole('heading', { name: 'Clusters (1/15)' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/clusters?state=offline&type=mysql');
  expectClean(tab);
});

test.each(['environment', 'region'])('clusters are grouped by %s, and a group narrows the list', async (property) => {
  const tab = await site.at('clusters');
  const { page } = tab;
  await page.getByRole('button', { name: `Group by ${property}` }).click();
  const groups = page.getByRole('list', { name: new RegExp(`^Clusters by ${property}$`, 'i') });
  await groups.getByRole('listitem').first().waitFor();
  await expectAccessible(tab);
  const [text = ''] = await groups.getByRole('listitem').allInnerTexts();
  const [, value = '', count = ''] = /^(.+?)\s+(\d+)$/.exec(text.trim()) ?? [];
  await groups.getByRole('link', { name: value, exact: true }).click();
  await page.getByText(`(${count}/`).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/clusters?${property}=${encodeURIComponent(value)}`);
  expectClean(tab);
});

test('clusters sort by their name in both directions, with the keyboard', async () => {
  const tab = await site.at('clusters');
  const { page } = tab;
  const first = page.getByRole('table', { name: 'Clusters' }).locator('tbody tr').first();
  const header = page.locator('[data-focus-id=sorting-control-name]').last();
  await header.press('Enter');
  await first.getByRole('link', { name: 'ledger-1' }).waitFor();
  await header.press('Enter');
  await first.getByRole('link', { name: 'search-5' }).waitFor();
  expectClean(tab);
});

test('at 390 px the health of a cluster is shown as well', async () => {
  const tab = await site.at('clusters/ledger-3', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await tab.page.getByText('Offline', { exact: true }).first().waitFor();
  await untilIdle(tab);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
