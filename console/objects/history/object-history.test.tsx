import { cellsOf, pass, rowsOf, screen, untilQuiet, textOf, user, within } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

/** As many changes as the page shows at once, and how often the node was changed. */
const PAGE = 10;
const CHANGES = 21;

const MARKUP = '<b>a note</b>';

const site = openSite();
let agentId = '';
let nodeId = '';
let serviceId = '';
let goneId = '';

beforeAll(async () => {
  ({ node_id: nodeId } = await site.addNode('db-1'));
  const { node_id: otherId } = await site.addNode('db-2');
  ({ node_id: goneId } = await site.addNode('db-gone'));
  const process = await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const service = { service_type: 'mysql', service_name: 'orders', address: '10.0.0.1', port: 3306 };
  ({ service_id: serviceId } = await site.write('POST', '/v1/services', {
    ...service,
    node_ids: [nodeId, goneId],
    custom_labels: { team: 'shop', rack: 'r1' },
  }));
  ({ agent_id: agentId } = await site.write('POST', '/v1/agents', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process.agent_id,
    insights: { service_ids: [serviceId] },
  }));
  await site.write('PATCH', `/v1/agents/${agentId}`, { disabled: true });
  await site.write('PATCH', `/v1/services/${serviceId}`, {
    node_ids: [nodeId, goneId, otherId],
    custom_labels: { team: 'pay', rack: null, note: MARKUP },
  });
  await site.api('DELETE', `/v1/nodes/${goneId}?force=true`);
  for (let count = 1; count <= CHANGES; count += 1)
    await site.write('PATCH', `/v1/nodes/${nodeId}`, { distro: `d${count}` });
});

const rows = () => rowsOf('History');

const button = (name: string) => screen.getByRole('button', { name, hidden: true });

/** What a change says of a field: what went and what came, with their signs. */
const toldOf = (row: number, field: string) => {
  const fields = [...rows()[row]!.querySelectorAll('.differences > div')];
  const told = fields.find((part) => textOf(part).includes(field));
  return [...(told?.querySelectorAll('del, ins') ?? [])].map(textOf);
};

test('changes are shown with caller and request, the state first', async () => {
  const { body } = await site.api('GET', `/v1/agents/${agentId}/history`);
  await site.at(`agents/${agentId}`);
  expect(textOf()).toContain('History (2)');
  const [first = ''] = rows().map(textOf);
  expect(first).toMatch(/Changed.*Revision 2.*Status.*Unknown.*Done.*Disabled.*Enabled.*Disabled.*admin.*User/);
  expect(first).toContain(body.changes[0].request_id);
  expect(toldOf(0, 'Status')).toEqual(['Unknown', 'Done']);
  await user.click(within(rows()[1]!).getByRole('button', { name: /fields/ }));
  expect(within(rows()[1]!).getByText('orders').closest('a')).not.toBeNull();
});

test('labels are shown one by one, lists by differences, and a removed object has a name without a link', async () => {
  await site.at(`services/${serviceId}`);
  const gone = `node ${goneId.slice(0, 8)} (gone)`;
  expect(toldOf(0, 'Runs on nodes')).toEqual([`−${gone}`]);
  expect(toldOf(1, 'Runs on nodes')).toEqual(['+db-2']);
  expect(toldOf(1, 'Label team')).toEqual(['shop', 'pay']);
  expect(toldOf(1, 'Label rack')).toEqual(['−r1']);
  expect(toldOf(1, 'Label note')).toEqual([`+${MARKUP}`]);
  expect(document.querySelectorAll(`main a[href*="${goneId}"]`)).toHaveLength(0);
  await user.click(within(rows()[1]!).getByText('db-2'));
  expect(document.querySelector('main h1')?.textContent).toBe('db-2');
});

test('a long history is shown page by page to its beginning, which it states', async () => {
  await site.at(`nodes/${nodeId}`);
  expect(textOf()).toContain(`(${PAGE}+)`);
  expect(rows()).toHaveLength(PAGE);
  await user.click(button('Show older'));
  expect(textOf()).toContain(`(${2 * PAGE}+)`);
  await user.click(button('Show older'));
  expect(textOf()).toContain('No earlier changes: the object was added here.');
  expect(textOf()).toContain(`History (${CHANGES + 1})`);
  const revisions = cellsOf(rows()).map(([, what = '']) => /Revision \d+$/.exec(what)?.[0]);
  expect(revisions).toEqual(Array.from({ length: CHANGES + 1 }, (_, index) => `Revision ${CHANGES + 1 - index}`));
  expect(toldOf(0, 'Distro')).toEqual([`d${CHANGES - 1}`, `d${CHANGES}`]);
  expect(toldOf(CHANGES - 1, 'Distro')).toEqual(['+d1']);
});

test('it reports loading, an empty history and expired changes, and a reload shows new ones', async () => {
  const { node_id: id } = await site.addNode('db-3');
  let release = () => {};
  let shown: unknown[] = [];
  const network = await site.at(`nodes/${id}`, {
    before: (first) => {
      release = first.hold(`GET /v1/nodes/${id}/history`);
      first.answer(`GET /v1/nodes/${id}/history`, () => ({ changes: shown }));
    },
  });
  expect(document.querySelector('main h1')?.textContent).toBe('db-3');
  expect(textOf()).toContain('Loading changes');
  release();
  await untilQuiet();
  await user.click(button('Reload the node'));
  expect(textOf()).toContain('No changes in the last 30 days.');

  await site.write('PATCH', `/v1/nodes/${id}`, { custom_labels: { team: 'shop' } });
  ({ changes: shown } = (await site.api('GET', `/v1/nodes/${id}/history?page_size=1`)).body);
  await user.click(button('Reload the node'));
  expect(textOf()).toContain('History (1)');
  expect(toldOf(0, 'Label team')).toEqual(['+shop']);
  expect(textOf()).toContain('Changes are kept for 30 days. Older changes were removed.');
  expect(network.requests.filter((path) => path.includes('/history')).length).toBeGreaterThan(1);
});

test('a failed history affects nothing else and can be repeated, also from an unknown place', async () => {
  const network = await site.at(`nodes/${nodeId}`, {
    before: (first) => first.refuseNext(`GET /v1/nodes/${nodeId}/history`, 403, 'It broke.'),
  });
  expect(textOf()).toContain('The changes could not be loaded');
  expect(textOf()).toContain('It broke.');
  expect(rowsOf('Services that run on it').map(textOf)).toEqual([expect.stringContaining('orders')]);
  await user.click(button('Try again'));
  expect(textOf()).toContain(`(${PAGE}+)`);

  network.refuseNext(/page_token/, 403, 'It broke.');
  await user.click(button('Show older'));
  expect(textOf()).toContain('More could not be loaded');
  expect(rows()).toHaveLength(PAGE);
  await user.click(button('Try again'));
  expect(textOf()).toContain(`(${2 * PAGE}+)`);

  // A place that the server does not know any more leads to the start.
  network.refuseNext(/page_token/, 400, 'Unknown.');
  await user.click(button('Show older'));
  expect(textOf()).toContain('More could not be loaded');
  await user.click(button('Try again'));
  await pass(100);
  expect(rows()).toHaveLength(PAGE);
  expect(button('Show older')).toBeDefined();
});

test('a Viewer sees the history', async () => {
  const { key } = await site.write('POST', '/v1/api-keys', { name: 'reader', role: 'Viewer' });
  await site.at(`services/${serviceId}`, { key });
  expect(rows()).toHaveLength(3);
});
