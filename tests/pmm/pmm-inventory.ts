import { checkInvariants } from '../consistency/invariants.ts';
import { startInventory } from '../support/inventory.ts';
import { clientOf, uniqueName } from './pmm-client.ts';

/** The message by which a host registers itself. */
export const hostMessage = (more: object = {}) => ({
  ...{ node_type: 'NODE_TYPE_GENERIC_NODE', node_name: uniqueName('host'), address: '10.0.0.1' },
  ...more,
});

/**
 * An inventory for a file's tests, with a PMM client. After them its data keep all rules.
 *
 * @param isChecked false: the tests write items that those rules do not know.
 */
export async function startPmmInventory({ isChecked = true } = {}) {
  const inventory = await startInventory();
  afterAll(async () => {
    const broken = isChecked ? await checkInvariants(inventory.table) : [];
    await inventory.stop();
    expect(broken).toEqual([]);
  });
  const client = clientOf(inventory);
  return {
    inventory,
    client,
    /** The status, the code and the message of a call that is refused. */
    refusal: async (path: string, body: object, method = 'POST') => {
      const reply = await client.send(method, path, body);
      return [reply.status, reply.body.code, reply.body.message];
    },
    registeredHost: async (more: object = {}) => {
      const reply = await client.post('/v1/management/nodes', hostMessage(more));
      return { nodeId: reply.generic_node.node_id as string, pmmAgentId: reply.pmm_agent.agent_id as string };
    },
  };
}
