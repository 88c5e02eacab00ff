import { cellsOf, goTo, rowsOf, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();
let nodeId = '';
let goneId = '';
let serviceId = '';
let agentId = '';

beforeAll(async () => {
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

const rows = () => rowsOf('Fields at this time');
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const timeOfAddress = () => new URLSearchParams(location.hash.split('?')[1]).get('time');

/** The cells of the rows of some fields. */
const shown = (...fields: string[]) => cellsOf(rows()).filter(([field]) => fields.includes(field!));

test('an entry of the history leads to the node after this change, with what differs now, and its address to others', async () => {
  await site.at(`nodes/${nodeId}`);
  const [table] = screen.getAllByRole('table', { name: 'History' });
  const links = [...table!.querySelectorAll<HTMLElement>('a')].filter((link) =>
    /^As of this change/.test(textOf(link)),
  );
  await user.click(links.at(-1)!);
  expect(screen.getByRole('heading', { name: 'db-1: as of a time', level: 1 })).toBeDefined();
  expect(shown('Availability zone', 'Label team', 'Label rack', 'Address')).toEqual([
    ['Address', '10.0.0.1', '10.0.0.1'],
    ['Availability zone', 'zone-a', 'zone-c Differs'],
    ['Label rack', '-', 'r1 Differs'],
    ['Label team', 'shop', '- Differs'],
  ]);
  expect(textOf()).toContain('(3 differ)');
  expect(textOf()).toContain('Revision 1, from');

  const { key } = await site.write('POST', '/v1/api-keys', { name: 'colleague', role: 'Viewer' });
  await site.at(location.hash.slice(2), { key });
  expect(shown('Availability zone')).toEqual([['Availability zone', 'zone-a', 'zone-c Differs']]);
});

test('the steps to the states before and after end at the add and now', async () => {
  await site.at(`nodes/${nodeId}`);
  await user.click(screen.getByRole('link', { name: 'As of a time' }));
  expect(textOf()).toContain('(0 differ)');
  for (const [revision, zone] of [
    [2, 'zone-b'],
    [1, 'zone-a'],
  ] as const) {
    await press('State before');
    expect(textOf()).toContain(`Revision ${revision}, from`);
    expect(shown('Availability zone')[0]![1]).toBe(zone);
  }
  await press('State before');
  expect(textOf()).toContain('The node was not in the inventory yet');
  await press('State after');
  expect(textOf()).toContain('Revision 1, from');
  await press('Now');
  expect(textOf()).toContain('(0 differ)');
  expect(timeOfAddress()).toBeNull();
});

test('any time is chosen by its date and time of day; one in the future has a message', async () => {
  await site.at(`nodes/${nodeId}/as-of`);
  const date = screen.getByRole('textbox', { name: 'As of' });
  const clock = screen.getByRole('textbox', { name: 'As of: time of day' });
  const fill = async (field: HTMLElement, text: string) => {
    await user.clear(field);
    if (text !== '') await user.type(field, text);
  };
  await fill(date, '2020/02/29');
  await fill(clock, '');
  expect(textOf()).toContain('Enter a date and a time of day.');
  await fill(clock, '10:30:05');
  await user.keyboard('{Enter}');
  expect(textOf()).toContain('The node was not in the inventory yet');
  expect(new Date(timeOfAddress()!).getTime()).toBe(new Date(2020, 1, 29, 10, 30, 5).getTime());
  await fill(date, '2999/01/01');
  await press('Show');
  expect(textOf()).toContain('Must not be in the future.');
});

test('Removed and the audit lead to the last state of a removed node, and from there to earlier ones', async () => {
  await site.at('removed');
  await user.click(screen.getByRole('link', { name: 'node db-gone' }));
  expect(textOf()).toContain('The node was removed at');
  expect(shown('Distro')).toEqual([['Distro', 'ubuntu', 'ubuntu']]);
  await press('State before');
  expect(textOf()).toContain('(1 differ)');
  expect(shown('Distro')).toEqual([['Distro', 'debian', 'ubuntu Differs']]);
  expect(screen.getAllByRole('columnheader', { name: 'Before its removal' }).length).toBeGreaterThan(0);
  await goTo(`configuration/audit?object_id=${goneId}&event=node.removed`);
  await user.click(screen.getByRole('link', { name: 'db-gone' }));
  expect(textOf()).toContain('The node was removed at');
});

test('services and agents; an object that never existed', async () => {
  await site.at(`services/${serviceId}/as-of`);
  expect(screen.getByRole('heading', { name: 'orders: as of a time' })).toBeDefined();
  expect(shown('Port')).toEqual([['Port', '3306', '3306']]);
  await goTo(`agents/${agentId}/as-of`);
  expect(screen.getByRole('heading', { name: 'mysqld_exporter on db-1: as of a time' })).toBeDefined();
  await press('State before');
  expect(textOf()).toContain('(1 differ)');
  expect(rows().flatMap((row) => [...row.querySelectorAll('a')].map(({ textContent }) => textContent))).toContain(
    'orders',
  );
  await goTo('nodes/nowhere/as-of');
  expect(textOf()).toContain('This node does not exist');
});
