import { addAgent, addHost, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

const list = async (query: string) => {
  const found: { agent_type: string; agent_id: string }[] = [];
  for (let token = ''; ;) {
    const reply = await inventory.request('GET', `/v1/agents?page_size=2${query}${token}`, { as: 'Viewer' });
    expect(reply.status).toBe(200);
    found.push(...reply.body.agents);
    if (reply.body.next_page_token === undefined) return found;
    token = `&page_token=${reply.body.next_page_token}`;
  }
};

test('by every relation, with and without a type, sorted by type, then id', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const other = await addHost(inventory);
  const { service_id: serviceId } = await addService(inventory);
  const node = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const insights = { service_ids: [serviceId] };
  const exporters = [];
  for (let i = 0; i < 3; i += 1)
    exporters.push(await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights }));
  const far = await addAgent(inventory, {
    agent_type: 'external_exporter',
    listen_port: 1,
    insights: { node_ids: [nodeId], ...insights },
  });

  const ids = (agents: { agent_id: string }[]) => agents.map(({ agent_id: id }) => id);
  const sorted = ids(exporters).sort();
  expect(ids(await list(`&runs_on_node_id=${nodeId}`))).toEqual([...sorted, node.agent_id, pmmAgentId]);
  expect(ids(await list(`&pmm_agent_id=${pmmAgentId}`))).toEqual([...sorted, node.agent_id]);
  expect(ids(await list(`&node_id=${nodeId}`))).toEqual([far.agent_id, node.agent_id]);
  expect(ids(await list(`&service_id=${serviceId}`))).toEqual([far.agent_id, ...sorted]);
  expect(ids(await list(`&service_id=${serviceId}&agent_type=mysqld_exporter`))).toEqual(sorted);
  expect(ids(await list(`&node_id=${nodeId}&agent_type=pmm_agent`))).toEqual([]);
  expect(ids(await list('&agent_type=pmm_agent'))).toEqual([pmmAgentId, other.pmmAgentId].sort());
  expect((await list('')).length).toBe(7);
});

test('two relations at once are refused, both named', async () => {
  const reply = await inventory.request('GET', '/v1/agents?node_id=a&service_id=b');
  expect(reply).toMatchObject({
    status: 400,
    body: { code: 3, details: [{ field: 'node_id' }, { field: 'service_id' }] },
  });
});

test.each([
  ['runs_on_node_id', 'Node'],
  ['node_id', 'Node'],
  ['pmm_agent_id', 'Agent'],
  ['service_id', 'Service'],
])('%s of something that is not there: 404', async (filter, noun) => {
  const reply = await inventory.request('GET', `/v1/agents?${filter}=nope`);
  expect(reply).toMatchObject({ status: 404, body: { message: `${noun} with ID "nope" not found.` } });
});
