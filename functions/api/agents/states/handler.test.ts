import { addAgent, addHost, addNode } from '../../../../tests/support/add.ts';
import { afterNoon, afterNoonText, useInventoryAtNoon } from '../../../../tests/support/noon.ts';

const inventory = useInventoryAtNoon();

const statesOf = (id: string) => inventory.request('GET', `/v1/agents/${id}/states`, { as: 'Viewer' });

async function hostWithAgent() {
  const { nodeId, pmmAgentId } = await addHost(inventory, { stale_after: '5m', offline_after: '15m' });
  const { agent_id: agentId } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const report = async (minutes: number, ...agents: object[]) => {
    inventory.clock.now = afterNoon(minutes);
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
  inventory.clock.now = afterNoon(42);
  const { body } = await statesOf(agentId);
  expect(body).toEqual({
    begin: afterNoonText(0),
    end: afterNoonText(42),
    availability: 0.14285,
    intervals: [
      { state: 'live', begin: afterNoonText(0), end: afterNoonText(2) },
      { state: 'live', status: 'running', begin: afterNoonText(2), end: afterNoonText(6) },
      { state: 'live', status: 'waiting', begin: afterNoonText(6), end: afterNoonText(11) },
      { state: 'stale', status: 'waiting', begin: afterNoonText(11), end: afterNoonText(21) },
      { state: 'offline', status: 'unknown', begin: afterNoonText(21), end: afterNoonText(40) },
      { state: 'live', status: 'running', begin: afterNoonText(40), end: afterNoonText(42) },
    ],
  });
  const { body: agent } = await inventory.request('GET', `/v1/agents/${agentId}`);
  expect([agent.status, agent.status_since]).toEqual(['running', afterNoonText(40)]);
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
  inventory.clock.now = afterNoon(4);
  expect((await statesOf(String(onHost))).body.intervals).toEqual([
    { state: 'live', begin: afterNoonText(0), end: afterNoonText(4) },
  ]);
  expect((await statesOf(String(onNone))).body).toEqual({
    begin: afterNoonText(4),
    end: afterNoonText(4),
    intervals: [],
  });
});

test('an agent that does not exist has none: 404', async () => {
  expect((await statesOf('x')).status).toBe(404);
});
