import { addAgent, addHost, addNode } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
const NOON = new Date('2030-01-01T12:00:00.000Z');
const after = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const text = (minutes: number) => after(minutes).toISOString();
beforeEach(async () => {
  inventory = await startInventory();
  inventory.clock.now = NOON;
});
afterEach(() => inventory.stop());

const statesOf = (id: string) => inventory.request('GET', `/v1/agents/${id}/states`, { as: 'Viewer' });

async function hostWithAgent() {
  const { nodeId, pmmAgentId } = await addHost(inventory, { stale_after: '5m', offline_after: '15m' });
  const { agent_id: agentId } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const report = async (minutes: number, ...agents: object[]) => {
    inventory.clock.now = after(minutes);
    const url = `/v1/agents/${pmmAgentId}/report`;
    const entries = agents.map((entry) => ({ agent_id: agentId, ...entry }));
    expect((await inventory.request('POST', url, { body: { agents: entries } })).status).toBe(200);
  };
  return { nodeId, pmmAgentId, agentId: String(agentId), report };
}

test('shows the states of its process divided by its statuses, and the share in which it was live and running', async () => {
  const { agentId, pmmAgentId, report } = await hostWithAgent();
  await report(0);
  await report(2, { status: 'running' });
  await report(6, { status: 'waiting' });
  await report(40, { status: 'running' });
  inventory.clock.now = after(42);
  const { body } = await statesOf(agentId);
  expect(body).toEqual({
    begin: text(0),
    end: text(42),
    availability: 0.14285,
    intervals: [
      { state: 'live', begin: text(0), end: text(2) },
      { state: 'live', status: 'running', begin: text(2), end: text(6) },
      { state: 'live', status: 'waiting', begin: text(6), end: text(11) },
      { state: 'stale', status: 'waiting', begin: text(11), end: text(21) },
      { state: 'offline', status: 'unknown', begin: text(21), end: text(40) },
      { state: 'live', status: 'running', begin: text(40), end: text(42) },
    ],
  });
  const { body: agent } = await inventory.request('GET', `/v1/agents/${agentId}`);
  expect([agent.status, agent.status_since]).toEqual(['running', text(40)]);
  // An agent process has states alone.
  const { body: ofProcess } = await statesOf(pmmAgentId);
  expect(ofProcess.intervals.map(({ state, status }: any) => [state, status])).toEqual([
    ['live', undefined],
    ['stale', undefined],
    ['offline', undefined],
    ['live', undefined],
  ]);
});

test('an agent without an agent process has the states of its node, and one on no node has none', async () => {
  const { nodeId, report } = await hostWithAgent();
  await report(0);
  const external = { agent_type: 'external_exporter', listen_port: 1 };
  const { agent_id: onHost } = await addAgent(inventory, { ...external, runs_on_node_id: nodeId });
  const { node_id: other } = await addNode(inventory);
  const { agent_id: onNone } = await addAgent(inventory, { ...external, insights: { node_ids: [other] } });
  inventory.clock.now = after(4);
  expect((await statesOf(String(onHost))).body.intervals).toEqual([{ state: 'live', begin: text(0), end: text(4) }]);
  expect((await statesOf(String(onNone))).body).toEqual({ begin: text(4), end: text(4), intervals: [] });
});

test('an agent that does not exist has none: 404', async () => {
  expect((await statesOf('x')).status).toBe(404);
});
