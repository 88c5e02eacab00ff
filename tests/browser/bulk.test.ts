import { readFile } from 'node:fs/promises';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  openSite,
  type Site,
  type Tab,
  untilIdle,
} from './browser.ts';
import { addFleet } from './fleet.ts';

let site: Site;
let tab: Tab;

beforeAll(async () => {
  site = await openSite();
  await addFleet(site);
});
afterAll(() => site.close());

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

test('a list by the index contains what this page has changed, also while an earlier reading of the changes lasts', async () => {
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

test('a label is set on all nodes of a filter, also on those of other pages', async () => {
  tab = await site.at('nodes?region=us-east-1');
  await tab.page.getByRole('button', { name: 'Preferences of the list' }).click();
  await tab.page.getByRole('radio', { name: '10 nodes' }).check();
  await tab.page.getByRole('button', { name: 'Confirm' }).click();
  await counter('(20)');
  await select('orders-1-host-1');
  await tab.page.getByRole('button', { name: 'Select all 20' }).click();
  await counter('(20/20)');
  await press('Set label');
  const form = dialog('Set label: 20 nodes');
  await form.getByLabel('Label', { exact: true }).fill('team');
  await form.getByLabel('Value', { exact: true }).fill('shop');
  await form.getByRole('button', { name: 'Set label' }).click();
  await tab.page.getByText('The label was set on 20 nodes.').first().waitFor();
  const { nodes } = await list('nodes?selector=team%3Dshop&page_size=100');
  expect(nodes.map(({ region }: { region: string }) => region)).toEqual(Array(20).fill('us-east-1'));
  // The preference outlives a reload.
  await tab.page.reload();
  await counter('(20)');
  await untilIdle(tab);
  expect(await tab.page.getByRole('row').filter({ hasText: 'orders-' }).count()).toBe(10);
  expectClean(tab);
});

test('without a selection a label is set on all objects of the filter that the form names, whatever the list shows then', async () => {
  tab = await site.at('nodes?region=eu-central-1&selector=tier%3Dsilver');
  const { page } = tab;
  await page.getByRole('button', { name: 'Preferences of the list' }).click();
  await page.getByRole('radio', { name: '10 nodes' }).check();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await counter('(15)');
  await press('Set label');
  const form = dialog('Set label: 15 nodes');
  await form.getByText('All nodes with Region = eu-central-1, tier = silver (15):').waitFor();
  await form.getByText('and 5 more').waitFor();
  await expectAccessible(tab);
  await form.getByLabel('Label', { exact: true }).fill('wave');
  await form.getByLabel('Value', { exact: true }).fill('7');
  // Another filter, as Back or a link of another program gives it.
  await page.evaluate("location.hash = '#/nodes?region=us-east-1'");
  await counter('(20)');
  await form.getByText('All nodes with Region = eu-central-1, tier = silver (15):').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('The label was set on 15 nodes.').first().waitFor();
  const found = (await list('nodes?selector=wave%3D7&page_size=100')).nodes;
  expect(found.map(({ region, custom_labels: { tier } }: any) => `${region} ${tier}`)).toEqual(
    Array(15).fill('eu-central-1 silver'),
  );
  await press('Undo: Set label');
  await page.getByText('The former state of 15 of 15 nodes was restored.').first().waitFor();
  expect((await list('nodes?selector=wave')).nodes).toEqual([]);
  expectClean(tab);
});

test('without a selection the menu acts on the whole list, but for removals and silences; filters have the names of objects', async () => {
  const host = (await list('nodes?name_prefix=orders-2-host-2')).nodes[0].node_id as string;
  tab = await site.at(`agents?runs_on_node_id=${host}&status=running,waiting`);
  const { page } = tab;
  await counter('(4)');
  await press('Actions');
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  for (const name of ['Remove', 'Silence']) expect(await item(name).getAttribute('aria-disabled')).toBe('true');
  await item('Disable').click();
  const form = dialog('Disable: 4 agents');
  await form.getByText(/^All agents with .*Status = running or waiting.* \(4\):$/).waitFor();
  await form.getByText(/Runs on node = orders-2-host-2/).waitFor();
  await expectAccessible(tab);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Actions', exact: true }).and(page.locator(':focus')).waitFor();
  // Without a filter, and with nothing to act on.
  await page.goto(`${site.server.base}/#/nodes?name_prefix=none`);
  await page.getByText('No node matches').waitFor();
  await page.getByRole('button', { name: 'Set label' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await page.goto(`${site.server.base}/#/services`);
  await page.getByRole('table', { name: 'Services' }).locator('tbody tr').first().getByRole('link').first().waitFor();
  await press('Set label');
  await page.getByText(/^All services \(\d+\):$/).waitFor();
  expectClean(tab);
});

test('a label that was set is undone from the message: each node has its former value, and a later change stays', async () => {
  const ids = [];
  for (const [name, labels] of [
    ['undo-1', { squad: 'shop' }],
    ['undo-2', {}],
    ['undo-3', { squad: 'dba' }],
    ['undo-4', { squad: 'shop' }],
  ] as const)
    ids.push((await site.addNode(name, { custom_labels: labels })).node_id);
  tab = await site.at('nodes?name_prefix=undo-');
  const { page } = tab;
  await counter('(4)');
  await page.getByRole('checkbox', { name: 'Select all of this page' }).last().press('Space');
  await press('Set label');
  const form = dialog('Set label: 4 nodes');
  await form.getByLabel('Label', { exact: true }).fill('squad');
  await form.getByLabel('Value', { exact: true }).fill('dba');
  await form.getByRole('button', { name: 'Set label' }).click();
  await page.getByText('The label was set on 4 nodes.').first().waitFor();
  await site.write('PATCH', `/v1/nodes/${ids[3]}`, { custom_labels: { squad: 'later' } });
  await page.getByRole('button', { name: 'Undo: Set label' }).click();
  await page.getByText('The former state of 2 of 3 nodes was restored.').first().waitFor();
  await page.getByRole('listitem').filter({ hasText: 'undo-4' }).first().waitFor();
  await expectAccessible(tab);
  const { nodes } = await list('nodes?name_prefix=undo-');
  expect(nodes.map(({ custom_labels: labels }: any) => labels.squad)).toEqual(['shop', undefined, 'dba', 'later']);
  expectClean(tab);
});

test('a removal of several objects is undone from its message', async () => {
  for (const name of ['back-1', 'back-2', 'back-3']) await site.addNode(name);
  tab = await site.at('nodes?name_prefix=back-');
  const { page } = tab;
  await counter('(3)');
  await page.getByRole('checkbox', { name: 'Select all of this page' }).last().press('Space');
  await choose('Actions', 'Remove');
  await dialog('Remove: 3 nodes').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Removed: 3 nodes.').first().waitFor();
  expect((await list('nodes?name_prefix=back-')).nodes).toHaveLength(0);
  await page.getByRole('button', { name: 'Undo: Remove' }).click();
  await page.getByText('3 objects restored.').first().waitFor();
  await counter('(3)');
  expect((await list('nodes?name_prefix=back-')).nodes).toHaveLength(3);
  expectClean(tab);
});

test('one confirmation of a removal names the dependants of the whole selection', async () => {
  tab = await site.at('nodes?name_prefix=search-4-host');
  for (const number of [3, 4]) await select(`search-4-host-${number}`);
  await choose('Actions', 'Remove');
  const confirmation = dialog('Remove: 2 nodes');
  await confirmation.getByText('Also removed (13):').waitFor();
  await confirmation.getByText('service search-4-db-3').waitFor();
  await confirmation.getByRole('button', { name: 'Show as curl' }).click();
  expect(await confirmation.locator('code').first().textContent()).toContain('/v1/batch');
  await expectAccessible(tab);
  await confirmation.getByRole('button', { name: 'Remove', exact: true }).click();
  await tab.page.getByText('Removed: 2 nodes.').first().waitFor();
  await counter('(2)');
  expect((await list('services?name_prefix=search-4-db')).services).toHaveLength(2);
  expectClean(tab);
});

test('an object that fails is named with the reason, and the others succeed', async () => {
  const { node_id: id } = await site.addNode('zz-gone');
  await site.addNode('zz-here');
  tab = await site.at('nodes?name_prefix=zz-');
  await counter('(2)');
  await site.write('DELETE', `/v1/nodes/${id}`);
  for (const name of ['zz-gone', 'zz-here']) await select(name);
  await press('Set label');
  const form = dialog('Set label: 2 nodes');
  await form.getByLabel('Label', { exact: true }).fill('team');
  await form.getByLabel('Value', { exact: true }).fill('dba');
  await form.getByRole('button', { name: 'Set label' }).click();
  await tab.page.getByText('Set label: 1 node failed').first().waitFor();
  await tab.page.getByText('The label was set on 1 of 2 nodes.').first().waitFor();
  await tab.page.getByRole('listitem').filter({ hasText: 'zz-gone' }).first().waitFor();
  await expectAccessible(tab);
  await counter('(1)');
  expect((await list('nodes?selector=team%3Ddba')).nodes).toHaveLength(1);
  expectClean(tab);
});

test('the progress of an action stays in sight after Back, with a button that stops it', async () => {
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

test('a label with a wrong name is refused in the form, and a request that is refused leaves form and selection', async () => {
  await site.addNode('xx-label');
  tab = await site.at('nodes?name_prefix=xx-');
  const { page } = tab;
  await counter('(1)');
  await select('xx-label');
  await press('Set label');
  const form = dialog('Set label: 1 node');
  const label = form.getByLabel('Label', { exact: true });
  const submit = form.getByRole('button', { name: 'Set label' });
  // The first field has the focus.
  await form.locator('input:focus').waitFor();
  await page.keyboard.type('my-label');
  await submit.click();
  await form.getByText('Label names contain letters, digits and underscores').waitFor();
  await expectAccessible(tab);
  await label.fill('my_label');
  await form.getByText('Label names contain').waitFor({ state: 'detached' });
  await page.route('**/v1/batch', (route) =>
    route.fulfill({ status: 403, json: { code: 7, status: 'PERMISSION_DENIED', message: 'No.', details: [] } }),
  );
  await submit.click();
  await form.getByText('Nothing was changed').waitFor();
  await page.unroute('**/v1/batch');
  await submit.click();
  await page.getByText('The label was set on 1 node.').first().waitFor();
  expect((await list('nodes?selector=my_label')).nodes).toHaveLength(1);
  expectClean(tab, [403]);
});

test('a list sorts by a column over all its pages, with the keyboard', async () => {
  tab = await site.at('nodes');
  const header = tab.page.locator('[data-focus-id=sorting-control-region]').last();
  await header.focus();
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('row').nth(1).getByText('ap-south-1', { exact: true }).waitFor();
  await header.focus();
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('row').nth(1).getByText('us-east-1', { exact: true }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('agents sort by the names of their nodes, with a filter by status too; without an order there is no arrow', async () => {
  tab = await site.at('agents?status=running');
  const { page } = tab;
  const arrows = page.locator('th[aria-sort=ascending], th[aria-sort=descending]');
  const rows = page.getByRole('table', { name: 'Agents' }).locator('tbody tr');
  // A page of the API with a filter may be short.
  await rows.nth(9).waitFor();
  expect(await arrows.count()).toBe(0);
  const places = () => rows.locator('td:nth-child(4)').allTextContents();
  await page.locator('[data-focus-id=sorting-control-place]').last().press('Enter');
  await rows.first().getByText('ledger-1-host-1').first().waitFor();
  await untilIdle(tab);
  expect(new Set(await arrows.allTextContents())).toEqual(new Set(['Runs on']));
  const found = await places();
  expect(found).toHaveLength(25);
  expect(found).toEqual(found.toSorted());
  await page.locator('[data-focus-id=sorting-control-place]').last().press('Enter');
  await rows.first().getByText('search-5-host-').first().waitFor();
  await untilIdle(tab);
  const descending = await places();
  expect(descending).toEqual(descending.toSorted().reverse());
  expectClean(tab);
});

test('names sort as people read them: numbers by value, in any letter case', async () => {
  for (const name of ['srt-10', 'srt-9', 'srt-B', 'srt-a']) await site.addNode(name);
  const names = async () => (await tab.page.locator('tbody tr > :nth-child(2)').allTextContents()).slice(0, 4);
  tab = await site.at('nodes?name_prefix=srt-');
  await counter('(4)');
  await untilIdle(tab);
  expect(await names()).toEqual(['srt-9', 'srt-10', 'srt-a', 'srt-B']);
  await tab.page.goto(`${site.server.base}/#/nodes?name_prefix=srt-&sort=-name`);
  await tab.page.locator('tbody tr').first().getByText('srt-B').first().waitFor();
  expect(await names()).toEqual(['srt-B', 'srt-a', 'srt-10', 'srt-9']);
  expectClean(tab);
});

test('a list sorts by health over all its pages, the worst first', async () => {
  tab = await site.at('nodes');
  const header = tab.page.locator('[data-focus-id=sorting-control-health]').last();
  await header.press('Enter');
  const row = (index: number) => tab.page.getByRole('row').nth(index);
  for (const [index, name] of ['ledger-3-host-2', 'ledger-5-host-1', 'orders-2-host-1'].entries())
    await row(index + 1)
      .getByText(name, { exact: true })
      .waitFor();
  await row(4).getByText('Stale', { exact: true }).waitFor();
  await header.press('Enter');
  await row(1).getByText('Live', { exact: true }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('labels are tokens of the filter, with suggestions, and stand in the address as a selector', async () => {
  tab = await site.at('nodes?selector=tier%20in%20(gold,bronze),!legacy');
  await tab.page.getByText('tier = gold, bronze').waitFor();
  await tab.page.getByText('Has label != legacy').waitFor();
  await counter('(15)');
  await expectAccessible(tab);
  await tab.page.goto(`${site.server.base}/#/nodes`);
  const input = tab.page.getByRole('combobox', { name: 'Filter nodes' });
  await input.pressSequentially('tier');
  await input.pressSequentially(' != ');
  await tab.page.locator('[role=option]').filter({ hasText: 'gold' }).first().click();
  await tab.page.getByRole('button', { name: 'Apply' }).click();
  await tab.page.getByText('tier != gold').waitFor();
  expect(decodeURIComponent(tab.page.url())).toContain('selector=tier!=gold');
  // A typed selector becomes tokens.
  await input.pressSequentially('Selector');
  await input.pressSequentially(' = ');
  await input.pressSequentially('region=us-east-1');
  await input.press('Enter');
  await tab.page.getByText('region = us-east-1').waitFor();
  expect(decodeURIComponent(tab.page.url())).toContain('selector=tier!=gold,region=us-east-1');
  await counter('(15)');
  expectClean(tab);
});

test('all values but one are a filter, which is a part of the selector', async () => {
  tab = await site.at('nodes?selector=tier%3Dgold');
  await counter('(15)');
  const input = tab.page.getByRole('combobox', { name: 'Filter nodes' });
  for (const part of ['Region', ' != ', 'us-east-1']) await input.pressSequentially(part);
  await input.press('Enter');
  await tab.page.getByText('region != us-east-1').waitFor();
  expect(decodeURIComponent(tab.page.url())).toContain('selector=tier=gold,region!=us-east-1');
  await counter('(10)');
  await expectAccessible(tab);
  expectClean(tab);
});

test('CSV and JSON contain the whole filtered list, not only the page', async () => {
  tab = await site.at('services?environment=production');
  await tab.page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  const fileOf = async (format: string) => {
    const download = tab.page.waitForEvent('download');
    await choose('Download', format);
    return readFile(await (await download).path(), 'utf8');
  };
  const wanted = (await list('services?environment=production&page_size=1000')).services.length as number;
  const csv = await fileOf('CSV');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(wanted + 1);
  expect(csv.split('\r\n')[0]!.split(',')).toEqual(expect.arrayContaining(['service_name', 'cluster', 'state']));
  const json = JSON.parse(await fileOf('JSON')) as { environment: string }[];
  expect(json.map(({ environment }) => environment)).toEqual(Array(wanted).fill('production'));
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
