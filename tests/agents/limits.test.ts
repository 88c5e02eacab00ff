import { setTimeout as pause } from 'node:timers/promises';
import { testInFull } from '../../shared/testing/extent.ts';
import { addAgent, addHost } from '../support/add.ts';
import { startGatewayInProcess, type TestGateway } from '../support/agent-gateway.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type AgentOptions, PmmAgent } from '../support/pmm-agent.ts';

const HOUR_MS = 3_600_000;

let inventory: Inventory;
let gateway: TestGateway;
const agents = new Set<PmmAgent>();
beforeEach(async () => {
  inventory = await startInventory();
  gateway = await startGatewayInProcess(inventory);
}, 60_000);
afterEach(async () => {
  for (const agent of agents) agent.close();
  agents.clear();
  await gateway.stop();
  await inventory.stop();
});

function start(id: string, options: Partial<AgentOptions> = {}): PmmAgent {
  const authorization = `Bearer ${inventory.keys.Editor}`;
  const agent = new PmmAgent({ port: gateway.port, plain: true, generation: 3, id, authorization, ...options });
  agents.add(agent);
  return agent;
}

const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;

/** Waits for a condition. The test ends it by its own time limit. */
async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await pause(50);
}

const statusIs = (id: string, status: string) => until(async () => (await get(`/v1/agents/${id}`)).status === status);

/** Whether a promise has a value after the gateway had time for its ticks. */
async function isOpen(agent: PmmAgent): Promise<boolean> {
  await agent.ask(2);
  return true;
}

async function newKey(more: object): Promise<{ key: string; key_id: string }> {
  const body = { name: crypto.randomUUID(), role: 'Editor', ...more };
  return (await inventory.request('POST', '/v1/api-keys', { body })).body;
}

test('the hourly check ends the streams of keys that were removed, have expired or were superseded, and no others', async () => {
  const ids = [];
  for (let index = 0; index < 4; index += 1) ids.push((await addHost(inventory)).pmmAgentId);
  const [good, removed, ending, rotated] = [
    await newKey({}),
    await newKey({}),
    await newKey({ time_to_live: '1h' }),
    await newKey({}),
  ];
  const keys = [good, removed, ending, rotated];
  const [kept, ...lost] = ids.map((id, index) => start(id, { authorization: `Bearer ${keys[index]?.key}` }));
  await Promise.all([kept!, ...lost].map((agent) => agent.connected));
  await inventory.request('DELETE', `/v1/api-keys/${removed.key_id}`);
  await inventory.request('POST', `/v1/api-keys/${rotated.key_id}/rotate`, { body: { overlap: '0s' } });
  inventory.clock.now = new Date(Date.now() + HOUR_MS + 1000);
  gateway.advance(HOUR_MS);
  const ends = await Promise.all(lost.map((agent) => agent.ended));
  expect(ends).toEqual([
    { code: 16, message: 'Invalid API key' },
    { code: 16, message: 'Expired API key' },
    { code: 16, message: 'Invalid API key' },
  ]);
  expect(await isOpen(kept!)).toBe(true);
}, 60_000);

testInFull(
  'while the service is away for an hour streams stay and nothing is stopped; reports catch up, and no state changes',
  async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    const agent = start(pmmAgentId);
    await statusIs(exporter.agent_id, 'running');
    await until(async () => (await get(`/v1/nodes/${nodeId}`)).state === 'live');
    const told = agent.states.length;
    gateway.isAway = true;
    // A heartbeat, a check of the credential and a status fail in this hour.
    gateway.advance(HOUR_MS);
    await agent.say(exporter.agent_id, 'waiting');
    await until(() => gateway.failures > 2);
    expect(await isOpen(agent)).toBe(true);
    expect([agent.states.length, agent.exporters.size]).toEqual([told, 1]);
    gateway.isAway = false;
    await statusIs(exporter.agent_id, 'waiting');
    expect((await get(`/v1/nodes/${nodeId}`)).state).toBe('live');
    // A change of the hour arrives afterwards.
    await inventory.request('PATCH', `/v1/agents/${exporter.agent_id}`, { as: 'Editor', body: { disabled: true } });
    await until(() => agent.exporters.size === 0);
  },
);

