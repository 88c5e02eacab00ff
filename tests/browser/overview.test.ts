import type { Locator } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logIn,
  logInWithKey,
  openSite,
  type Site,
  untilIdle,
} from './browser.ts';
import { addFleet, type Fleet, IDLE_AGENTS, OFFLINE_NODES } from './fleet.ts';

let site: Site;
let fleet: Fleet;

beforeAll(async () => {
  site = await openSite();
  fleet = await addFleet(site);
});
afterAll(() => site.close());

test('the overview is the first page, and each number leads to the list of what it counts', async () => {
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
  expectClean(tab);
});

test('numbers that are not complete are named, and no others', async () => {
  const tab = await site.open();
  const { page } = tab;
  // Only an inventory above 20,000 objects, or a busy one, has such a count.
  await page.route('**/v1/summary*', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({
      response: reply,
      json: { ...(await reply.json()), complete: false, incomplete: ['changes'] },
    });
  });
  await logIn(tab);
  await page
    .getByText('The changes of the last 24 hours are not all counted yet: their chart is not complete.')
    .waitFor();
  expect(await page.getByText('objects are not all counted').count()).toBe(0);
  await untilIdle(tab);
  expectClean(tab);
});

test('how many agents fail, and which', async () => {
  const tab = await site.at('overview');
  const { page } = tab;
  const findings = page.getByRole('table', { name: 'Needs attention' });
  // A disabled agent counts as done: the finding, and its list, are about the others.
  const { agents } = (await site.api('GET', '/v1/agents?agent_type=vm_agent&page_size=1')).body;
  await site.write('PATCH', `/v1/agents/${agents[0].agent_id}`, { disabled: true });
  await findings.getByRole('link', { name: `${IDLE_AGENTS.not_running} agents not running` }).click();
  await page.getByRole('heading', { name: 'Agents (2)', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'orders-4-db-2' }).first().waitFor();
  await page.goBack();
  await findings.getByRole('link', { name: `${IDLE_AGENTS.waiting} agents waiting` }).click();
  await page.getByRole('heading', { name: 'Agents (2)', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'postgres_exporter' }).waitFor();
  await page.getByRole('link', { name: 'ledger-1-db-1' }).first().waitFor();
  await page.goBack();
  const waiting = findings.getByRole('row').filter({ hasText: 'agents waiting' });
  await waiting.getByRole('link', { name: '2 of 2 in eu-central-1' }).waitFor();
  await waiting.getByRole('link', { name: '2 of 2 in ledger-1' }).click();
  await page.getByRole('heading', { name: 'Agents (2)', level: 1 }).waitFor();
  expect(new URL(page.url()).hash).toContain('cluster=ledger-1');
  expectClean(tab);
});

