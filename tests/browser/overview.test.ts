import type { Locator } from 'playwright-core';
import { expectAccessible, expectClean, expectNoSidewaysScroll, logIn, useSite, untilIdle } from './browser.ts';
import { addFleet, OFFLINE_NODES } from './fleet.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();

beforeAll(async () => {
  await addFleet(site, untilSilent);
});

test('the overview is the first page, and each number leads to its list', async () => {
  const tab = await site.open();
  const { page } = tab;
  await logIn(tab);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const total = (kind: string, name: string) => page.getByRole('region', { name: kind }).getByRole('link', { name });
  await total('Agents', '300 in total').waitFor();
  await expectAccessible(tab);

  const leadsTo = async (link: Locator, heading: RegExp) => {
    await link.click();
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Monitoring inventory' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  };
  await leadsTo(total('Nodes', '60 in total'), /^Nodes/);
  await leadsTo(total('Nodes', `${OFFLINE_NODES.length} offline`), /^Nodes \(3\)/);
  await leadsTo(total('Services', '20 mysql'), /^Services \(20\)/);
  await leadsTo(page.getByRole('link', { name: '2 nodes stale' }), /^Nodes \(2\)/);
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? NaN;
  const findings = page.getByRole('table', { name: 'Needs attention' });
  expect(await top(findings)).toBeLessThan(await top(page.getByRole('region', { name: 'Nodes' })));
  await page.getByLabel('Changes of the last 24 hours').first().waitFor();
  // Which hosts in eu are offline: two steps with the keyboard.
  await page
    .getByRole('listitem', { name: 'eu-central-1b' })
    .getByRole('link', { name: '1 offline in eu-central-1b' })
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'ledger-3-host-2' }).waitFor();
  expectClean(tab);
});

test("each host is a square of its zone in its state's colour, and a click leads to the hosts in that state", async () => {
  const tab = await site.at('overview', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  const zone = page.getByRole('listitem', { name: 'eu-central-1a' });
  const squaresIn = async (state: string) =>
    ((await zone.locator(`path.state-${state}`).getAttribute('d')) ?? '').split('M').length - 1;
  await zone.locator('path.state-live').waitFor();
  expect([await squaresIn('live'), await squaresIn('stale'), await squaresIn('offline')]).toEqual([8, 1, 1]);
  expect(await page.locator('.host-squares').count()).toBe(9);
  // What waits is named above the squares, and moves them, once it is read.
  await untilIdle(tab);
  await zone.locator('path.state-stale').click({ position: { x: 2, y: 2 } });
  await page.getByRole('heading', { name: 'Nodes (1)', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'ledger-3-host-4' }).waitFor();
  expectClean(tab);
});

test('at 390 px and in the dark axe finds nothing, and nothing exceeds the window, also while the numbers load', async () => {
  const tab = await site.open('/', { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route('**/v1/summary*', async (route) => {
    await promise;
    await route.continue();
  });
  await logIn(tab);
  await page.getByText('Loading the overview').waitFor({ state: 'attached' });
  await expectAccessible(tab);
  resolve(undefined);
  await page.getByRole('link', { name: 'ledger-3-host-2' }).first().waitFor();
  for (const [width, colorScheme] of [
    [390, 'light'],
    [768, 'dark'],
    [720, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await untilIdle(tab);
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
  }
  expectClean(tab);
});
