/** What the pages ask for, and how far their contents move. */
import { expectClean, openSite, type Site, type Tab } from './browser.ts';
import { addFleet } from './fleet.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await addFleet(site);
  for (const [index, role] of ['Viewer', 'Editor', 'Admin', 'Viewer'].entries())
    await site.write('POST', '/v1/api-keys', { name: `program-${index}`, role, time_to_live: '90d' });
});
afterAll(() => site.close());

const WIDE = { viewport: { width: 1440, height: 900 } };

/** Requests of a page to the API, whatever the number of its rows. */
const MAX_REQUESTS = 5;

const QUIET_MS = 1500;

/** Waits until nothing more is asked, for the time that names of other objects take. */
async function untilQuiet(asked: readonly string[]): Promise<void> {
  for (let before = -1; before !== asked.length;) {
    before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}

test('the overview, the list of agents and a cluster make at most five requests each', async () => {
  const tab = await site.at('removed', WIDE);
  const { page } = tab;
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) asked.push(pathname);
  });
  for (const [hash, text] of [
    ['overview', 'postgres_exporter on ledger-1-host-1'],
    ['agents', 'mysqld_exporter'],
    ['clusters/ledger-3', 'ledger-3-host-4'],
  ] as const) {
    asked.length = 0;
    await page.goto(`${site.server.base}/#/${hash}`);
    await page.getByText(text).first().waitFor();
    await untilQuiet(asked);
    expect(asked.length).toBeGreaterThan(0);
    expect([hash, asked.length > MAX_REQUESTS ? asked : []]).toEqual([hash, []]);
  }
  // The table of nodes is below the window: its agents are asked for when it comes into view, all at once.
  asked.length = 0;
  const nodes = page.getByRole('table', { name: 'Nodes of the cluster' });
  await nodes.scrollIntoViewIfNeeded();
  await nodes
    .getByText(/\d agents? running/)
    .first()
    .waitFor();
  await untilQuiet(asked);
  expect(asked.filter((path) => path === '/v1/agents')).toHaveLength(1);
  expectClean(tab);
});

/** How far the contents of a page move while it is loaded: https://web.dev/articles/cls */
const NOTE = `window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** Loads the page anew over a line with 1.6 Mbit/s and 300 ms. */
async function shiftOverSlowLine({ page, context }: Tab, hash: string): Promise<number> {
  await page.goto(`${site.server.base}/#/${hash}`);
  await page.locator('main h1').waitFor();
  await page.addInitScript(NOTE);
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 300,
    ...{ downloadThroughput: 200_000, uploadThroughput: 100_000 },
  });
  await page.reload();
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate('window.shift');
}

test.each([
  ['overview', 0.02],
  ['configuration/api-keys', 0.02],
  ['agents', 0.05],
  ['clusters/ledger-3', 0.05],
])('over a slow line the page %s moves less than %d', async (hash, max) => {
  const tab = await site.at('removed', { viewport: { width: 1440, height: 1600 } });
  // The budget of all pages is 0.05: bench/sections/console.ts.
  expect(await shiftOverSlowLine(tab, hash)).toBeLessThan(max);
  expectClean(tab);
});

test('the numbers of the overview are asked for once, while its page is loaded', async () => {
  const tab = await site.at('removed', WIDE);
  const { page } = tab;
  await page.goto(`${site.server.base}/#/overview`);
  await page.locator('main section a').first().waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(/overview-page-\w+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  const isAsked = page.waitForRequest((request) => new URL(request.url()).pathname === '/v1/summary');
  // The page is not complete before the script is there.
  await page.reload({ waitUntil: 'commit' });
  await isAsked;
  release(undefined);
  await page.locator('main section a').first().waitFor();
  await untilQuiet(asked);
  expect(asked.filter((path) => path === '/v1/summary')).toHaveLength(1);
  expectClean(tab);
});
