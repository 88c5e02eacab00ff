import { countPart, newCount } from '../../functions/store/summary/count.ts';
import { RIVAL_GONE_MS } from '../../gateway/relay/rivals.ts';
import { addAgent, addHost } from '../support/add.ts';
import { startGatewayInProcess, type TestGateway } from '../support/agent-gateway.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { passingTime } from '../support/passing-time.ts';
import { type AgentOptions, PmmAgent } from '../support/pmm-agent.ts';

const HOUR_MS = 3_600_000;

/** By the clocks of the service and of the gateway. */
const START = new Date('2026-06-01T12:00:00Z');

let inventory: Inventory;
let gateway: TestGateway;
/** Of the gateway. */
let monotonic: ManualClock;
const agents = new Set<PmmAgent>();
beforeEach(async () => {
  [inventory, monotonic] = [await startInventory(), manualClock()];
  inventory.clock.now = START;
  gateway = await startGateway();
});
afterEach(async () => {
  for (const agent of agents) agent.close();
  agents.clear();
  await during(gateway.stop());
  await inventory.stop();
});

async function startGateway(): Promise<TestGateway> {
  const started = await startGatewayInProcess(inventory, { monotonic });
  started.now = () => START;
  return started;
}

function start(id: string, options: Partial<AgentOptions> = {}): PmmAgent {
  const authorization = `Bearer ${inventory.keys.Editor}`;
  const agent = new PmmAgent({ port: gateway.port, plain: true, generation: 3, id, authorization, ...options });
  agents.add(agent);
  return agent;
}

const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;

const { until, during } = passingTime(
  () => monotonic,
  () => gateway.pending > 0,
);

const statusIs = (id: string, status: string) => until(async () => (await get(`/v1/agents/${id}`)).status === status);

/** Whether the stream of an agent is still open: its ping is answered. */
const isOpen = (agent: PmmAgent): Promise<boolean> =>
  Promise.race([agent.ask(2).then(() => true), agent.ended.then(() => false)]);

async function newKey(more: object): Promise<{ key: string; key_id: string }> {
  const body = { name: crypto.randomUUID(), role: 'Editor', ...more };
  return (await inventory.request('POST', '/v1/api-keys', { body })).body;
}

test('the hourly check ends only streams of removed, expired or superseded keys', async () => {
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
  await during(Promise.all([kept!, ...lost].map((agent) => agent.connected)));
  await inventory.request('DELETE', `/v1/api-keys/${removed.key_id}`);
  await inventory.request('POST', `/v1/api-keys/${rotated.key_id}/rotate`, { body: { overlap: '0s' } });
  inventory.clock.now = new Date(START.getTime() + HOUR_MS + 1000);
  monotonic.skip(HOUR_MS);
  const ends = await during(Promise.all(lost.map((agent) => agent.ended)));
  expect(ends).toEqual([
    { code: 16, message: 'Invalid API key' },
    { code: 16, message: 'Expired API key' },
    { code: 16, message: 'Invalid API key' },
  ]);
  expect(await isOpen(kept!)).toBe(true);
});

test("a second host with another's id needs attention until ten minutes after its last attempt", async () => {
  const { pmmAgentId } = await addHost(inventory);
  const first = start(pmmAgentId);
  await during(first.connected);
  const findings = async () => {
    const { progress } = await countPart(inventory.table, newCount(START), START);
    return progress.tally.findings
      .filter(({ reason }) => reason === 'connected_twice')
      .flatMap(({ examples }) => examples);
  };
  expect(await findings()).toEqual([]);
  const second = start(pmmAgentId);
  expect(await during(second.ended)).toMatchObject({ code: 6, message: 'An agent with this id is connected already.' });
  await until(async () => (await findings()).length === 1);
  expect(await findings()).toMatchObject([{ id: pmmAgentId, name: expect.stringContaining('pmm_agent on ') }]);
  /** In steps, so that pings are answered. */
  const pass = (milliseconds: number) => {
    const end = monotonic.now() + milliseconds;
    return until(() => monotonic.now() >= end);
  };
  await pass(RIVAL_GONE_MS / 2);
  await during(start(pmmAgentId).ended);
  await pass(RIVAL_GONE_MS / 2 + 10_000);
  expect(await findings()).toHaveLength(1);
  await pass(RIVAL_GONE_MS / 2 - 20_000);
  expect(await findings()).toHaveLength(1);
  await until(async () => (await findings()).length === 0);
  expect(await isOpen(first)).toBe(true);
});

