import { addFleetTo } from '../../testing/fleet.tsx';
import { goTo, screen, untilQuiet, textOf, user, within } from '../../testing/page.tsx';
import { setPageSize } from '../../testing/page-size.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();
setPageSize(25, 'nodes');

beforeAll(async () => {
  await addFleetTo(site);
});

const counter = () => /\(.*\)/.exec(textOf(screen.getByRole('heading', { level: 1 })))?.[0];
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const choose = async (name: string, item: string) => {
  await press(name);
  await user.click(screen.getByRole('menuitem', { name: item }));
};
const select = (name: string) => user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
const selectPage = () => user.click(screen.getAllByRole('checkbox', { name: 'Select all of this page' }).at(-1)!);
const dialog = (name: string) => within(screen.getByRole('dialog', { name }));
const submit = (title: string, name: string) => user.click(dialog(title).getByRole('button', { name }));
const list = async (path: string) => (await site.api('GET', `/v1/${path}`)).body;

/** Fills in the form and sends it. */
async function setLabel(title: string, label: string, value = ''): Promise<void> {
  await user.type(dialog(title).getByLabelText('Label'), label);
  if (value !== '') await user.type(dialog(title).getByLabelText('Value'), value);
  await submit(title, 'Set label');
}

/** Lists of 10 objects. */
async function shortenPages(): Promise<void> {
  await press('Preferences of the list');
  await user.click(screen.getByRole('radio', { name: '10 nodes' }));
  await press('Confirm');
}

test('all exporters of one cluster are disabled in one action, and the list can leave them out', async () => {
  await site.at('clusters/orders-3');
  await user.click(screen.getByRole('link', { name: 'Agents of the cluster' }));
  expect(counter()).toBe('(8)');
  await goTo('agents?cluster=orders-3&agent_type=mysqld_exporter');
  expect(counter()).toBe('(4)');
  await selectPage();
  expect(counter()).toBe('(4/4)');
  await choose('Actions', 'Disable');
  await submit('Disable: 4 agents', 'Disable');
  expect(textOf()).toContain('Disabled: 4 agents.');
  const { agents } = await list('agents?agent_type=mysqld_exporter&page_size=100');
  const services = new Set(
    (await list('services?cluster=orders-3')).services.map(({ service_id: id }: { service_id: string }) => id),
  );
  const ofCluster = (agent: any) => agent.insights.service_ids.some((id: string) => services.has(id));
  expect(agents.filter((agent: any) => agent.disabled).length).toBe(4);
  expect(agents.filter(ofCluster).every((agent: any) => agent.disabled)).toBe(true);

  // Together with a filter by the reported status.
  for (const [query, expected] of [
    ['cluster=orders-3&disabled=false', '(4)'],
    ['cluster=orders-3&disabled=true&status=done', '(4)'],
    ['cluster=orders-3&disabled=false&status=done', 'No agent matches'],
    ['status=done&disabled=false', '(2)'],
  ] as const) {
    await goTo(`agents?${query}`);
    if (expected.startsWith('(')) expect([query, counter()]).toEqual([query, expected]);
    else expect(textOf()).toContain(expected);
  }
  expect(textOf()).toContain('Disabled = false');
  await press('Show as curl: Agents');
  const command = screen.getByRole('dialog', { name: 'Show as curl' });
  expect(textOf(command)).toContain('The API does not have all of these filters');
  expect(command.querySelector('code')!.textContent).not.toContain('disabled');
});

test('a label is set on all nodes of a filter, also on those of other pages', async () => {
  await site.at('nodes?region=us-east-1');
  await shortenPages();
  expect(counter()).toBe('(20)');
  expect(screen.getAllByRole('checkbox', { name: /^Select orders-/ })).toHaveLength(10);
  await select('orders-1-host-1');
  await press('Select all 20');
  expect(counter()).toBe('(20/20)');
  await press('Set label');
  await setLabel('Set label: 20 nodes', 'team', 'shop');
  expect(textOf()).toContain('The label was set on 20 nodes.');
  const { nodes } = await list('nodes?selector=team%3Dshop&page_size=100');
  expect(nodes.map(({ region }: { region: string }) => region)).toEqual(Array(20).fill('us-east-1'));
});

