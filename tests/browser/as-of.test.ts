import type { Page } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logInWithKey,
  openSite,
  type Site,
  type Tab,
  untilIdle,
} from './browser.ts';

let site: Site;
let nodeId = '';
let goneId = '';
let serviceId = '';
let agentId = '';

beforeAll(async () => {
  site = await openSite();
  ({ node_id: nodeId } = await site.addNode('db-1', { az: 'zone-a', custom_labels: { team: 'shop' } }));
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { az: 'zone-b', custom_labels: { team: null, rack: 'r1' } });
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { az: 'zone-c' });
  ({ node_id: goneId } = await site.addNode('db-gone', { distro: 'debian' }));
  await site.write('PATCH', `/v1/nodes/${goneId}`, { distro: 'ubuntu' });
  await site.api('DELETE', `/v1/nodes/${goneId}`);
  const { agent_id: process } = await site.write('POST', '/v1/agents', {
    agent_type: 'pmm_agent',
    runs_on_node_id: nodeId,
  });
  ({ service_id: serviceId } = await site.write('POST', '/v1/services', {
    ...{ service_type: 'mysql', service_name: 'orders', address: '10.0.0.1', port: 3306, node_ids: [nodeId] },
  }));
  ({ agent_id: agentId } = await site.write('POST', '/v1/agents', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process,
    insights: { service_ids: [serviceId] },
  }));
  await site.write('PATCH', `/v1/agents/${agentId}`, { insights: { service_ids: [] } });
});
afterAll(() => site.close());

const rows = ({ page }: Tab) => page.getByRole('table', { name: 'Fields at this time' }).locator('tbody tr');
const timeIn = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('time');

/** The cells of the rows of some fields. */
const shown = async (tab: Tab, ...fields: string[]) => {
  await rows(tab).first().waitFor();
  await untilIdle(tab);
  const all = await Promise.all(
    (await rows(tab).all()).map(async (row) =>
      (await row.locator('th, td').allInnerTexts()).map((text) => text.replaceAll('\n', ' ')),
    ),
  );
  return all.filter(([field]) => fields.includes(field!));
};

test('an entry of the history leads to the node after this change, with what differs now, and its address to others', async () => {
  const tab = await site.at(`nodes/${nodeId}`);
  const { page } = tab;
  const links = page.getByRole('table', { name: 'History' }).getByRole('link', { name: /^As of this change/ });
  await links.last().click();
  await page.getByRole('heading', { name: 'db-1: as of a time', level: 1 }).waitFor();
  expect(await shown(tab, 'Availability zone', 'Label team', 'Label rack', 'Address')).toEqual([
    ['Address', '10.0.0.1', '10.0.0.1'],
    ['Availability zone', 'zone-a', 'zone-c Differs'],
    ['Label rack', '-', 'r1 Differs'],
    ['Label team', 'shop', '- Differs'],
  ]);
  await page.getByText('(3 differ)').waitFor();
  await page.getByText(/^Revision 1, from/).waitFor();
  await expectAccessible(tab);

  const { key } = await site.write('POST', '/v1/api-keys', { name: 'colleague', role: 'Viewer' });
  const other = await site.open(`/${new URL(page.url()).hash}`);
  await logInWithKey(other, key);
  expect(await shown(other, 'Availability zone')).toEqual([['Availability zone', 'zone-a', 'zone-c Differs']]);
  expectClean(other);
  expectClean(tab);
});

test('the steps to the states before and after keep the focus, and end at the add and now', async () => {
  const tab = await site.at(`nodes/${nodeId}`);
  const { page } = tab;
  await page.getByRole('link', { name: 'As of a time' }).click();
  await page.getByText('(0 differ)').waitFor();
  const before = page.getByRole('button', { name: 'State before' });
  const untilAtButton = () => before.and(page.locator(':focus')).waitFor();
  await before.focus();
  for (const [revision, zone] of [
    [2, 'zone-b'],
    [1, 'zone-a'],
  ] as const) {
    await page.keyboard.press('Enter');
    await page.getByText(new RegExp(`^Revision ${revision}, from`)).waitFor();
    expect((await shown(tab, 'Availability zone'))[0]![1]).toBe(zone);
    await untilAtButton();
  }
  await page.keyboard.press('Enter');
  await page.getByText('The node was not in the inventory yet').waitFor();
  await expectAccessible(tab);
  await untilAtButton();
  await page.getByRole('button', { name: 'State after' }).click();
  await page.getByText(/^Revision 1, from/).waitFor();
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await page.getByText('(0 differ)').waitFor();
  expect(timeIn(page)).toBeNull();
  expectClean(tab);
});

test('any time is chosen by its date and time of day; one in the future has a message', async () => {
  const tab = await site.at(`nodes/${nodeId}/as-of`);
  const { page } = tab;
  await rows(tab).first().waitFor();
  const date = page.getByRole('textbox', { name: 'As of', exact: true });
  const clock = page.getByRole('textbox', { name: 'As of: time of day' });
  await date.fill('2020/02/29');
  await clock.fill('');
  await page.getByText('Enter a date and a time of day.').waitFor();
  await clock.fill('10:30:05');
  await clock.press('Enter');
  await page.getByText('The node was not in the inventory yet').waitFor();
  expect(new Date(timeIn(page)!)).toEqual(new Date(2020, 1, 29, 10, 30, 5));
  await date.fill('2999/01/01');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('Must not be in the future.').waitFor();
  await expectAccessible(tab);
  expectClean(tab, [400]);
});

test('Removed and the audit lead to the last state of a removed node, and from there to earlier ones', async () => {
  const tab = await site.at('removed');
  const { page } = tab;
  await page.getByRole('link', { name: 'node db-gone' }).click();
  await page.getByText(/^The node was removed at/).waitFor();
  expect(await shown(tab, 'Distro')).toEqual([['Distro', 'ubuntu', 'ubuntu']]);
  await page.getByRole('button', { name: 'State before' }).click();
  await page.getByText('(1 differ)').waitFor();
  expect(await shown(tab, 'Distro')).toEqual([['Distro', 'debian', 'ubuntu Differs']]);
  await page.getByRole('columnheader', { name: 'Before its removal' }).waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/configuration/audit?object_id=${goneId}&event=node.removed`);
  await page.getByRole('link', { name: 'db-gone' }).click();
  await page.getByText(/^The node was removed at/).waitFor();
  expectClean(tab);
});

test('services and agents; an object that never existed', async () => {
  const tab = await site.at(`services/${serviceId}/as-of`);
  const { page } = tab;
  await page.getByRole('heading', { name: 'orders: as of a time' }).waitFor();
  expect(await shown(tab, 'Port')).toEqual([['Port', '3306', '3306']]);
  await page.goto(`${site.server.base}/#/agents/${agentId}/as-of`);
  await page.getByRole('heading', { name: 'mysqld_exporter on db-1: as of a time' }).waitFor();
  await page.getByRole('button', { name: 'State before' }).click();
  await page.getByText('(1 differ)').waitFor();
  await rows(tab).getByRole('link', { name: 'orders' }).waitFor();
  await page.goto(`${site.server.base}/#/nodes/nowhere/as-of`);
  await page.getByText('This node does not exist').waitFor();
  await expectAccessible(tab);
  expectClean(tab, [404]);
});

test('at 390 px and in the dark', async () => {
  const tab = await site.at(`nodes/${nodeId}/as-of`, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await rows(tab).first().waitFor();
  await tab.page.getByRole('button', { name: 'State before' }).click();
  await tab.page.getByText('(1 differ)').waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
