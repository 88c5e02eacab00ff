import { expectAccessible, expectClean, expectNoSidewaysScroll, logIn, openSite, type Site } from './browser.ts';
import { addFleet } from './fleet.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await addFleet(site);
});
afterAll(() => site.close());

const WIDE = { viewport: { width: 1440, height: 900 } };

/** Rows that are in view from top to bottom. */
const ROWS_IN_VIEW = `[...document.querySelectorAll('main tbody tr')]
  .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`;

/** The different heights of the rows, in pixels. */
const HEIGHTS = `[...new Set([...document.querySelectorAll('main tbody tr')].map((row) => Math.round(row.clientHeight)))]`;

test.each(['nodes', 'services', 'agents', 'clusters'])(
  'the list of %s has one line per row, and at least 14 rows are in view at 1440 x 900',
  async (list) => {
    const tab = await site.at(list, WIDE);
    const { page } = tab;
    await page.locator('main tbody tr').nth(14).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(ROWS_IN_VIEW)).toBeGreaterThanOrEqual(14);
    // A last row without a border is a pixel lower.
    const heights: number[] = await page.evaluate(HEIGHTS);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
    await expectAccessible(tab);
    expectClean(tab);
  },
);

test('an agent is named by its type and its host, in the list, on its page and in the findings', async () => {
  const tab = await site.at('agents?status=waiting&disabled=false', WIDE);
  const { page } = tab;
  await page.getByRole('link', { name: 'postgres_exporter on ledger-1-host-1', exact: true }).click();
  await page.getByRole('heading', { name: 'postgres_exporter on ledger-1-host-1', level: 1 }).waitFor();
  await page.goto(`${site.server.base}/#/overview`);
  await page
    .getByRole('table', { name: 'Needs attention' })
    .getByRole('link', { name: 'postgres_exporter on ledger-1-host-1', exact: true })
    .waitFor();
  expectClean(tab);
});

test('at 390 px the lists of services and agents are as wide as the window', async () => {
  for (const list of ['services', 'agents']) {
    const tab = await site.at(list, { viewport: { width: 390, height: 844 } });
    await tab.page.locator('main tbody tr').nth(5).waitFor();
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
    expectClean(tab);
  }
});

test('before the log-in the browser loads the log-in page alone; the console is loaded with the log-in', async () => {
  const asked: string[] = [];
  const tab = await site.open();
  const { page } = tab;
  page.on('request', (request) => asked.push(request.url().slice(site.server.base.length + 1)));
  const html = await (await page.goto(`${site.server.base}/?#/nodes`))!.text();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.waitForLoadState('networkidle');
  const ofLogIn = [...html.matchAll(/<(?:link|script)\b(?!.*data-first-page)[^>]*\b(?:href|src)="\.\/([^"]+)"/g)];
  const files = ofLogIn.map(([, path]) => path).filter((path) => path !== 'favicon.svg');
  expect(files.length).toBeGreaterThan(1);
  // Also the module that removes the index of a tab which was closed without a log-out.
  const others = asked.filter((path) => !files.includes(path) && !/^assets\/remove-stored-index-\w+\.js$/.test(path));
  expect([...new Set(others)].toSorted()).toEqual(['?', 'favicon.svg', 'v1/logins']);
  await logIn(tab);
  await page.getByRole('link', { name: 'ledger-1-host-1', exact: true }).waitFor();
  expect(asked.filter((path) => /inventory-pages-\w+\.js$/.test(path))).toHaveLength(1);
  expectClean(tab);
});
