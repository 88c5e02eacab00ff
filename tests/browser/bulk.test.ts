import { expectAccessible, expectClean, expectNoSidewaysScroll, useSite, type Tab, untilIdle } from './browser.ts';
import { addFleet } from './fleet.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();
let tab: Tab;

beforeAll(async () => {
  await addFleet(site, untilSilent);
});

const counter = (text: string) =>
  tab.page.getByRole('heading', { level: 1 }).getByText(text, { exact: true }).waitFor();
const choose = async (name: string, item: string) => {
  await tab.page.getByRole('button', { name, exact: true }).click();
  await tab.page.getByRole('menuitem', { name: item, exact: true }).click();
};
const press = (name: string) => tab.page.getByRole('button', { name, exact: true }).click();
const select = (name: string) => tab.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
const dialog = (name: string) => tab.page.getByRole('dialog', { name });
const list = async (path: string) => (await site.api('GET', `/v1/${path}`)).body;

test('all exporters of one cluster are disabled in one action', async () => {
  tab = await site.at('clusters/orders-3');
  await tab.page.getByRole('link', { name: 'Agents of the cluster' }).click();
  await counter('(8)');
  await tab.page.goto(`${site.server.base}/#/agents?cluster=orders-3&agent_type=mysqld_exporter`);
  await counter('(4)');
  await tab.page.getByRole('checkbox', { name: 'Select all of this page' }).last().press('Space');
  await counter('(4/4)');
  await choose('Actions', 'Disable');
  const confirmation = dialog('Disable: 4 agents');
  await confirmation.waitFor();
  await expectAccessible(tab);
  await confirmation.getByRole('button', { name: 'Disable', exact: true }).click();
  await tab.page.getByText('Disabled: 4 agents.').first().waitFor();
  const { agents } = await list('agents?agent_type=mysqld_exporter&page_size=100');
  const services = new Set(
    (await list('services?cluster=orders-3')).services.map(({ service_id: id }: { service_id: string }) => id),
  );
  const ofCluster = (agent: any) => agent.insights.service_ids.some((id: string) => services.has(id));
  expect(agents.filter((agent: any) => agent.disabled).length).toBe(4);
  expect(agents.filter(ofCluster).every((agent: any) => agent.disabled)).toBe(true);

  // The list that agents are disabled in can also leave them out, together with a filter by the reported status.
  for (const [query, expected] of [
    ['cluster=orders-3&disabled=false', '(4)'],
    ['cluster=orders-3&disabled=true&status=done', '(4)'],
    ['cluster=orders-3&disabled=false&status=done', 'No agent matches'],
    ['status=done&disabled=false', '(2)'],
  ] as const) {
    await tab.page.goto(`${site.server.base}/#/agents?${query}`);
    // Two of these lists have the same count.
    await untilIdle(tab);
    if (expected.startsWith('(')) await counter(expected);
    else await tab.page.getByText(expected).waitFor();
  }
  await tab.page.getByText('Disabled = false').waitFor();
  await tab.page.getByRole('button', { name: 'Show as curl: Agents' }).click();
  const command = dialog('Show as curl');
  await command.getByText('The API does not have all of these filters').waitFor();
  expect(await command.locator('code').first().textContent()).not.toContain('disabled');
  expectClean(tab);
});

test("a list by the index contains this page's changes, also during an earlier read of changes", async () => {
  tab = await site.at('agents?cluster=orders-1&agent_type=mysqld_exporter&disabled=false');
  await counter('(4)');
  // The reading that has begun before the change ends after it, and knows nothing of it.
  const changed = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  await tab.page.route('**/v1/changes?*', async (route) => {
    const response = await route.fetch();
    begun.resolve(undefined);
    await changed.promise;
    await route.fulfill({ response });
  });
  await begun.promise;
  await tab.page.getByRole('checkbox', { name: 'Select all of this page' }).last().press('Space');
  await choose('Actions', 'Disable');
  await dialog('Disable: 4 agents').getByRole('button', { name: 'Disable', exact: true }).click();
  await tab.page.getByText('Disabled: 4 agents.').first().waitFor();
  changed.resolve(undefined);
  await tab.page.getByText('No agent matches').waitFor();
  expectClean(tab);
});

