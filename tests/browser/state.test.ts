import type { Page } from 'playwright-core';
import { expectAccessible, expectClean, expectNoSidewaysScroll, useSite, untilFact, untilIdle } from './browser.ts';

/** The least that a timer may be. */
const STALE_SECONDS = 10;
const OFFLINE_SECONDS = 11;

const site = useSite();
let staleId = '';
let offlineProcessId = '';

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
  const { processId: liveProcessId } = await host('host-live');
  ({ nodeId: staleId } = await host('host-stale', { stale_after: `${STALE_SECONDS}s` }));
  ({ processId: offlineProcessId } = await host('host-offline', {
    stale_after: `${STALE_SECONDS}s`,
    offline_after: `${OFFLINE_SECONDS}s`,
  }));
  await site.addNode('host-new');
  await site.write('POST', '/v1/services', {
    service_type: 'mysql',
    service_name: 'orders',
    node_ids: [staleId],
    address: '10.0.0.1',
    port: 3306,
  });
  await new Promise((resolve) => setTimeout(resolve, (OFFLINE_SECONDS + 1) * 1000));
  await site.write('POST', `/v1/agents/${liveProcessId}/report`, { agents: [] });
});

/** Of a list, which is a grid, or of a table. */
const row = (page: Page, name: string, text: string) =>
  page.getByRole('grid', { name }).or(page.getByRole('table', { name })).locator('tbody tr').filter({ hasText: text });

/** A row can be there before its state. */
const untilState = (page: Page, table: string, name: string, state: RegExp): Promise<void> =>
  row(page, table, name).filter({ hasText: state }).waitFor();

test('states of nodes, services and agents are readable in lists, filters and pages, also at 390 px', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  await untilState(page, 'Nodes', 'host-live', /LiveLast report/);
  await untilState(page, 'Nodes', 'host-offline', /OfflineNo report for/);
  const input = page.getByRole('combobox', { name: 'Filter nodes' });
  await input.fill('State != never_seen');
  await input.press('Enter');
  await page.getByRole('heading', { name: 'Nodes (3)' }).waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/agents/${offlineProcessId}`);
  await untilFact(tab, 'Offline');
  await expectAccessible(tab);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const [hash, title] of [
    ['nodes', /^Nodes/],
    ['services', /^Services/],
    ['agents', /^Agents/],
    [`nodes/${staleId}`, 'host-stale'],
  ] as const) {
    await page.goto(`${site.server.base}/#/${hash}`);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.getByText('Stale', { exact: true }).first().waitFor();
    await untilIdle(tab);
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
  }
  expectClean(tab);
});

test('messages of invalid timers are readable', async () => {
  const tab = await site.at('nodes/add?node_type=generic');
  const { page } = tab;
  await page.getByRole('button', { name: /More options/ }).click();
  await page.getByLabel(/^Stale after/).fill('soon');
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByText(/^Must be .*, from 10s to 365d\.$/).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});
