import { eventually } from '../end-to-end/processes.ts';
import { expectAccessible, expectClean, expectNoSidewaysScroll, logIn, useSite, untilIdle } from './browser.ts';
import { addFleet } from './fleet.ts';
import { chooseItem } from './keys.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();

beforeAll(async () => {
  await addFleet(site, untilSilent);
});

const WIDE = { viewport: { width: 1440, height: 900 } };

/** Rows that are in view from top to bottom. */
const ROWS_IN_VIEW = `[...document.querySelectorAll('main tbody tr')]
  .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`;

/** The different heights of the rows, in pixels. */
const HEIGHTS = `[...new Set([...document.querySelectorAll('main tbody tr')].map((row) => Math.round(row.clientHeight)))]`;

test('a list has one line per row, and at 1440 x 900 18 rows with a filter', async () => {
  const tab = await site.at('overview', WIDE);
  const { page } = tab;
  for (const [list, filter, count] of [
    ['nodes', '?state=live', 18],
    ['services', '?state=live', 18],
    ['agents', '?state=live', 18],
    ['clusters', '', 15],
  ] as const) {
    await page.goto(`${site.server.base}/#/${list}${filter}`);
    await page.getByRole('heading', { name: new RegExp(`^${list}`, 'i'), level: 1 }).waitFor();
    await page.locator('main tbody tr').nth(14).waitFor();
    await untilIdle(tab);
    expect(await page.evaluate(ROWS_IN_VIEW)).toBeGreaterThanOrEqual(count);
    // A last row without a border is a pixel lower.
    const heights: number[] = await page.evaluate(HEIGHTS);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
    await expectAccessible(tab);
  }
  expectClean(tab);
});

test('a list with a filter has one line per row in windows of each usual size', async () => {
  const tab = await site.at('nodes?state=live', WIDE);
  const { page } = tab;
  for (const [width, height, count] of [
    [1920, 1080, 23],
    [1440, 900, 18],
    [1280, 800, 13],
    [1024, 768, 9],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.locator('main tbody tr').nth(20).waitFor();
    await untilIdle(tab);
    expect(Number(await page.evaluate(ROWS_IN_VIEW))).toBeGreaterThanOrEqual(count);
    await expectNoSidewaysScroll(tab);
  }
  expectClean(tab);
});

const PHONE = { viewport: { width: 390, height: 844 } };

test('at 390 px each list has a card per object, at least two in the first window, light and dark', async () => {
  const tab = await site.at('overview', PHONE);
  const { page } = tab;
  for (const [list, values] of [
    ['nodes', ['Type', 'Address', 'Region']],
    ['services', ['Type', 'Runs on', 'Cluster']],
    ['agents', ['Runs on', 'Since', 'Region']],
    ['clusters', ['Services', 'Nodes', 'Types']],
  ] as const) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${site.server.base}/#/${list}`);
    await page.getByRole('heading', { name: new RegExp(`^${list}`, 'i'), level: 1 }).waitFor();
    // A row that is loaded has a link.
    await page.locator('main tbody tr').nth(5).getByRole('link').first().waitFor();
    await untilIdle(tab);
    const card = page.locator('main tbody tr').first();
    expect(await card.locator('dt').allTextContents()).toEqual(values);
    expect((await card.getByRole('link').first().textContent())?.trim()).not.toBe('');
    const health = card.locator('.card-head > :nth-child(2)');
    expect(await health.textContent()).toMatch(/live|stale|offline|never|running|waiting|disabled|done|unknown/i);
    expect(await page.evaluate(ROWS_IN_VIEW)).toBeGreaterThanOrEqual(2);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoSidewaysScroll(tab);
      await expectAccessible(tab);
    }
  }
  expectClean(tab);
});

test('at 390 px cards are selected, changed, sorted and grouped by keyboard', async () => {
  const tab = await site.at('nodes', PHONE);
  const { page } = tab;
  // A menu that opens below the pointer has the item there focused.
  await page.mouse.move(0, 0);
  /** Opens the menu and chooses the item. */
  const choose = async (menu: string, item: RegExp) => {
    await page.getByRole('button', { name: menu, exact: true }).focus();
    await page.keyboard.press('Enter');
    await chooseItem(tab, page.getByRole('menu').locator('[role^=menuitem]').filter({ hasText: item }));
  };
  await page.getByRole('checkbox', { name: 'Select ledger-1-host-1', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('heading', { name: 'Nodes (1/60)', level: 1 }).waitFor();
  await choose('Actions', /^Set label/);
  await page.getByRole('dialog', { name: /Set label/i }).waitFor();
  await expectAccessible(tab);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const first = page.locator('main tbody tr').first().getByRole('link').first();
  await choose('Sort by', /^Name/);
  await eventually(() => Promise.resolve(/sort=name/.test(page.url())));
  await choose('Sort by', /^Name/);
  await eventually(() => Promise.resolve(/sort=-name/.test(page.url())));
  await first.filter({ hasText: 'search-5-host-4' }).waitFor();
  await page.getByRole('button', { name: 'Sort by' }).click();
  await page.getByRole('menuitem', { name: /^Name.*Descending/ }).waitFor();
  await page.keyboard.press('Escape');
  await choose('Group by', /^Region/);
  await page.getByRole('list', { name: 'Nodes by Region' }).getByRole('link').first().click();
  await eventually(() => Promise.resolve(/region=.*sort=-name/.test(page.url())));
  await expectNoSidewaysScroll(tab);
  // Nothing matches: the text takes the place of the cards.
  await page.goto(`${site.server.base}/#/nodes?name_prefix=none`);
  await page.getByText('No node matches').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('before the log-in the browser loads only the log-in page, and the console with the log-in', async () => {
  const asked: string[] = [];
  const tab = await site.open();
  const { page } = tab;
  page.on('request', (request) => asked.push(request.url().slice(site.server.base.length + 1)));
  const html = await (await page.goto(`${site.server.base}/?#/nodes`))!.text();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.waitForLoadState('networkidle');
  await untilIdle(tab);
  const ofLogIn = [...html.matchAll(/<(?:link|script)\b(?!.*data-first-page)[^>]*\b(?:href|src)="\.\/([^"]+)"/g)];
  const files = ofLogIn.map(([, path]) => path).filter((path) => path !== 'favicon.svg');
  expect(files.length).toBeGreaterThan(1);
  const others = asked.filter((path) => !files.includes(path));
  expect([...new Set(others)].toSorted()).toEqual(['?', 'favicon.svg', 'v1/logins']);
  await logIn(tab);
  await page.getByRole('link', { name: 'ledger-1-host-1', exact: true }).waitFor();
  expect(asked.filter((path) => /inventory-pages-\w+\.js$/.test(path))).toHaveLength(1);
  expectClean(tab);
});
