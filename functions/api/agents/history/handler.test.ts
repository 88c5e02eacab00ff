import { addAgent, addHost } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const history = (id: string) => inventory.request('GET', `/v1/agents/${id}/history`, { as: 'Viewer' });

test('lists the changes of an agent with the resulting status', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  await inventory.request('PATCH', `/v1/agents/${id}`, { body: { disabled: true } });
  const { status, body } = await history(id);
  expect([status, body.changes]).toMatchObject([
    200,
    [
      {
        id,
        action: 'changed',
        before: { disabled: false, status: 'unknown' },
        after: { disabled: true, status: 'done' },
      },
      { id, action: 'added' },
    ],
  ]);
});

test('an unknown agent has no history: 404', async () => {
  expect((await history('x')).status).toBe(404);
});