test('a change while the feed is cut reaches the process afterwards', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const agent = start(pmmAgentId);
  await until(() => agent.states.length === 1);
  gateway.isAway = true;
  const added = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  await until(() => gateway.failures > 1);
  expect(agent.exporters.size).toBe(0);
  gateway.isAway = false;
  await until(() => agent.exporters.has(added.agent_id));
}, 60_000);

test.each([
  ['the agent', -600_000],
  ['the gateway', 600_000],
])(
  'with a clock of %s 10 minutes off nothing breaks, and a pong has the time of the gateway',
  async (_, offset) => {
    gateway.now = () => new Date(Date.now() + offset);
    const { pmmAgentId } = await addHost(inventory);
    const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    const before = Math.floor((Date.now() + offset) / 1000);
    const agent = start(pmmAgentId);
    await agent.connected;
    expect(agent.serverSeconds).toBeGreaterThanOrEqual(before);
    expect(agent.serverSeconds).toBeLessThanOrEqual((Date.now() + offset) / 1000);
    await statusIs(exporter.agent_id, 'running');
    // The clock is corrected while the stream is open.
    gateway.now = () => new Date();
    for (let index = 0; index < 20; index += 1) await agent.ask(2);
    expect(await isOpen(agent)).toBe(true);
  },
  60_000,
);

testInFull('an agent that answers no pings loses its stream after the third one, and others keep theirs', async () => {
  await gateway.stop();
  gateway = await startGatewayInProcess(inventory, { pingMs: 300 });
  const [silent, healthy] = [
    start((await addHost(inventory)).pmmAgentId),
    start((await addHost(inventory)).pmmAgentId),
  ];
  await Promise.all([silent.connected, healthy.connected]);
  silent.answersPings = false;
  expect(await silent.ended).toEqual({ code: 14, message: 'The agent did not answer pings.' });
  expect(await isOpen(healthy)).toBe(true);
});

test('query analytics of 4 MB are acknowledged and dropped, above that refused, and an unknown payload is answered once', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const agent = start(pmmAgentId);
  await agent.connected;
  // The message has 13 bytes besides its contents.
  await agent.ask(4, Buffer.alloc(4 * 1024 * 1024 - 13, 0x0a));
  const replies = agent.unknownReplies;
  await agent.ask(1000, Buffer.from('x'));
  await agent.ask(2);
  expect(agent.unknownReplies - replies).toBe(1);
  void agent.ask(4, Buffer.alloc(5 * 1024 * 1024, 0x0a));
  expect(await agent.ended).toMatchObject({ code: 8, message: expect.stringContaining('too large') });
}, 60_000);

testInFull('after the gateway was killed hosts return within stale_after, and no state changes', async () => {
  const hosts = await Promise.all(Array.from({ length: 10 }, () => addHost(inventory)));
  const first = hosts.map(({ pmmAgentId }) => start(pmmAgentId));
  await Promise.all(first.map((agent) => agent.connected));
  const states = () => Promise.all(hosts.map(async ({ nodeId }) => (await get(`/v1/nodes/${nodeId}`)).state));
  await until(async () => (await states()).every((state) => state === 'live'));
  gateway.kill();
  await Promise.all(first.map((agent) => agent.ended));
  expect(await states()).toEqual(hosts.map(() => 'live'));
  gateway = await startGatewayInProcess(inventory);
  const second = hosts.map(({ pmmAgentId }) => start(pmmAgentId));
  await Promise.all(second.map((agent) => agent.connected));
  expect(await states()).toEqual(hosts.map(() => 'live'));
  const changes = await inventory.request('GET', '/v1/changes?kinds=state');
  expect(changes.body.changes).toEqual([]);
});
