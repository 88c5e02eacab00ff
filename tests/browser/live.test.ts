import { eventually } from '../end-to-end/processes.ts';
import {
  expectAccessible,
  logIn,
  openSite,
  passTime,
  type Site,
  type Tab,
  untilFact,
  untilIdle,
  untilValue,
} from './browser.ts';

let site: Site;
let nodeId = '';
let processId = '';

beforeAll(async () => {
  site = await openSite();
  ({ node_id: nodeId } = await site.addNode('host-1', { stale_after: '10s', offline_after: '30d' }));
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  ({ agent_id: processId } = await site.write('POST', '/v1/agents', agent));
});
afterAll(() => site.close());

const report = () => site.write('POST', `/v1/agents/${processId}/report`, { agents: [] });

/** A tab that refreshes itself every 10 seconds. */
async function liveTab(hash: string): Promise<Tab> {
  const tab = await site.at(hash);
  await tab.page.evaluate(`localStorage.setItem('auto-refresh', '10s')`);
  await tab.page.reload();
  await tab.page.locator('main h1').waitFor();
  return tab;
}

const row = ({ page }: Tab, name: string) => page.getByRole('table', { name: 'Nodes' }).getByRole('row', { name });

test('a list shows new objects, and hosts that fall silent, without a reload', async () => {
  const tab = await liveTab('nodes');
  // It reports until the page has seen it live, however long that takes.
  const live = row(tab, 'host-1').getByText('Live', { exact: true });
  await eventually(
    async () => {
      await report();
      return live.isVisible();
    },
    undefined,
    1000,
  );
  await row(tab, 'host-1').getByText('Stale', { exact: true }).waitFor();
  await site.addNode('host-2', { address: '10.0.0.2' });
  await row(tab, 'host-2').waitFor();
  expect(tab.problems).toEqual([]);
});

test('a row whose health changes while it is shown has a mark, and no other row', async () => {
  const { node_id: id } = await site.addNode('marked', { stale_after: '30d', offline_after: '60d' });
  const process = await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  const tab = await liveTab('nodes?name_prefix=marked');
  await site.addNode('marked-silent', { address: '10.0.0.3' });
  await row(tab, 'marked-silent').waitFor();
  const marks = tab.page.locator('.health-changed');
  expect(await marks.count()).toBe(0);
  await site.write('POST', `/v1/agents/${process.agent_id}/report`, { agents: [] });
  await marks.getByText('Live', { exact: true }).waitFor();
  expect(await marks.count()).toBe(1);
  expect(tab.problems).toEqual([]);
});

test('one small request is enough while nothing has changed and the states are recent', async () => {
  const tab = await liveTab('nodes');
  const { page } = tab;
  await row(tab, 'host-1').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await eventually(() => asked.filter((path) => path === '/v1/changes').length >= 4);
  expect(asked.filter((path) => path === '/v1/nodes').length).toBeLessThan(
    asked.filter((path) => path === '/v1/changes').length,
  );
});

test('the interval is chosen in the list, and remembered', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  await page.getByText(/^Loaded at \d\d:\d\d:\d\d/).waitFor();
  await page.getByRole('button', { name: 'Auto-refresh' }).press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Every 10 seconds' }).waitFor();
  await expectAccessible(tab);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitemcheckbox', { name: 'Every 10 seconds' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await eventually(async () => (await page.evaluate(`localStorage.getItem('auto-refresh')`)) === '10s');
});

test('a bar says that the server cannot be reached, and disappears by itself; the page keeps its content', async () => {
  const tab = await liveTab('nodes');
  const { page, context } = tab;
  await row(tab, 'host-1').waitFor();
  await context.setOffline(true);
  await page.getByText('The server cannot be reached', { exact: true }).waitFor();
  expect(await row(tab, 'host-1').count()).toBe(1);
  await expectAccessible(tab);
  await site.addNode('host-3', { address: '10.0.0.3' });
  await context.setOffline(false);
  await page.getByText('The server cannot be reached', { exact: true }).waitFor({ state: 'detached' });
  await row(tab, 'host-3').waitFor();
});

test('the page of an old load does not say that a host is live', async () => {
  await report();
  const { node_id: id } = await site.addNode('host-4', {
    address: '10.0.0.4',
    stale_after: '30d',
    offline_after: '60d',
  });
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: id };
  const { agent_id: ownProcess } = await site.write('POST', '/v1/agents', agent);
  await site.write('POST', `/v1/agents/${ownProcess}/report`, { agents: [] });
  const tab = await site.open('/#/nodes');
  await tab.page.clock.install();
  await tab.page.reload();
  await logIn(tab);
  await row(tab, 'host-4').getByText('Live', { exact: true }).waitFor();
  await passTime(tab, '04:00');
  await row(tab, 'host-4')
    .getByText(/^Live at \d\d:\d\d/)
    .waitFor();
  expect(await row(tab, 'host-4').getByText('Live', { exact: true }).count()).toBe(0);
});

test('text in a form stays while the page refreshes, and the page of the object follows a change', async () => {
  const tab = await liveTab(`nodes/${nodeId}/change`);
  const { page } = tab;
  const address = page.getByLabel('Address', { exact: true });
  await untilValue(address, '10.0.0.1');
  await address.fill('10.9.9.9');
  await untilIdle(tab);
  let polls = 0;
  page.on('request', (request) => (polls += Number(request.url().includes('/v1/'))));
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { node_model: 'changed-by-another-user' });
  await page.waitForTimeout(12_000);
  expect(await address.inputValue()).toBe('10.9.9.9');
  expect(polls).toBe(0);

  const other = await liveTab(`nodes/${nodeId}`);
  await untilFact(other, 'changed-by-another-user');
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { node_model: 'changed-again' });
  await untilFact(other, 'changed-again');
});

test('a page that could not be loaded, and is not refreshed otherwise, is loaded once the server answers again', async () => {
  const tab = await site.at('configuration/sessions');
  const { page, context } = tab;
  const rows = page.getByRole('table', { name: 'Sessions' }).getByText('This session');
  await rows.waitFor();
  await page.getByRole('link', { name: 'Nodes', exact: true }).click();
  await row(tab, 'host-1').waitFor();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByText('The sessions could not be loaded').waitFor();
  await context.setOffline(false);
  await rows.waitFor();
});
