import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const change = (id: string, body: unknown) => inventory.request('PATCH', `/v1/agents/${id}`, { body, as: 'Editor' });

test('a disabled agent is done until its process reports', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'vm_agent', pmm_agent_id: pmmAgentId });
  expect((await change(id, { disabled: true })).body).toMatchObject({ disabled: true, status: 'done', revision: 2 });
  expect((await change(id, { disabled: false })).body).toMatchObject({ disabled: false, status: 'done', revision: 3 });
});

test('a change replaces targets list by list, with the rules of an add', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const [a, b] = [(await addService(inventory)).service_id, (await addService(inventory)).service_id];
  const mongo = (await addService(inventory, { service_type: 'mongodb' })).service_id;
  const { agent_id: id } = await addAgent(inventory, {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: pmmAgentId,
    insights: { service_ids: [a] },
  });
  expect((await change(id, { insights: { service_ids: [b] } })).body.insights).toEqual({
    node_ids: [],
    service_ids: [b],
  });
  expect((await inventory.request('DELETE', `/v1/services/${a}`)).status).toBe(204);
  expect((await inventory.request('DELETE', `/v1/services/${b}`)).status).toBe(400);
  expect(await change(id, { insights: { service_ids: [mongo] } })).toMatchObject({ status: 400, body: { code: 9 } });
  expect(await change(id, { insights: { service_ids: [a] } })).toMatchObject({ status: 404, body: { code: 5 } });
  expect((await change(id, { insights: { service_ids: [] } })).body.insights.service_ids).toEqual([]);
  expect((await inventory.request('DELETE', `/v1/services/${b}`)).status).toBe(204);
});

test('changing only the node or only the service targets keeps the other', async () => {
  const { node_id: nodeId } = await addNode(inventory);
  const { service_id: serviceId } = await addService(inventory);
  const { agent_id: id } = await addAgent(inventory, {
    agent_type: 'external_exporter',
    listen_port: 1,
    insights: { node_ids: [nodeId], service_ids: [serviceId] },
  });
  expect((await change(id, { insights: { node_ids: [] } })).body.insights).toEqual({
    node_ids: [],
    service_ids: [serviceId],
  });
});

test.each([
  'agent_id',
  'agent_type',
  'runs_on_node_id',
  'pmm_agent_id',
  'status',
  'connected',
  'password',
  'stats_collections',
])('%s is refused', async (field) => {
  const { pmmAgentId } = await addHost(inventory);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId });
  const { body } = await change(id, { [field]: field === 'stats_collections' ? ['x'] : 'x' });
  expect(body).toMatchObject({ code: 3, details: [{ field }] });
});

test('a change sets, clears and checks options', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId });
  const options = {
    username: 'pmm',
    tls: true,
    disable_collectors: ['a'],
    metrics_resolutions: { hr: '5s', mr: '10s' },
  };
  expect((await change(id, options)).body).toMatchObject(options);
  const cleared = (
    await change(id, { username: null, tls: null, disable_collectors: null, metrics_resolutions: { mr: '1s' } })
  ).body;
  expect(cleared).toMatchObject({ tls: false, disable_collectors: [], metrics_resolutions: { hr: '5s', mr: '1s' } });
  expect(cleared).not.toHaveProperty('username');
  expect((await change(id, { metrics_resolutions: { hr: '5 s' } })).status).toBe(400);
});
