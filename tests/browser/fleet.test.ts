import { eventually } from '../end-to-end/processes.ts';
import { openSite, type Site } from './browser.ts';
import { addFleet, IDLE_AGENTS } from './fleet.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await addFleet(site);
});
afterAll(() => site.close());

test('the fleet of the browser tests has 60 nodes, 90 services and 300 agents, some of which need attention', async () => {
  const { body } = await site.api('GET', '/v1/summary');
  expect([body.nodes, body.services.total, body.agents.total, body.clusters.total]).toEqual([
    { total: 60, silenced: 0, by_state: { live: 54, stale: 2, offline: 3, never_seen: 1 }, by_type: { generic: 60 } },
    90,
    300,
    15,
  ]);
  const found = (body.attention as any[]).map(({ reason, kind, count }) => [`${reason} ${kind}`, count]);
  expect(Object.fromEntries(found)).toMatchObject({
    'offline node': 3,
    'stale node': 2,
    'waiting agent': IDLE_AGENTS.waiting,
    'not_running agent': IDLE_AGENTS.not_running,
  });
  const { clusters } = (await site.api('GET', '/v1/clusters')).body;
  expect(clusters.find(({ cluster }: { cluster: string }) => cluster === 'ledger-3')).toMatchObject({
    services: 6,
    services_by_state: { live: 4, stale: 1, offline: 1 },
  });
});

test.each([
  ['agents', 'mysqld_exporter'],
  ['clusters/ledger-3', 'ledger-3-host-4'],
])('the page %s makes at most five requests for its objects', async (path, text) => {
  const { page } = await site.at('nodes');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The index of the search reads the export and the changes, for all pages.
    if (/^\/v1\/(nodes|services|agents|clusters)/.test(pathname)) asked.push(request.url());
  });
  await page.goto(`${site.server.base}/#/${path}`);
  await page.getByText(text).first().waitFor();
  await page.waitForLoadState('networkidle');
  await eventually(async () => (await page.locator('tbody').getByText('…').count()) === 0, 30_000);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.slice(5)).toEqual([]);
});
