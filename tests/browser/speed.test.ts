/** What the pages ask for, how far their contents move, and how soon the overview has its numbers. */
import { eventually } from '../end-to-end/processes.ts';
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
    await page.waitForLoadState('networkidle');
    // The names of other objects, which are loaded after the rows.
    await eventually(async () => (await page.locator('tbody').getByText('…').count()) === 0, 30_000);
    expect(asked.length).toBeGreaterThan(0);
    expect([hash, ...asked.slice(MAX_REQUESTS)]).toEqual([hash]);
  }
  expectClean(tab);
});

/** What a page notes of itself: how far its contents move (https://web.dev/articles/cls), and when its parts are there. */
const NOTE = `window.noted = { shift: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.noted.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
const look = () => {
  for (const [name, selector] of [['frame', '#top header'], ['numbers', 'main section a']])
    if (!(name in window.noted) && document.querySelector(selector) !== null) window.noted[name] = performance.now();
  requestAnimationFrame(look);
};
requestAnimationFrame(look);`;

interface Noted {
  shift: number;
  frame: number;
  numbers: number;
}

/** Loads the page anew over a line with 1.6 Mbit/s and 300 ms. */
async function loadSlowly({ page, context }: Tab, hash: string): Promise<Noted> {
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
  return page.evaluate('window.noted');
}

test.each(['overview', 'agents', 'clusters/ledger-3', 'configuration/api-keys'])(
  'over a slow line the page %s moves less than 0.02',
  async (hash) => {
    const tab = await site.at('removed', { viewport: { width: 1440, height: 1600 } });
    // The budget of all pages is 0.05: bench/sections/console.ts.
    expect((await loadSlowly(tab, hash)).shift).toBeLessThan(0.02);
    expectClean(tab);
  },
);

test('over a slow line the overview has its numbers within 1.5 times the time of its frame', async () => {
  const tab = await site.at('removed', WIDE);
  const { frame, numbers } = await loadSlowly(tab, 'overview');
  expect(numbers / frame).toBeLessThan(1.5);
  expectClean(tab);
});