test('without a selection a label is set on all objects of the filter that the form names, whatever the list shows then', async () => {
  const title = 'Set label: 15 nodes';
  await site.at('nodes?region=eu-central-1&selector=tier%3Dsilver');
  await shortenPages();
  expect(counter()).toBe('(15)');
  await press('Set label');
  const named = 'All nodes with Region = eu-central-1, tier = silver (15):';
  expect(textOf(screen.getByRole('dialog', { name: title }))).toContain(named);
  expect(textOf(screen.getByRole('dialog', { name: title }))).toContain('and 5 more');
  // Another filter, as Back or a link of another program gives it.
  await goTo('nodes?region=us-east-1');
  expect(counter()).toBe('(20)');
  expect(textOf(screen.getByRole('dialog', { name: title }))).toContain(named);
  await setLabel(title, 'wave', '7');
  expect(textOf()).toContain('The label was set on 15 nodes.');
  const changed = (await list('nodes?selector=wave%3D7&page_size=100')).nodes;
  expect(changed.map(({ region, custom_labels: { tier } }: any) => `${region} ${tier}`)).toEqual(
    Array(15).fill('eu-central-1 silver'),
  );
  await press('Undo: Set label');
  expect(textOf()).toContain('The former state of 15 of 15 nodes was restored.');
  expect((await list('nodes?selector=wave')).nodes).toEqual([]);
});

test('without a selection the menu acts on the whole list, but for removals and silences; filters have the names of objects', async () => {
  const host = (await list('nodes?name_prefix=orders-2-host-2')).nodes[0].node_id as string;
  await site.at(`agents?runs_on_node_id=${host}&status=running,waiting`);
  expect(counter()).toBe('(4)');
  await press('Actions');
  const item = (name: string) => screen.getByRole('menuitem', { name });
  for (const name of ['Remove', 'Silence']) expect(item(name).getAttribute('aria-disabled')).toBe('true');
  await user.click(item('Disable'));
  const form = textOf(screen.getByRole('dialog', { name: 'Disable: 4 agents' }));
  expect(form).toMatch(/All agents with .*Status = running or waiting.* \(4\):/);
  expect(form).toContain('Runs on node = orders-2-host-2');
  await user.keyboard('{Escape}');
  // Without a filter, and with nothing to act on.
  await goTo('nodes?name_prefix=none');
  expect(textOf()).toContain('No node matches');
  expect(screen.getByRole('button', { name: 'Set label' }).getAttribute('aria-disabled')).toBe('true');
  await goTo('services');
  await press('Set label');
  expect(textOf()).toMatch(/All services \(\d+\):/);
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
  await site.at('nodes?name_prefix=undo-');
  expect(counter()).toBe('(4)');
  await selectPage();
  await press('Set label');
  await setLabel('Set label: 4 nodes', 'squad', 'dba');
  expect(textOf()).toContain('The label was set on 4 nodes.');
  await site.write('PATCH', `/v1/nodes/${ids[3]}`, { custom_labels: { squad: 'later' } });
  await press('Undo: Set label');
  expect(textOf()).toContain('The former state of 2 of 3 nodes was restored.');
  expect(screen.getAllByRole('listitem').map((item) => textOf(item))).toContainEqual(expect.stringContaining('undo-4'));
  const { nodes } = await list('nodes?name_prefix=undo-');
  expect(nodes.map(({ custom_labels: labels }: any) => labels.squad)).toEqual(['shop', undefined, 'dba', 'later']);
});

test('a removal of several objects is undone from its message', async () => {
  for (const name of ['back-1', 'back-2', 'back-3']) await site.addNode(name);
  await site.at('nodes?name_prefix=back-');
  expect(counter()).toBe('(3)');
  await selectPage();
  await choose('Actions', 'Remove');
  await submit('Remove: 3 nodes', 'Remove');
  expect(textOf()).toContain('Removed: 3 nodes.');
  expect((await list('nodes?name_prefix=back-')).nodes).toHaveLength(0);
  await press('Undo: Remove');
  expect(textOf()).toContain('3 objects restored.');
  expect(counter()).toBe('(3)');
  expect((await list('nodes?name_prefix=back-')).nodes).toHaveLength(3);
});