test('while the service is away for an hour, streams and exporters stay, reports catch up, and no state changes', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const agent = start(pmmAgentId);
  await statusIs(exporter.agent_id, 'running');
  await until(async () => (await get(`/v1/nodes/${nodeId}`)).state === 'live');
  const told = agent.states.length;
  gateway.isAway = true;
  // A heartbeat, a check of the credential and a status fail in this hour.
  monotonic.skip(HOUR_MS);
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
});

test('a change during a feed interruption reaches the process afterwards', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const agent = start(pmmAgentId);
  await until(() => agent.states.length === 1);
  gateway.isAway = true;
  const added = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  await until(() => gateway.failures > 1);
  expect(agent.exporters.size).toBe(0);
  gateway.isAway = false;
  await until(() => agent.exporters.has(added.agent_id));
});

test.each([
  ['the agent', -600_000],
  ['the gateway', 600_000],
])("a clock of %s that is 10 minutes off breaks nothing, and a pong has the gateway's time", async (_, offset) => {
  gateway.now = () => new Date(START.getTime() + offset);
  const { pmmAgentId } = await addHost(inventory);
  const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const agent = start(pmmAgentId);
  await during(agent.connected);
  expect(agent.serverSeconds).toBe((START.getTime() + offset) / 1000);
  await statusIs(exporter.agent_id, 'running');
  // The clock is corrected while the stream is open.
  gateway.now = () => START;
  for (let index = 0; index < 20; index += 1) await agent.ask(2);
  expect(await isOpen(agent)).toBe(true);
});

test('an agent that answers no pings loses its stream after the third, and others keep theirs', async () => {
  const [silent, healthy] = [
    start((await addHost(inventory)).pmmAgentId),
    start((await addHost(inventory)).pmmAgentId),
  ];
  await during(Promise.all([silent.connected, healthy.connected]));
  silent.answersPings = false;
  expect(await during(silent.ended)).toEqual({ code: 14, message: 'The agent did not answer pings.' });
  expect(await isOpen(healthy)).toBe(true);
});

test('query analytics of 4 MB are dropped, larger ones refused, and an unknown payload is answered once', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const agent = start(pmmAgentId);
  await during(agent.connected);
  // The message has 13 bytes besides its contents.
  await agent.ask(4, Buffer.alloc(4 * 1024 * 1024 - 13, 0x0a));
  const replies = agent.unknownReplies;
  await agent.ask(1000, Buffer.from('x'));
  await agent.ask(2);
  expect(agent.unknownReplies - replies).toBe(1);
  void agent.ask(4, Buffer.alloc(5 * 1024 * 1024, 0x0a));
  expect(await during(agent.ended)).toMatchObject({ code: 8, message: expect.stringContaining('too large') });
});

test('after the gateway was killed, hosts return within stale_after, and no state changes', async () => {
  const hosts = await Promise.all(Array.from({ length: 10 }, () => addHost(inventory)));
  const first = hosts.map(({ pmmAgentId }) => start(pmmAgentId));
  await during(Promise.all(first.map((agent) => agent.connected)));
  const states = () => Promise.all(hosts.map(async ({ nodeId }) => (await get(`/v1/nodes/${nodeId}`)).state));
  await until(async () => (await states()).every((state) => state === 'live'));
  gateway.kill();
  await Promise.all(first.map((agent) => agent.ended));
  expect(await states()).toEqual(hosts.map(() => 'live'));
  gateway = await startGateway();
  const second = hosts.map(({ pmmAgentId }) => start(pmmAgentId));
  await during(Promise.all(second.map((agent) => agent.connected)));
  expect(await states()).toEqual(hosts.map(() => 'live'));
  const changes = await inventory.request('GET', '/v1/changes?kinds=state');
  expect(changes.body.changes).toEqual([]);
});
