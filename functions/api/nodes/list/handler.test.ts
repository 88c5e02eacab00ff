import { addAgent, addNode } from '../../../../tests/support/add.ts';
import { changeStored } from '../../../../tests/support/stored-object.ts';
import { objectKey } from '../../../store/table/keys.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const names = ['alpha', 'beta', 'beta 2', 'Gamma', '\u00e9t\u00e9'];

beforeAll(async () => {
  for (const node_name of names.toReversed()) await addNode(inventory, { node_name });
  for (let i = 0; i < 5; i += 1)
    await addNode(inventory, {
      node_type: 'remote_rds',
      node_name: `rds ${i}`,
      address: `a${i}`,
      region: i < 3 ? 'eu' : 'us',
    });
});

const list = (query: string) => inventory.request('GET', `/v1/nodes${query}`, { as: 'Viewer' });

async function all(query: string): Promise<string[]> {
  const nodeIds: string[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const reply = await list(`${query}${token === '' ? '' : `&page_token=${token}`}`);
    expect(reply.status).toBe(200);
    nodeIds.push(...reply.body.nodes.map((node: { node_name: string }) => node.node_name));
    token = reply.body.next_page_token;
  }
  return nodeIds;
}

test('lists nodes in byte order of their UTF-8 names', async () => {
  expect(await all('?node_type=generic&page_size=1000')).toEqual(['Gamma', 'alpha', 'beta', 'beta 2', '\u00e9t\u00e9']);
});

test.each([1, 2, 3, 1000])('pages of %i contain each node once', async (size) => {
  expect((await all(`?page_size=${size}`)).length).toBe(10);
  expect(new Set(await all(`?page_size=${size}`)).size).toBe(10);
});

test.each([
  ['node_type=remote_rds', 5],
  ['name_prefix=beta', 2],
  ['region=eu', 3],
  ['region=eu&node_type=generic', 0],
  ['region=eu&name_prefix=rds%201', 1],
  ['node_type=remote_rds&name_prefix=rds', 5],
  ['region=nowhere', 0],
])('filter %s finds %i, also across pages', async (filter, count) => {
  for (const size of [1, 100]) expect((await all(`?${filter}&page_size=${size}`)).length).toBe(count);
});

test('a prefix finds every name that begins with it, whatever characters follow', async () => {
  const last = '\u{10ffff}';
  // Names with the last code point can no longer be added; old ones may exist.
  const matching = ['p', 'p p', 'pz', 'p\uffee', 'p\u{1f600}', 'p\u{10fffd}', 'p\u{10fffd}\u{10fffd}z'];
  const old = [`p${last}`, `p${last}z`, `p${last.repeat(249)}`];
  for (const node_name of [...matching, 'o', 'q', 'P']) await addNode(inventory, { node_name });
  for (const [index, node_name] of old.entries()) {
    const { node_id: id } = await addNode(inventory, { node_name: `old ${index}` });
    await changeStored(inventory.table, objectKey('node', id), { node_name }, { list_sk: node_name });
  }
  expect((await all('?name_prefix=p&page_size=4')).sort()).toEqual([...matching, ...old].sort());
  expect(await all(`?name_prefix=${encodeURIComponent(`p${last}`)}`)).toEqual(old);
});

test.each(['-1', '0', '1001', '', ' 5', '1.5', '1e1', 'many', '99999999999'])(
  'page_size=%s is refused, and the error contains the range',
  async (size) => {
    expect((await list(`?page_size=${size}`)).body.details).toEqual([
      { field: 'page_size', reason: 'out_of_range', message: 'Must be a whole number from 1 to 1000.' },
    ]);
  },
);

test('the page size may change between pages, the query may not', async () => {
  const { body } = await list('?page_size=2');
  const token = body.next_page_token;
  expect((await list(`?page_size=3&page_token=${token}`)).body.nodes).toHaveLength(3);
  for (const query of [`?node_type=generic&page_token=${token}`, `?region=eu&page_token=${token}`])
    expect(await list(query)).toMatchObject({ status: 400, body: { details: [{ field: 'page_token' }] } });
  expect((await inventory.request('GET', `/v1/services?page_token=${token}`)).status).toBe(400);
});

test('the requested fields may change between pages', async () => {
  const [first, second, third] = ['', '&include=state', '&fields=node_name'];
  const { body } = await list(`?page_size=1${first}`);
  const shown = await list(`?page_size=1${second}&page_token=${body.next_page_token}`);
  expect(shown.body.nodes).toMatchObject([{ state: 'never_seen' }]);
  const last = await list(`?page_size=1${third}&page_token=${shown.body.next_page_token}`);
  expect(last.body.nodes).toEqual([{ node_id: expect.any(String), node_name: expect.any(String) }]);
});

test('a list shows the state of a node only on request by include, a filter or fields', async () => {
  const node = await addNode(inventory, { node_name: 'stated' });
  const { agent_id: process } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
  const { body } = await inventory.request('POST', `/v1/agents/${process}/report`, { body: { agents: [] } });
  const { reported_at } = body;
  const listStated = async (query: string) => (await list(`?name_prefix=stated${query}`)).body.nodes;
  const whole = (await inventory.request('GET', `/v1/nodes/${node.node_id}`)).body;
  expect(whole).toEqual({ ...node, state: 'live', reported_at });
  expect(await listStated('')).toEqual([node]);
  for (const query of ['&include=state', '&state=live', '&state=live&include=state'])
    expect([query, await listStated(query)]).toEqual([query, [whole]]);
  const { node_id } = node;
  expect(await listStated('&fields=state')).toEqual([{ node_id, state: 'live' }]);
  expect(await listStated('&fields=reported_at')).toEqual([{ node_id, reported_at }]);
  for (const query of ['&fields=address', '&fields=address&include=state', '&fields=address&state=live'])
    expect([query, await listStated(query)]).toEqual([query, [{ node_id, address: node.address }]]);
  expect(await listStated('&state=offline&include=state')).toEqual([]);
});

test.each(['', 'states', 'State', 'state,state', 'node'])(
  'include=%s is refused with the possible values',
  async (word) => {
    expect(await list(`?include=${word}`)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'include', reason: 'invalid_value', message: 'Must be one of: state.' }] },
    });
  },
);

test('a manipulated page token is refused', async () => {
  const token: string = (await list('?page_size=2')).body.next_page_token;
  for (let i = 0; i < token.length; i += 1) {
    const other = token[i] === 'A' ? 'B' : 'A';
    expect((await list(`?page_size=2&page_token=${token.slice(0, i)}${other}${token.slice(i + 1)}`)).status).toBe(400);
  }
});

test.each(['0', '1001', '-1', '1.5', 'x', '', '1e2', '%201'])('page_size=%s is refused', async (size) => {
  expect(await list(`?page_size=${size}`)).toMatchObject({ status: 400, body: { details: [{ field: 'page_size' }] } });
});
