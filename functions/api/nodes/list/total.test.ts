import { addAgent, addNode, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  for (const [index, region] of ['eu', 'eu', 'us'].entries()) {
    const node = await addNode(inventory, { node_name: `n${index}`, address: `a${index}`, region });
    await addService(inventory, { node_ids: [node.node_id], cluster: region, custom_labels: { team: 'shop' } });
    await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
  }
});
afterAll(() => inventory.stop());

const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;
const totalOf = async (list: string, query: string) => {
  const { total, total_at } = await get(`/v1/${list}?total=true&page_size=1&${query}`);
  return [total, total_at];
};

test.each([
  ['nodes', '', 3],
  ['nodes', 'region=eu', 2],
  ['nodes', 'region=eu&name_prefix=n1', 1],
  ['nodes', 'address=a1', 1],
  ['nodes', 'state=never_seen', 3],
  ['nodes', 'selector=region!=eu', 1],
  ['services', 'cluster=eu', 2],
  ['services', 'selector=team%3Dshop', 3],
  ['services', 'region=us', 1],
  ['agents', 'region=eu', 2],
  ['agents', 'agent_type=vm_agent', 0],
])('%s?%s has the exact total', async (list, query, total) => {
  expect(await totalOf(list, query)).toEqual([total, undefined]);
});

test('the total is that of all pages, and may come with states', async () => {
  const first = await get('/v1/nodes?include=state&total=true&page_size=2');
  expect([first.total, first.nodes[0].state]).toEqual([3, 'never_seen']);
  const second = await get(`/v1/nodes?total=true&page_size=2&page_token=${first.next_page_token}`);
  expect([second.total, second.nodes.length]).toEqual([3, 1]);
  expect(await get('/v1/nodes')).not.toHaveProperty('total');
});

test('a summary of the last minute provides totals with their time; other filters are counted', async () => {
  await get('/v1/summary');
  const counted = [3, expect.stringMatching(/Z$/)];
  for (const query of ['', 'state=never_seen', 'node_type=generic'])
    expect(await totalOf('nodes', query)).toEqual(counted);
  expect(await totalOf('nodes', 'region=eu')).toEqual([2, counted[1]]);
  expect(await totalOf('nodes', 'az=x')).toEqual([0, counted[1]]);
  expect(await totalOf('nodes', 'name_prefix=n1')).toEqual([1, undefined]);
});
