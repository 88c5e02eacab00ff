import { addAgent, addHost } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const remove = (id: string, query = '') => inventory.request('DELETE', `/v1/agents/${id}${query}`, { as: 'Editor' });

test('an agent under a pmm_agent can be removed at any time', async () => {
  const { pmmAgentId, nodeId } = await addHost(inventory);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  expect((await remove(id)).status).toBe(204);
  expect((await inventory.request('GET', `/v1/agents?node_id=${nodeId}`)).body.agents).toEqual([]);
});

test('agents under a pmm_agent keep it from being removed; with force they are removed too', async () => {
  const { pmmAgentId, nodeId } = await addHost(inventory);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  expect((await remove(pmmAgentId)).body).toMatchObject({
    code: 9,
    message: `pmm-agent with ID "${pmmAgentId}" has agents.`,
  });
  expect((await remove(pmmAgentId, '?force=true')).status).toBe(204);
  expect((await inventory.request('GET', `/v1/agents/${id}`)).status).toBe(404);
  expect((await inventory.request('DELETE', `/v1/nodes/${nodeId}`)).status).toBe(204);
});