test('one confirmation of a removal names the dependants of the whole selection', async () => {
  await site.at('nodes?name_prefix=search-4-host');
  for (const number of [3, 4]) await select(`search-4-host-${number}`);
  await choose('Actions', 'Remove');
  const confirmation = () => screen.getByRole('dialog', { name: 'Remove: 2 nodes' });
  expect(textOf(confirmation())).toContain('Also removed (13):');
  expect(textOf(confirmation())).toContain('service search-4-db-3');
  expect(textOf(confirmation())).toContain('pmm_agent on search-4-host-3');
  await submit('Remove: 2 nodes', 'Show as curl');
  expect(confirmation().querySelector('code')!.textContent).toContain('/v1/batch');
  await submit('Remove: 2 nodes', 'Remove');
  expect(textOf()).toContain('Removed: 2 nodes with 13 dependent objects.');
  expect(counter()).toBe('(2)');
  expect((await list('services?name_prefix=search-4-db')).services).toHaveLength(2);
});

test('an object that fails is named with the reason, and the others succeed', async () => {
  const { node_id: id } = await site.addNode('zz-gone');
  await site.addNode('zz-here');
  await site.at('nodes?name_prefix=zz-');
  expect(counter()).toBe('(2)');
  await site.write('DELETE', `/v1/nodes/${id}`);
  for (const name of ['zz-gone', 'zz-here']) await select(name);
  await press('Set label');
  await setLabel('Set label: 2 nodes', 'team', 'dba');
  expect(textOf()).toContain('Set label: 1 node failed');
  expect(textOf()).toContain('The label was set on 1 of 2 nodes.');
  expect(screen.getAllByRole('listitem').map((item) => textOf(item))).toContainEqual(
    expect.stringContaining('zz-gone'),
  );
  expect(counter()).toBe('(1)');
  expect((await list('nodes?selector=team%3Ddba')).nodes).toHaveLength(1);
});

test('the progress of an action stays in sight on another page, with a button that stops it', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `yy-${String(index).padStart(3, '0')}`);
  const operations = names.map((name) => ({
    op: 'addNode',
    body: { node_type: 'generic', node_name: name, address: '10.0.0.1' },
  }));
  await site.write('POST', '/v1/batch', { operations: operations.slice(0, 60) });
  await site.write('POST', '/v1/batch', { operations: operations.slice(60) });
  const network = await site.at('nodes?name_prefix=yy-');
  expect(counter()).toBe('(120)');
  await select('yy-000');
  await press('Select all 120');
  expect(counter()).toBe('(120/120)');
  const releaseFirst = network.hold('POST /v1/batch');
  await press('Set label');
  await setLabel('Set label: 120 nodes', 'team');
  expect(textOf()).toContain('0 of 120 done');
  await goTo('clusters');
  expect(screen.getByRole('heading', { level: 1, name: /^Clusters/ })).toBeDefined();
  expect(textOf()).toContain('0 of 120 done');
  const releaseSecond = network.hold('POST /v1/batch');
  releaseFirst();
  await untilQuiet();
  expect(textOf()).toContain('50 of 120 done');
  await press('Stop');
  releaseSecond();
  await untilQuiet();
  expect(textOf()).toContain('The label was set on 100 of 120 nodes.');
  expect((await list('nodes?selector=team&name_prefix=yy-&page_size=200')).nodes).toHaveLength(100);
});

test('a label with a wrong name is refused in the form, and a request that is refused leaves form and selection', async () => {
  await site.addNode('xx-label');
  const network = await site.at('nodes?name_prefix=xx-');
  expect(counter()).toBe('(1)');
  await select('xx-label');
  await press('Set label');
  const title = 'Set label: 1 node';
  // The first field has the focus.
  await user.keyboard('my-label');
  await submit(title, 'Set label');
  expect(textOf()).toContain('Label names contain letters, digits and underscores');
  const label = dialog(title).getByLabelText('Label');
  await user.clear(label);
  await user.type(label, 'my_label');
  expect(textOf()).not.toContain('Label names contain');
  network.refuseNext('POST /v1/batch', 403, 'No.');
  await submit(title, 'Set label');
  expect(textOf()).toContain('Nothing was changed');
  await submit(title, 'Set label');
  expect(textOf()).toContain('The label was set on 1 node.');
  expect((await list('nodes?selector=my_label')).nodes).toHaveLength(1);
});
