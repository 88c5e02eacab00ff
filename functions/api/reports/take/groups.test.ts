import { checkInvariants, scan } from '../../../../tests/consistency/invariants.ts';
import { addAgent, addHost } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { publishStatesOnSchedule } from '../../../triggers/state-events/handler.ts';
import { TEST_TIME } from '../../../../tests/support/test-time.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(async () => {
  expect(await checkInvariants(inventory.table)).toEqual([]);
  await inventory.stop();
});

const MINUTE = 60_000;

interface Host {
  nodeId: string;
  pmmAgentId: string;
  agentId: string;
}

type Status = 'running' | 'waiting';

async function host(): Promise<Host> {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { agent_id: agentId } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  return { nodeId, pmmAgentId, agentId: String(agentId) };
}

const hosts = (count: number) => Promise.all(Array.from({ length: count }, host));

const reportOf = ({ pmmAgentId, agentId }: Host, more: object = {}, status: Status = 'running') => ({
  pmm_agent_id: pmmAgentId,
  agents: [{ agent_id: agentId, status }],
  ...more,
});

async function relay(reports: readonly object[]): Promise<any[]> {
  const { status, body } = await inventory.request('POST', '/v1/reports', { as: 'Relay', body: { reports } });
  expect(status).toBe(200);
  return body.results;
}

const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;
const state = async ({ nodeId }: Host) => (await get(`/v1/nodes/${nodeId}`)).state;
const later = (minutes: number) => {
  inventory.clock.now = new Date((inventory.clock.now?.getTime() ?? TEST_TIME) + minutes * MINUTE);
};

/** The heartbeats in a group, and the items of groups. */
async function grouped() {
  const items = await scan(inventory.table);
  const ofGroups = items.filter(({ pk }) => String(pk).startsWith('HEARTBEAT_GROUP#'));
  return { heartbeats: items.filter(({ group }) => group !== undefined).length, items: ofGroups.length };
}

/** Hosts whose reports a relay has sent until they are in a group. */
async function groupOf(count: number): Promise<Host[]> {
  const all = await hosts(count);
  for (let round = 0; round < 2; round += 1) {
    await relay(all.map((member) => reportOf(member)));
    later(4);
  }
  expect(await grouped()).toEqual({ heartbeats: count, items: 2 });
  return all;
}

test('one item keeps hosts live that a relay reports together', async () => {
  const all = await groupOf(10);
  for (let round = 0; round < 6; round += 1) {
    const results = await relay(all.map((member) => reportOf(member, round % 2 === 0 ? {} : { agents: [] })));
    for (const { report } of results) expect(report).toMatchObject({ refused: [], taken: round % 2 === 0 ? 1 : 0 });
    const now = inventory.clock.now?.getTime() ?? NaN;
    for (const { report } of results) expect(Date.parse(report.stale_at)).toBeGreaterThan(now + 4.4 * MINUTE);
    later(4);
  }
  expect(await Promise.all(all.map(state))).toEqual(all.map(() => 'live'));
  later(10);
  expect(await Promise.all(all.map(state))).toEqual(all.map(() => 'stale'));
});

test('fewer hosts keep their own heartbeats', async () => {
  const all = await hosts(7);
  for (let round = 0; round < 4; round += 1) {
    await relay(all.map((member) => reportOf(member)));
    later(4);
  }
  expect(await grouped()).toEqual({ heartbeats: 0, items: 0 });
});

