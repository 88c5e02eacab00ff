import { eventually } from '../end-to-end/processes.ts';
import type { Page } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  menuLink,
  openSite,
  type Site,
  untilFact,
  untilIdle,
} from './browser.ts';

/** The least that a timer may be. */
const STALE_SECONDS = 10;
const OFFLINE_SECONDS = 11;

let site: Site;
let staleId = '';
let offlineId = '';
let offlineProcessId = '';
let serviceId = '';

/** A node whose agent process reports once. */
async function host(name: string, timers: object = {}): Promise<{ nodeId: string; processId: string }> {
  const { node_id: nodeId } = await site.addNode(name, timers);
  const { agent_id: processId } = await site.write('POST', '/v1/agents', {
    agent_type: 'pmm_agent',
    runs_on_node_id: nodeId,
  });
  await site.write('POST', `/v1/agents/${processId}/report`, { agents: [] });
  return { nodeId, processId };
}

beforeAll(async () => {
  site = await openSite();
  const { processId: liveProcessId } = await host('host-live');
  ({ nodeId: staleId } = await host('host-stale', { stale_after: `${STALE_SECONDS}s` }));
  ({ nodeId: offlineId, processId: offlineProcessId } = await host('host-offline', {
    stale_after: `${STALE_SECONDS}s`,
    offline_after: `${OFFLINE_SECONDS}s`,
  }));
  await site.addNode('host-new');
  ({ service_id: serviceId } = await site.write('POST', '/v1/services', {
    service_type: 'mysql',
    service_name: 'orders',
    node_ids: [staleId],
    address: '10.0.0.1',
    port: 3306,
  }));
  await new Promise((resolve) => setTimeout(resolve, (OFFLINE_SECONDS + 1) * 1000));
  await site.write('POST', `/v1/agents/${liveProcessId}/report`, { agents: [] });
});
afterAll(() => site.close());

const row = (page: Page, table: string, name: string) =>
  page.getByRole('table', { name: table }).locator('tbody tr').filter({ hasText: name });

/** A row can be there before its state. */
const untilState = (page: Page, table: string, name: string, state: RegExp): Promise<void> =>
  row(page, table, name).filter({ hasText: state }).waitFor();

test('the lists tell the health of each node, service and agent, and since when it is silent', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  await untilState(page, 'Nodes', 'host-live', /LiveLast report (just now|1 minute ago)/);
  await untilState(page, 'Nodes', 'host-stale', /StaleNo report for/);
  await untilState(page, 'Nodes', 'host-offline', /OfflineNo report for/);
  await untilState(page, 'Nodes', 'host-new', /Never seenNo report yet/);
  await expectAccessible(tab);
  await menuLink(tab, 'Services').click();
  await untilState(page, 'Services', 'orders', /StaleNo report from its node for/);
  await menuLink(tab, 'Agents').click();
  await untilState(page, 'Agents', 'pmm_agent on host-offline', /OfflineNo report for/);
  await expectAccessible(tab);
  expectClean(tab);
});

test('the pages of objects tell it, too', async () => {
  const tab = await site.at(`nodes/${staleId}`);
  const { page } = tab;
  await untilFact(tab, 'Stale');
  await untilState(page, 'Services that run on it', 'orders', /Stale/);
  await untilState(page, 'Agents that run on it', 'pmm_agent', /Stale/);
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/services/${serviceId}`);
  await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
  await untilFact(tab, 'Stale');
  await page.goto(`${site.server.base}/#/agents/${offlineProcessId}`);
  await untilFact(tab, 'Offline');
  await expectAccessible(tab);
  // As it is now, once it is asked again. The reply may be slower than the timers of the node.
  const timers = (stale: string, offline: string) =>
    site.write('PATCH', `/v1/nodes/${offlineId}`, { stale_after: stale, offline_after: offline });
  await timers('30d', '60d');
  await site.write('POST', `/v1/agents/${offlineProcessId}/report`, { agents: [] });
  await page.getByRole('button', { name: 'Reload the agent' }).click();
  await untilFact(tab, 'Live');
  await timers(`${STALE_SECONDS}s`, `${OFFLINE_SECONDS}s`);
  expectClean(tab);
});

test('lists are filtered by state', async () => {
  // After its report for the test above, the host is live and stale for some seconds.
  await eventually(async () => (await site.api('GET', '/v1/nodes?state=offline')).body.nodes.length === 1);
  const tab = await site.at('nodes');
  const { page } = tab;
  await row(page, 'Nodes', 'host-live').waitFor();
  const input = page.getByRole('combobox', { name: 'Filter nodes' });
  await input.fill('State = never_seen');
  await input.press('Enter');
  await page.getByRole('heading', { name: 'Nodes (1)' }).waitFor();
  await row(page, 'Nodes', 'host-new').waitFor();
  expect(new URL(page.url()).hash).toBe('#/nodes?state=never_seen');
  // Several states, and all but some.
  await page.goto(`${site.server.base}/#/nodes?state=stale,never_seen`);
  await page.getByRole('heading', { name: 'Nodes (2)' }).waitFor();
  await page.getByText('State = stale, never seen').waitFor();
  await page.goto(`${site.server.base}/#/nodes`);
  await page.getByRole('heading', { name: 'Nodes (4)' }).waitFor();
  await input.fill('State != never_seen');
  await input.press('Enter');
  await page.getByRole('heading', { name: 'Nodes (3)' }).waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/services?state=stale`);
  await row(page, 'Services', 'orders').waitFor();
  await page.goto(`${site.server.base}/#/services?state=live`);
  await page.getByText('No service matches').waitFor();
  await page.goto(`${site.server.base}/#/agents?state=stale`);
  await page.getByRole('heading', { name: 'Agents (1)' }).waitFor();
  await row(page, 'Agents', 'pmm_agent').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('the lifetime of a node is set when it is added, and changed; invalid timers have a message', async () => {
  const tab = await site.at('nodes/add?node_type=generic');
  const { page } = tab;
  await page.getByRole('button', { name: /More options/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('host-brief');
  await page.getByLabel('Address', { exact: true }).fill('10.0.0.1');
  await page.getByLabel(/^Lifetime/).click();
  await page.getByRole('option', { name: 'ephemeral' }).click();
  await page.getByLabel(/^Stale after/).fill('soon');
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByText(/^Must be .*, from 10s to 365d\.$/).waitFor();
  await page.getByLabel(/^Stale after/).fill('1h');
  await page.getByText('offline_after must be longer than stale_after.', { exact: true }).waitFor();
  await expectAccessible(tab);
  await page.getByLabel(/^Offline after/).fill('2h');
  await page.getByLabel(/^Remove after/).fill('3h');
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByText('The node host-brief was added.').waitFor();
  for (const fact of ['ephemeral', '1h', '2h', '3h', 'Never seen']) await untilFact(tab, fact);

  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: /More options/ }).click();
  await page.getByLabel(/^Remove after/).fill('4h');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The node host-brief was changed.').waitFor();
  await untilFact(tab, '4h');
  expectClean(tab);
});

test('at 390 px the state is shown as well', async () => {
  const tab = await site.at('nodes', { viewport: { width: 390, height: 844 } });
  await untilState(tab.page, 'Nodes', 'host-stale', /Stale/);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  for (const [hash, title] of [
    ['services', /^Services/],
    ['agents', /^Agents/],
    [`nodes/${staleId}`, 'host-stale'],
  ] as const) {
    await tab.page.goto(`${site.server.base}/#/${hash}`);
    await tab.page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await tab.page.getByText('Stale', { exact: true }).first().waitFor();
    await untilIdle(tab);
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
  }
  expectClean(tab);
});
