import { addAgent, addHost, addNode, addService } from '../../../tests/support/add.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';

const { inventory, client } = await startPmmInventory();

const NODES = '/v1/inventory/nodes';
const SERVICES = '/v1/inventory/services';
const AGENTS = '/v1/inventory/agents';

describe('filters', () => {
  test('of services return nothing for a missing node, and by group only external services', async () => {
    const missing = await client.get(`${SERVICES}?node_id=none`);
    expect(Object.values(missing).flat()).toEqual([]);
    await addService(inventory, { service_type: 'external', group: 'redis', address: undefined, port: undefined });
    const { external, mysql } = await client.get(`${SERVICES}?external_group=redis`);
    expect([external.length, mysql]).toEqual([1, []]);
    expect(
      await client.send('GET', `${SERVICES}?external_group=redis&service_type=SERVICE_TYPE_MYSQL_SERVICE`),
    ).toMatchObject({
      ...{ status: 400, body: { code: 3, message: 'The external group is not allowed for service type: "mysql".' } },
    });
  });

  test('of agents are one of three, must exist, and by node return its monitoring agents', async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    const ids = async (query: string) =>
      Object.values<any[]>(await client.get(`${AGENTS}?${query}`))
        .flat()
        .map((agent) => agent.agent_id);
    expect(await ids(`node_id=${nodeId}`)).toEqual([exporter.agent_id]);
    expect(await ids(`pmm_agent_id=${pmmAgentId}`)).toEqual([exporter.agent_id]);
    expect(await ids(`pmm_agent_id=${pmmAgentId}&agent_type=AGENT_TYPE_RDS_EXPORTER`)).toEqual([]);
    expect(await ids(`pmm_agent_id=${pmmAgentId}&agent_type=AGENT_TYPE_UNSPECIFIED`)).toEqual([exporter.agent_id]);
    expect(await client.send('GET', `${AGENTS}?node_id=${nodeId}&pmm_agent_id=${pmmAgentId}`)).toMatchObject({
      ...{ status: 400, body: { message: 'expected at most one param: pmm_agent_id, node_id or service_id' } },
    });
    for (const [query, subject] of [
      ['node_id=x', 'Node with ID "x"'],
      ['service_id=x', 'Service with ID "x"'],
      ['pmm_agent_id=x', 'Agent with ID x'],
    ])
      expect(await client.send('GET', `${AGENTS}?${query}`)).toMatchObject({
        status: 404,
        body: { message: `${subject} not found.` },
      });
    expect(await client.send('GET', `${AGENTS}?agent_type=nothing`)).toMatchObject({ status: 400, body: { code: 3 } });
  });

  test('lists are sorted by id', async () => {
    for (let count = 0; count < 6; count += 1) await addNode(inventory);
    const ids = (await client.get(NODES)).generic.map((node: any) => node.node_id);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toEqual([...ids].sort());
  });
});