test('news, a lost connection, a direct report and a removal take a host out of its group without effect on the others', async () => {
  const all = await groupOf(12);
  const [changed, lost, direct, removed, ...rest] = all as [Host, Host, Host, Host, ...Host[]];
  const others = rest.map((member) => reportOf(member));
  await relay([reportOf(changed, {}, 'waiting'), reportOf(lost, { connected: false }), ...others]);
  expect(await get(`/v1/agents/${changed.agentId}`)).toMatchObject({ status: 'waiting', state: 'live' });
  expect(await state(lost)).toBe('stale');
  expect(await state(direct)).toBe('live');
  expect((await grouped()).heartbeats).toBe(10);
  later(4);
  const body = { agents: [{ agent_id: direct.agentId, status: 'waiting' }] };
  await inventory.request('POST', `/v1/agents/${direct.pmmAgentId}/report`, { as: 'Editor', body });
  expect(await get(`/v1/agents/${direct.agentId}`)).toMatchObject({ status: 'waiting', state: 'live' });
  await inventory.request('DELETE', `/v1/nodes/${removed.nodeId}?force=true`);
  expect((await grouped()).heartbeats).toBe(8);
  const results = await relay([removed, ...rest].map((member) => reportOf(member)));
  expect(results.map(({ status }) => status)).toEqual([404, ...rest.map(() => 200)]);
  for (const { nodeId } of rest) await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`);
  expect(await grouped()).toEqual({ heartbeats: 0, items: 0 });
});

test('changed timers apply at once', async () => {
  const all = await groupOf(8);
  const [member, other] = all as [Host, Host];
  await inventory.request('PATCH', `/v1/nodes/${member.nodeId}`, { body: { stale_after: '1m' } });
  await relay(all.map((each) => reportOf(each)));
  later(2);
  expect([await state(member), await state(other)]).toEqual(['stale', 'live']);
});

test('after a day the agents under a process are compared again', async () => {
  const all = await hosts(8);
  for (const { nodeId } of all)
    await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: { stale_after: '12h', offline_after: '2d' } });
  await relay(all.map((member) => reportOf(member)));
  await relay(all.map((member) => reportOf(member)));
  expect((await grouped()).heartbeats).toBe(8);
  await inventory.request('DELETE', `/v1/agents/${all[0]!.agentId}`);
  const refused: unknown[] = [];
  for (let round = 0; round < 5; round += 1) {
    later(5 * 60);
    const [first] = await relay(all.map((member) => reportOf(member)));
    refused.push(first.report.refused.map(({ reason }: any) => reason));
  }
  expect(refused).toEqual([[], [], [], [], ['not_found']]);
});

test('simultaneous requests of one relay or of two lose no report', async () => {
  const all = await groupOf(20);
  await Promise.all([
    relay(all.slice(0, 12).map((member) => reportOf(member))),
    relay(all.slice(8).map((member) => reportOf(member))),
    relay(all.slice(4, 6).map((member) => reportOf(member, {}, 'waiting'))),
  ]);
  later(5);
  expect(await Promise.all(all.map(state))).toEqual(all.map(() => 'live'));
});

test('silent hosts of a group are published as stale once', async () => {
  const all = await groupOf(9);
  later(20);
  const publish = publishStatesOnSchedule(inventory.dependencies);
  await publish();
  await publish();
  const { changes } = await get('/v1/changes?kinds=state');
  expect(changes.map(({ id }: any) => id).sort()).toEqual(all.map(({ nodeId }) => nodeId).sort());
  expect(changes.every(({ after }: any) => after.state === 'stale')).toBe(true);
});

test('a silent ephemeral host of a group is removed, a reported one is not', async () => {
  const all = await groupOf(8);
  const [silent, ...others] = all as [Host, ...Host[]];
  for (const { nodeId } of all)
    await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: { lifetime: 'ephemeral', remove_after: '1h' } });
  await relay(all.map((member) => reportOf(member)));
  for (let round = 0; round < 16; round += 1) {
    later(5);
    await relay(others.map((member) => reportOf(member)));
  }
  const reply = await inventory.request('POST', '/v1/cleanup', { body: { max_removals_percent: 100 } });
  expect(reply.body.removed.map(({ node_id: id }: any) => id)).toEqual([silent.nodeId]);
  expect(await Promise.all(others.map(state))).toEqual(others.map(() => 'live'));
});
