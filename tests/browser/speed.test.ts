/** What the pages ask for, and how far their contents move. */
import type { BrowserContextOptions } from 'playwright-core';
import { SUMMARY_SECONDS } from '../../functions/domain/records/summary.ts';
import { expectClean, useSite, untilIdle } from './browser.ts';
import { addFleet, type Fleet } from './fleet.ts';
import { untilQuiet } from './in-flight.ts';
import { pageLimits } from './page-limits.ts';
import { LOAD_SCRIPT, pageLoad, pagesWith, sessionScript } from './page-load.ts';
import { startSlowLine } from './slow-line.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();
let fleet: Fleet;

beforeAll(async () => {
  fleet = await addFleet(site, untilSilent);
  for (const [index, role] of ['Viewer', 'Editor', 'Admin', 'Viewer'].entries())
    await site.write('POST', '/v1/api-keys', { name: `program-${index}`, role, time_to_live: '90d' });
});

const WIDE = { viewport: { width: 1440, height: 900 } };

/** Requests of a page to the API, whatever the number of its rows. */
const MAX_REQUESTS = 5;

test('the overview, the list of agents and a cluster make at most five requests each', async () => {
  const tab = await site.at('removed', WIDE);
  const { page } = tab;
  await untilIdle(tab);
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
    await untilQuiet(tab);
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
  await untilQuiet(tab);
  expect(asked.filter((path) => path === '/v1/agents')).toHaveLength(1);
  expectClean(tab);
});

/** A tab of a browser that has cached nothing of the console. */
const newTab = (options: BrowserContextOptions = {}) =>
  site.open('/favicon.svg', { viewport: { width: 1440, height: 1600 }, ...options });

test('the log-in page loads little before its first paint', async () => {
  const { page } = await newTab();
  await page.addInitScript(LOAD_SCRIPT);
  await page.goto(site.server.base);
  await page.locator('input[name=password]:focus').waitFor();
  const [paint]: number[] = await page.evaluate(`new Promise((resolve) => new PerformanceObserver((list, observer) => {
    const paints = list.getEntriesByName('first-contentful-paint');
    if (paints.length > 0) resolve(paints.map(({ startTime }) => bytesUntil(startTime)));
  }).observe({ type: 'paint', buffered: true }))`);
  expect(paint).toBeGreaterThan(0);
  expect(paint).toBeLessThan(pageLimits.loginBytes);
});

/** Pages at a time: over the slow line a page mostly waits. */
const TABS = 4;

/** Other limits than that of all pages. */
const maxShifts: Readonly<Record<string, number>> = {
  overview: 0.02,
  'configuration/api-keys': 0.02,
};

test('over a slow line no page loads much or moves, with an empty cache', async () => {
  const { key } = await site.write('POST', '/v1/sessions');
  const hashes = pagesWith({ nodeId: fleet.ids['ledger-3-host-4'] ?? '', cluster: 'ledger-3' });
  const faults: string[] = [];
  const remaining = [...hashes];
  const visitAll = async (): Promise<void> => {
    for (let hash = remaining.shift(); hash !== undefined; hash = remaining.shift()) {
      const line = await startSlowLine();
      const tab = await newTab({ proxy: { server: line.url } });
      const { bytes, shift, moved } = await pageLoad(tab.page, `${site.server.base}/#/${hash}`, sessionScript(key));
      expectClean(tab);
      await tab.context.close();
      line.close();
      // Less than a page has: nothing was counted.
      if (bytes > pageLimits.pageBytes || bytes < 2 * pageLimits.loginBytes) faults.push(`${hash}: ${bytes} bytes`);
      if (shift > (maxShifts[hash] ?? pageLimits.shift)) faults.push(`${hash}: moves by ${shift}`, ...moved);
    }
  };
  await Promise.all(Array.from({ length: TABS }, visitAll));
  expect(faults).toEqual([]);
});

/** The request for the numbers that the server has. */
const KEPT_SUMMARY = /\/v1\/summary\?max_age=\d+$/;

test("the overview's numbers are requested once, in parallel with its scripts and fonts", async () => {
  const tab = await site.at('removed', WIDE);
  const { page } = tab;
  await page.goto(`${site.server.base}/#/overview`);
  await page.locator('main section a').first().waitFor();
  await untilIdle(tab);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().slice(site.server.base.length)));
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(/(?:frame|overview-page)-\w+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  // Text moves when its font arrives later than the rest of the page.
  const early = [KEPT_SUMMARY, /\/shared-\w+\.js$/, /\/overview-page-\w+\.js$/, /\/bold-font-\w+\.woff2$/];
  const areAsked = early.map((url) => page.waitForRequest(url));
  const kept = page.waitForResponse(KEPT_SUMMARY);
  // The page is not complete before the scripts are there.
  await page.reload({ waitUntil: 'commit' });
  await Promise.all(areAsked);
  release(undefined);
  await page.locator('main section a').first().waitFor();
  await untilQuiet(tab);
  const { age_seconds: age } = (await (await kept).json()) as { age_seconds: number };
  // Of numbers that are too old the page asks for current ones, too.
  const current = age < SUMMARY_SECONDS ? [] : ['/v1/summary'];
  expect(asked.filter((path) => path.startsWith('/v1/summary'))).toEqual([
    expect.stringMatching(KEPT_SUMMARY),
    ...current,
  ]);
  expectClean(tab);
});
