import { expectAccessible, expectClean, expectNoSidewaysScroll, useSite, untilIdle } from './browser.ts';
import { addFleet } from './fleet.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();

beforeAll(async () => {
  await addFleet(site, untilSilent);
});

test('the worst cluster is first, and its page shows the problem, with the keyboard alone and at 390 px in the dark', async () => {
  const tab = await site.at('clusters');
  const { page } = tab;
  const first = page.getByRole('grid', { name: 'Clusters' }).locator('tbody tr').first();
  await first.getByText('4 live, 1 stale, 1 offline', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Group by region' }).click();
  await page.getByRole('list', { name: 'Clusters by region' }).getByRole('listitem').first().waitFor();
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
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByText('Offline', { exact: true }).first().waitFor();
  await untilIdle(tab);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