test('which hosts in eu are offline: two steps with the keyboard', async () => {
  const tab = await site.at('overview');
  const { page } = tab;
  const zone = page.getByRole('listitem', { name: 'eu-central-1b' });
  await zone.getByRole('link', { name: '1 offline in eu-central-1b' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nodes (1)', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'ledger-3-host-2' }).waitFor();
  expect(decodeURIComponent(new URL(page.url()).hash)).toBe(
    '#/nodes?region=eu-central-1&selector=az="eu-central-1b"&state=offline',
  );
  await page.goto(`${site.server.base}/#/nodes?region=eu-central-1&state=offline`);
  await page.getByRole('heading', { name: 'Nodes (2)', level: 1 }).waitFor();
  expectClean(tab);
});

test('findings are above the totals; the services of silent nodes belong to these, with the regions of the nodes', async () => {
  const tab = await site.at('overview', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  const findings = page.getByRole('table', { name: 'Needs attention' });
  const offline = findings.getByRole('row').filter({ hasText: '3 nodes offline' });
  await offline.getByText('With 5 services on them').waitFor();
  expect(await findings.getByText('services offline').count()).toBe(0);
  expect((await findings.boundingBox())!.y).toBeLessThan(
    (await page.getByRole('region', { name: 'Nodes' }).boundingBox())!.y,
  );
  await offline.getByRole('link', { name: '5 services' }).click();
  await page.getByRole('heading', { name: 'Services (5)', level: 1 }).waitFor();
  await page.goBack();
  await offline.getByRole('link', { name: '2 of 3 in eu-central-1' }).press('Enter');
  await page.getByRole('heading', { name: 'Nodes (2)', level: 1 }).waitFor();
  expectClean(tab);
});

test('each host is a square of its zone, with the colour of its state; a click leads to those of the state', async () => {
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

test('until the numbers are loaded, the overview has its frame', async () => {
  const tab = await site.at('nodes', { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route('**/v1/summary*', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${site.server.base}/#/overview`);
  await page.getByRole('heading', { name: 'Hosts by region and zone' }).waitFor();
  await page.getByText('Loading the overview').waitFor({ state: 'attached' });
  await expectAccessible(tab);
  resolve(undefined);
  await page.getByRole('listitem', { name: 'eu-central-1a' }).waitFor();
  expect(await page.getByText('Loading the overview').count()).toBe(0);
  expectClean(tab);
});

test('numbers that the server has kept are shown at once, and then the current ones', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  // The list has asked for its total.
  await untilIdle(tab);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const asked: string[] = [];
  await page.route('**/v1/summary*', async (route) => {
    const { search } = new URL(route.request().url());
    asked.push(search);
    if (search === '') await promise;
    const response = await route.fetch();
    const summary = await response.json();
    // The reply of a server that has counted two minutes ago.
    const former = { age_seconds: 120, nodes: { ...summary.nodes, total: 57 } };
    await route.fulfill({ response, json: search === '' ? summary : { ...summary, ...former } });
  });
  await page.goto(`${site.server.base}/#/overview`);
  const total = (text: string) => page.getByRole('region', { name: 'Nodes' }).getByRole('link', { name: text });
  await total('57 in total').waitFor();
  expect(asked[0]).toBe('?max_age=600');
  resolve(undefined);
  await total('60 in total').waitFor();
  expect(asked).toEqual(['?max_age=600', '']);
  expectClean(tab);
});

test('changes of the last day, and the last ones with their authors', async () => {
  const tab = await site.at('overview');
  const { page } = tab;
  await page
    .getByRole('application', { name: 'Changes of the last 24 hours' })
    .or(page.getByLabel('Changes of the last 24 hours'))
    .first()
    .waitFor();
  const latest = page.getByRole('table', { name: 'Latest changes' });
  await latest.getByRole('row').nth(10).waitFor();
  expect(await latest.getByRole('row').count()).toBe(11);
  expect(await latest.getByRole('row').nth(1).textContent()).toMatch(/(Added|Changed).*admin.*User/);
  expectClean(tab);
});

test('at 390 px and in the dark there is nothing for axe, and nothing is wider than the window', async () => {
  for (const options of [
    { viewport: { width: 390, height: 844 } },
    { viewport: { width: 768, height: 1024 }, colorScheme: 'dark' },
    { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
    { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  ] as const) {
    const tab = await site.at('overview', options);
    await tab.page.getByRole('link', { name: 'ledger-3-host-2' }).first().waitFor();
    await untilIdle(tab);
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
    expectClean(tab);
  }
});

test('the list of keys that expire soon has only those', async () => {
  for (const life of ['3d', '90d'])
    await site.write('POST', '/v1/api-keys', { name: `lives-${life}`, role: 'Viewer', time_to_live: life });
  const tab = await site.at('configuration/api-keys?expires=soon');
  const { page } = tab;
  const rows = page.getByRole('table', { name: 'API keys' }).locator('tbody tr');
  await rows.getByText('lives-3d').waitFor();
  expect(await rows.count()).toBe(1);
  await page
    .getByRole('switch', { name: 'Expires within 14 days' })
    .or(page.getByRole('checkbox', { name: 'Expires within 14 days' }))
    .first()
    .press('Space');
  await rows.getByText('lives-90d').waitFor();
  expect(new URL(page.url()).hash).toBe('#/configuration/api-keys');
  await expectAccessible(tab);
  expectClean(tab);
});

test('a Viewer sees no findings about keys', async () => {
  const soon = { name: 'ends-soon', role: 'Viewer', time_to_live: '3d' };
  const { key } = await site.write('POST', '/v1/api-keys', soon);
  const viewer = await site.open();
  await logInWithKey(viewer, key);
  await viewer.page.getByRole('link', { name: '60 in total' }).waitFor();
  expect(await viewer.page.getByText('expire within').count()).toBe(0);
  expect(fleet.ids['ledger-3-host-2']).toBeDefined();
  expectClean(viewer);
});
