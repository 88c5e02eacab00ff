import { addAgent, addHost, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const remove = (id: string, query = '') => inventory.request('DELETE', `/v1/services/${id}${query}`, { as: 'Editor' });
const exporter = (pmmAgentId: string, ...service_ids: string[]) =>
  addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights: { service_ids } });

test('an agent with insight into a service keeps it from being removed', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const { service_id: id } = await addService(inventory);
  await exporter(pmmAgentId, id);
  expect((await remove(id)).body).toMatchObject({ code: 9, message: `Service with ID "${id}" has agents.` });
});

test('with force, an agent without other targets is removed, and another one loses this target', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const [a, b] = [(await addService(inventory)).service_id, (await addService(inventory)).service_id];
  const ofA = await exporter(pmmAgentId, a);
  const ofBoth = await exporter(pmmAgentId, a, b);
  expect((await remove(a, '?force=true')).status).toBe(204);
  expect((await inventory.request('GET', `/v1/agents/${ofA.agent_id}`)).status).toBe(404);
  expect((await inventory.request('GET', `/v1/agents/${ofBoth.agent_id}`)).body).toMatchObject({
    insights: { service_ids: [b] },
    revision: 2,
  });
  expect((await inventory.request('GET', `/v1/agents?service_id=${b}`)).body.agents).toHaveLength(1);
});

test('a removal frees the name and the nodes', async () => {
  const { nodeId } = await addHost(inventory);
  const { service_id: id } = await addService(inventory, { service_name: 'free', node_ids: [nodeId] });
  expect((await remove(id)).status).toBe(204);
  await addService(inventory, { service_name: 'free' });
  expect((await inventory.request('GET', `/v1/services?node_id=${nodeId}`)).body.services).toEqual([]);
});