test("an action's progress stays visible after Back, with a stop button", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `yy-${String(index).padStart(3, '0')}`);
  const operations = names.map((name) => ({
    op: 'addNode',
    body: { node_type: 'generic', node_name: name, address: '10.0.0.1' },
  }));
  await site.write('POST', '/v1/batch', { operations: operations.slice(0, 60) });
  await site.write('POST', '/v1/batch', { operations: operations.slice(60) });
  tab = await site.at('clusters');
  const { page } = tab;
  await page.goto(`${site.server.base}/#/nodes?name_prefix=yy-`);
  await counter('(120)');
  await select('yy-000');
  await page.getByRole('button', { name: 'Select all 120' }).click();
  await counter('(120/120)');
  // The first and the second request.
  const answers = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let requests = 0;
  await page.route('**/v1/batch', async (route) => {
    await answers[requests++]?.promise;
    await route.continue();
  });
  await press('Set label');
  const form = dialog('Set label: 120 nodes');
  await form.getByLabel('Label', { exact: true }).fill('team');
  await form.getByRole('button', { name: 'Set label' }).click();
  await page.getByText('0 of 120 done').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: /^Clusters/, level: 1 }).waitFor();
  await page.getByText('0 of 120 done').waitFor();
  await expectAccessible(tab);
  answers[0]!.resolve(undefined);
  await page.getByText('50 of 120 done').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  answers[1]!.resolve(undefined);
  await page.getByText('The label was set on 100 of 120 nodes.').waitFor();
  expect((await list('nodes?selector=team&name_prefix=yy-&page_size=200')).nodes).toHaveLength(100);
  // The progress leaves with an animation.
  await page.getByText('of 120 done').waitFor({ state: 'detached' });
  expectClean(tab);
});

test('axe finds nothing in action forms and messages, the focus returns, and a preference survives a reload', async () => {
  const { node_id: id } = await site.addNode('zz-gone');
  await site.addNode('zz-here');
  tab = await site.at('nodes?name_prefix=zz-');
  const { page } = tab;
  await counter('(2)');
  await site.write('DELETE', `/v1/nodes/${id}`);
  for (const name of ['zz-gone', 'zz-here']) await select(name);
  await press('Set label');
  const form = dialog('Set label: 2 nodes');
  // The first field has the focus.
  await form.locator('input:focus').waitFor();
  await page.keyboard.type('my-label');
  await form.getByRole('button', { name: 'Set label' }).click();
  await form.getByText('Label names contain letters, digits and underscores').waitFor();
  await expectAccessible(tab);
  await form.getByLabel('Label', { exact: true }).fill('my_label');
  await page.keyboard.press('Enter');
  await page.getByText('Set label: 1 node failed').first().waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Undo: Set label' }).click();
  await page.getByText('The former state of 1 of 1 node was restored.').first().waitFor();
  await expectAccessible(tab);

  await page.goto(`${site.server.base}/#/nodes?name_prefix=search-4-host`);
  await counter('(4)');
  await press('Set label');
  await dialog('Set label: 4 nodes').getByText('All nodes with').waitFor();
  await expectAccessible(tab);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Set label', exact: true }).and(page.locator(':focus')).waitFor();
  await select('search-4-host-3');
  await choose('Actions', 'Remove');
  const confirmation = dialog('Remove: 1 node');
  await confirmation.getByText('Also removed').waitFor();
  await confirmation.getByRole('button', { name: 'Show as curl' }).click();
  await expectAccessible(tab);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions', exact: true }).and(page.locator(':focus')).waitFor();

  await page.goto(`${site.server.base}/#/nodes?selector=tier%20in%20(gold,silver),!legacy&sort=region`);
  await page.getByText('tier = gold, silver').waitFor();
  await page.getByRole('button', { name: 'Preferences of the list' }).click();
  await page.getByRole('radio', { name: '10 nodes' }).check();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('row').nth(1).getByText('ap-south-1', { exact: true }).waitFor();
  await expectAccessible(tab);
  await page.reload();
  await counter('(60)');
  await untilIdle(tab);
  expect(await page.getByRole('row').filter({ hasText: 'search-' }).count()).toBe(10);
  const download = page.waitForEvent('download');
  await choose('Download', 'CSV');
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  expectClean(tab);
});

test('the actions of a list are usable in a narrow dark window', async () => {
  tab = await site.at('nodes', { viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
  await tab.page.getByRole('button', { name: 'Actions', exact: true }).click();
  await tab.page.getByRole('menuitem', { name: 'Download CSV' }).waitFor();
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});
