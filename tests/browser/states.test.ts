import { setTimeout as delay } from 'node:timers/promises';
import {
  expectAccessible,
  expectClean,
  expectColoursClean,
  expectNoSidewaysScroll,
  logIn,
  useSite,
  type Tab,
  untilIdle,
} from './browser.ts';

const site = useSite();
let nodeId: string;

beforeAll(async () => {
  // One of them loses its connection for a moment, and another one stays silent.
  const host = async (name: string, timers: object = {}) => {
    const { node_id: id } = await site.addNode(name, timers);
    const { agent_id: process } = await site.write('POST', '/v1/agents', {
      ...{ agent_type: 'pmm_agent', runs_on_node_id: id },
    });
    const service = { service_type: 'mysql', service_name: `${name}-db`, cluster: 'orders', address: name, port: 3306 };
    await site.write('POST', '/v1/services', { ...service, node_ids: [id] });
    const report = (more: object = {}) => site.write('POST', `/v1/agents/${process}/report`, { agents: [], ...more });
    await report();
    return { id: String(id), report };
  };
  await host('steady');
  const flaky = await host('flaky');
  nodeId = flaky.id;
  await flaky.report({ connected: false });
  await delay(1500);
  await flaky.report();
  // Its interruption begins after that of the other one, however slow the server is.
  await host('silent', { stale_after: '10s', offline_after: '12s' });
  await delay(12_000);
});

const strip = ({ page }: Tab) => page.locator('svg.state-strip');

test('a node page has the availability, a strip, and the interruptions in words for the keyboard', async () => {
  const tab = await site.at(`nodes/${nodeId}`);
  const { page } = tab;
  await page.getByRole('heading', { name: 'States of the last 24 hours', level: 2 }).waitFor();
  await page.getByText(/^Live [5-9]\d(\.\d+)? % of the time since /).waitFor();
  const parts = await strip(tab).locator('rect').all();
  const states = await Promise.all(parts.map((part) => part.getAttribute('class')));
  expect(states).toEqual(['state-live', 'state-live', 'state-stale']);
  const fold = page.getByRole('button', { name: '1 interruption' });
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  await fold.press('Enter');
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Stale from .+ to .+: less than a minute$/ })
    .waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

const END = Date.parse('2026-03-02T12:00:00.000Z');
const at = (hours: number) => new Date(END + hours * 3_600_000).toISOString();

/** A day with a long history, which a test cannot wait for. */
const wholeDay = {
  ...{ begin: at(-24), end: at(0), availability: 0.83333 },
  intervals: [
    { state: 'live', begin: at(-24), end: at(-12) },
    { state: 'stale', begin: at(-12), end: at(-11) },
    { state: 'offline', begin: at(-11), end: at(-8) },
    { state: 'live', begin: at(-8), end: at(0) },
  ],
};

const LOOKS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

test('a part of the strip is placed by its time and as high as its state, light at 1440 px and dark at 390 px', async () => {
  const tab = await site.open('/', LOOKS[0]);
  const { page } = tab;
  await tab.context.route('**/v1/nodes/*/states', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: wholeDay });
  });
  await page.goto(`${site.server.base}/#/nodes/${nodeId}`);
  await logIn(tab);
  await page.getByText('Live 83.33 % of the last 24 hours', { exact: true }).waitFor();
  await page.getByRole('button', { name: '1 interruption' }).press('Enter');
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Offline from .+: 3 hours$/ })
    .waitFor();
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await untilIdle(tab);
    const whole = (await strip(tab).boundingBox())!;
    const part = async (state: string) => (await strip(tab).locator(`.state-${state}`).first().boundingBox())!;
    const [stale, offline] = [await part('stale'), await part('offline')];
    expect((offline.x - whole.x) / whole.width).toBeCloseTo(13 / 24, 2);
    expect(offline.width / whole.width).toBeCloseTo(3 / 24, 2);
    expect(stale.height).toBeLessThan(0.7 * offline.height);
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
    await expectColoursClean(tab);
  }
  expectClean(tab);
});

test("a day's states of a cluster and of all nodes are readable, light at 1440 px and dark at 390 px", async () => {
  const tab = await site.at('clusters/orders', LOOKS[0]);
  const { page } = tab;
  await page.getByRole('button', { name: '2 interruptions' }).press('Enter');
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Offline from/ })
    .first()
    .waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/overview`);
  await page.getByRole('button', { name: 'Numbers of each hour' }).press('Enter');
  const table = page.getByRole('table', { name: 'Nodes by state in the last 24 hours' });
  await table.waitFor();
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await untilIdle(tab);
    expect(await table.locator('tbody tr').count()).toBe(25);
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
  }
  expectClean(tab);
});
