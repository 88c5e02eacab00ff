import { addAgent, addHost, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const remove = (id: string, query = '') => inventory.request('DELETE', `/v1/services/${id}${query}`, { as: 'Editor' });
const exporter = (pmmAgentId: string, ...service_ids: string[]) =>
  addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights: { service_ids } });

test('refused while an agent gives insight into it', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const { service_id: id } = await addService(inventory);
  await exporter(pmmAgentId, id);
  expect((await remove(id)).body).toMatchObject({ code: 9, message: `Service with ID "${id}" has agents.` });
});

test('with force: an agent without other targets is removed, another one loses this target', async () => {
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

test('its name is free again, and its nodes are not bound any more', async () => {
  const { nodeId } = await addHost(inventory);
  const { service_id: id } = await addService(inventory, { service_name: 'free', node_ids: [nodeId] });
  expect((await remove(id)).status).toBe(204);
  await addService(inventory, { service_name: 'free' });
  expect((await inventory.request('GET', `/v1/services?node_id=${nodeId}`)).body.services).toEqual([]);
});
