import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addAgent, addHost } from '../support/add.ts';
import { type ReportOutcome, startGatewayInProcess } from '../support/agent-gateway.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { PmmAgent } from '../support/pmm-agent.ts';

const KILLS = 20;
const HOSTS = 4;
const CHANGES = 80;

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()), 60_000);
afterAll(() => inventory.stop());

const statusOf = async (id: string): Promise<string> =>
  (await inventory.request('GET', `/v1/agents/${id}`, { as: 'Viewer' })).body.status;

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await pause(50);
}

const connectTo = (port: number, id: string) =>
  new PmmAgent({ port, plain: true, generation: 3, id, authorization: `Bearer ${inventory.keys.Editor}` });

/** Counts refused transitions, and keeps the agents of which none was repaired by a later report. */
function watchTransitions() {
  const watched = { refused: 0, unrepaired: new Set<string>() };
  const onReport = ({ entries, status, refused }: ReportOutcome) => {
    if (status !== 200) return;
    for (const { agent_id: id } of entries) {
      const isRefused = refused.some(
        (refusal) => refusal.agent_id === id && refusal.reason === 'impossible_transition',
      );
      if (isRefused) {
        watched.refused += 1;
        watched.unrepaired.add(id);
      } else watched.unrepaired.delete(id);
    }
  };
  return { watched, onReport };
}

test('an impossible status is refused, and the next report repairs it', async () => {
  const { watched, onReport } = watchTransitions();
  const gateway = await startGatewayInProcess(inventory, { onReport });
  const hosts = await Promise.all(Array.from({ length: 5 }, () => addHost(inventory)));
  for (const { pmmAgentId } of hosts) {
    const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    const agent = connectTo(gateway.port, pmmAgentId);
    await until(async () => (await statusOf(id)) === 'running');
    // The report of another backend: `waiting` cannot follow `done`.
    const body = { agents: [{ agent_id: id, status: 'done' }], reset: true };
    await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { as: 'Editor', body });
    await agent.say(id, 'waiting');
    await until(async () => (await statusOf(id)) === 'waiting');
    agent.close();
    await agent.ended;
  }
  expect([watched.refused, watched.unrepaired.size]).toEqual([hosts.length, 0]);
  await gateway.stop();
}, 600_000);

test(`after ${KILLS} random kills of the gateway each status is that of the process, without refused transitions`, async () => {
  const { watched, onReport } = watchTransitions();
  const hosts = await Promise.all(
    Array.from({ length: HOSTS }, async () => {
      const { pmmAgentId } = await addHost(inventory);
      const exporter = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
      const ids = [await addAgent(inventory, exporter), await addAgent(inventory, exporter)];
      return { pmmAgentId, exporters: ids.map(({ agent_id: id }): string => id) };
    }),
  );
  let gateway = await startGatewayInProcess(inventory, { onReport });
  let agents = hosts.map(({ pmmAgentId }) => connectTo(gateway.port, pmmAgentId));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { exporters } = hosts[kill % HOSTS]!;
    const body = { disabled: Math.floor(kill / HOSTS) % 2 === 0 };
    await inventory.request('PATCH', `/v1/agents/${exporters[0]}`, { as: 'Editor', body });
    await pause(randomInt(0, 700));
    gateway.kill();
    await Promise.all(agents.map((agent) => agent.ended));
    gateway = await startGatewayInProcess(inventory, { onReport });
    // Old agents stop their exporters with the stream, and begin anew.
    agents = hosts.map(({ pmmAgentId }) => connectTo(gateway.port, pmmAgentId));
  }
  for (const [index, { exporters }] of hosts.entries())
    for (const id of exporters) {
      const { body } = await inventory.request('GET', `/v1/agents/${id}`);
      const isRunning = () => agents[index]!.exporters.has(id);
      await until(
        async () => isRunning() === !body.disabled && (await statusOf(id)) === (isRunning() ? 'running' : 'done'),
      );
    }
  expect([...watched.unrepaired]).toEqual([]);
  for (const agent of agents) agent.close();
  await gateway.stop();
}, 600_000);

test(`${CHANGES} changes of exporters each reach the process, also with an interrupted feed`, async () => {
  const { pmmAgentId } = await addHost(inventory);
  const gateway = await startGatewayInProcess(inventory);
  const agent = connectTo(gateway.port, pmmAgentId);
  await until(() => agent.states.length === 1);
  const exporter = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
  const reaches = async (change: () => Promise<unknown>, isTrue: () => boolean) => {
    await change();
    while (!isTrue()) await pause(10);
  };
  const batch = (operation: object) =>
    inventory.request('POST', '/v1/batch', { as: 'Editor', body: { operations: [operation] } });
  const patch = (id: string, disabled: boolean) =>
    inventory.request('PATCH', `/v1/agents/${id}`, { as: 'Editor', body: { disabled } });
  const pmm = async (path: string, body: object) => {
    const reply = await inventory.request('POST', path, { as: 'Editor', body });
    expect([path, reply.status]).toEqual([path, 200]);
  };
  for (let round = 0; round < CHANGES / 4; round += 1) {
    let id = '';
    const isByBatch = round % 2 === 0;
    await reaches(
      async () => (id = (await addAgent(inventory, exporter)).agent_id),
      () => agent.exporters.has(id),
    );
    await reaches(
      () => (isByBatch ? batch({ op: 'changeAgent', id, body: { disabled: true } }) : patch(id, true)),
      () => !agent.exporters.has(id),
    );
    await reaches(
      () => patch(id, false),
      () => agent.exporters.has(id),
    );
    await reaches(
      () =>
        isByBatch
          ? batch({ op: 'removeAgent', id })
          : pmm('/v1/inventory/Agents/Remove', { agent_id: `/agent_id/${id}` }),
      () => !agent.exporters.has(id),
    );
  }
  // Cut for 10 s.
  gateway.isAway = true;
  const during = await addAgent(inventory, exporter);
  await pause(10_000);
  expect(agent.exporters.size).toBe(0);
  gateway.isAway = false;
  await until(() => agent.exporters.has(during.agent_id));
  agent.close();
  await gateway.stop();
}, 900_000);
