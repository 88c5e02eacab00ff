import { inFull } from '../../../../shared/testing/extent.ts';
import fc from '../../../../shared/testing/fast-check.ts';
import { checkInvariants, scan } from '../../../../tests/consistency/invariants.ts';
import { addAgent, addHost } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { publishStatesOnSchedule } from '../../../triggers/state-events/handler.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(async () => {
  expect(await checkInvariants(inventory.table)).toEqual([]);
  await inventory.stop();
});

const MINUTE = 60_000;
const STALE_MS = 10 * MINUTE;
const OFFLINE_MS = 30 * MINUTE;

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
  inventory.clock.now = new Date((inventory.clock.now ?? new Date()).getTime() + minutes * MINUTE);
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
    await relay(all.map((one) => reportOf(one)));
    later(4);
  }
  expect(await grouped()).toEqual({ heartbeats: count, items: 2 });
  return all;
}

test('hosts that a relay reports together stay live by one item', async () => {
  const all = await groupOf(10);
  for (let round = 0; round < 6; round += 1) {
    const results = await relay(all.map((one) => reportOf(one, round % 2 === 0 ? {} : { agents: [] })));
    for (const { report } of results) expect(report).toMatchObject({ refused: [], taken: round % 2 === 0 ? 1 : 0 });
    const now = inventory.clock.now?.getTime() ?? NaN;
    for (const { report } of results) expect(Date.parse(report.stale_at)).toBeGreaterThan(now + 4.4 * MINUTE);
    later(4);
  }
  expect(await Promise.all(all.map(state))).toEqual(all.map(() => 'live'));
  later(10);
  expect(await Promise.all(all.map(state))).toEqual(all.map(() => 'stale'));
});

test('fewer hosts have heartbeats of their own', async () => {
  const all = await hosts(7);
  for (let round = 0; round < 4; round += 1) {
    await relay(all.map((one) => reportOf(one)));
    later(4);
  }
  expect(await grouped()).toEqual({ heartbeats: 0, items: 0 });
});

test('news, a lost connection, a direct report and a removal take a host out of its group, and the others stay', async () => {
  const all = await groupOf(12);
  const [changed, lost, direct, removed, ...rest] = all as [Host, Host, Host, Host, ...Host[]];
  const others = rest.map((one) => reportOf(one));
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
  const results = await relay([removed, ...rest].map((one) => reportOf(one)));
  expect(results.map(({ status }) => status)).toEqual([404, ...rest.map(() => 200)]);
  for (const { nodeId } of rest) await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`);
  expect(await grouped()).toEqual({ heartbeats: 0, items: 0 });
});

test('changed timers apply at once', async () => {
  const all = await groupOf(8);
  const [one, other] = all as [Host, Host];
  await inventory.request('PATCH', `/v1/nodes/${one.nodeId}`, { body: { stale_after: '1m' } });
  await relay(all.map((each) => reportOf(each)));
  later(2);
  expect([await state(one), await state(other)]).toEqual(['stale', 'live']);
});

test('after a day the agents under a process are compared again', async () => {
  const all = await hosts(8);
  for (const { nodeId } of all)
    await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: { stale_after: '12h', offline_after: '2d' } });
  await relay(all.map((one) => reportOf(one)));
  await relay(all.map((one) => reportOf(one)));
  expect((await grouped()).heartbeats).toBe(8);
  await inventory.request('DELETE', `/v1/agents/${all[0]!.agentId}`);
  const refused: unknown[] = [];
  for (let round = 0; round < 5; round += 1) {
    later(5 * 60);
    const [first] = await relay(all.map((one) => reportOf(one)));
    refused.push(first.report.refused.map(({ reason }: any) => reason));
  }
  expect(refused).toEqual([[], [], [], [], ['not_found']]);
});

test('two requests of a relay at once, and two relays, lose no report', async () => {
  const all = await groupOf(20);
  await Promise.all([
    relay(all.slice(0, 12).map((one) => reportOf(one))),
    relay(all.slice(8).map((one) => reportOf(one))),
    relay(all.slice(4, 6).map((one) => reportOf(one, {}, 'waiting'))),
  ]);
  later(5);
  expect(await Promise.all(all.map(state))).toEqual(all.map(() => 'live'));
});

test('hosts of one group that fall silent are published as stale, once', async () => {
  const all = await groupOf(9);
  later(20);
  const publish = publishStatesOnSchedule(inventory.dependencies);
  await publish();
  await publish();
  const { changes } = await get('/v1/changes?kinds=state');
  expect(changes.map(({ id }: any) => id).sort()).toEqual(all.map(({ nodeId }) => nodeId).sort());
  expect(changes.every(({ after }: any) => after.state === 'stale')).toBe(true);
});

test('a silent ephemeral host of a group is removed, one that the relay reports is not', async () => {
  const all = await groupOf(8);
  const [silent, ...others] = all as [Host, ...Host[]];
  for (const { nodeId } of all)
    await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: { lifetime: 'ephemeral', remove_after: '1h' } });
  await relay(all.map((one) => reportOf(one)));
  for (let round = 0; round < 16; round += 1) {
    later(5);
    await relay(others.map((one) => reportOf(one)));
  }
  const reply = await inventory.request('POST', '/v1/cleanup', { body: { max_removals_percent: 100 } });
  expect(reply.body.removed.map(({ node_id: id }: any) => id)).toEqual([silent.nodeId]);
  expect(await Promise.all(others.map(state))).toEqual(others.map(() => 'live'));
});

// Model --------------------------------------------------------------------------------------------------------------

/** A host as the model knows it. */
interface ModelHost {
  /** The time of the last report; undefined: none. */
  last: number | undefined;
  isLost: boolean;
  status: Status;
  removed: boolean;
}

type Step =
  | { do: 'wait'; minutes: number }
  | { do: 'relay'; from: number; count: number; news: number[]; isEmpty: boolean }
  | { do: 'direct' | 'lose' | 'remove' | 'change timer'; host: number };

const HOSTS = 14;
const anyHost = fc.nat(HOSTS - 1);

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('relay' as const),
      from: anyHost,
      count: fc.integer({ min: 6, max: HOSTS }),
      news: fc.array(anyHost, { maxLength: 2 }),
      isEmpty: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('direct', 'direct', 'lose', 'change timer', 'remove'), host: anyHost }),
  },
);

const stateAt = (at: number | undefined, isLost: boolean, now: number) => {
  if (at === undefined) return 'never_seen';
  const age = now - at;
  return age >= OFFLINE_MS ? 'offline' : age >= STALE_MS || isLost ? 'stale' : 'live';
};

/** Takes a step in the inventory and in the model. */
async function take(step: Step, all: readonly Host[], known: ModelHost[]): Promise<void> {
  const now = () => inventory.clock.now?.getTime() ?? NaN;
  if (step.do === 'wait') {
    later(step.minutes);
    return;
  }
  if (step.do === 'relay') {
    const chosen = Array.from({ length: step.count }, (_, index) => (step.from + index) % HOSTS);
    const reports = chosen.map((index) => {
      const one = known[index]!;
      const flips = step.news.includes(index);
      const status: Status = flips === (one.status === 'running') ? 'waiting' : 'running';
      const isEmpty = step.isEmpty && !flips;
      const body = reportOf(all[index]!, { reset: true, ...(isEmpty ? { agents: [] } : {}) }, status);
      if (!one.removed) Object.assign(one, { last: now(), isLost: false, status: isEmpty ? one.status : status });
      return body;
    });
    const results = await relay(reports);
    expect(results.map(({ status }) => status)).toEqual(chosen.map((index) => (known[index]!.removed ? 404 : 200)));
    return;
  }
  const [one, model] = [all[step.host]!, known[step.host]!];
  const path = `/v1/agents/${one.pmmAgentId}/report`;
  if (model.removed) return;
  if (step.do === 'remove') {
    expect((await inventory.request('DELETE', `/v1/nodes/${one.nodeId}?force=true`)).status).toBe(204);
    model.removed = true;
  } else if (step.do === 'change timer') {
    const body = { labels: { at: String(now()) }, remove_after: null };
    await inventory.request('PATCH', `/v1/nodes/${one.nodeId}`, { body: { ...body, offline_after: '30m' } });
  } else if (step.do === 'direct') {
    const { status } = await inventory.request('POST', path, { as: 'Editor', body: { agents: [] } });
    expect(status).toBe(200);
    Object.assign(model, { last: now(), isLost: false });
  } else {
    await inventory.request('POST', path, { as: 'Editor', body: { agents: [], connected: false } });
    Object.assign(model, { last: now(), isLost: true });
  }
}

/** Every way to read states says the same, and a time that the last report allows. */
async function compare(all: readonly Host[], known: readonly ModelHost[]): Promise<void> {
  const now = inventory.clock.now?.getTime() ?? NaN;
  const { nodes } = await get('/v1/nodes?include=state&page_size=100');
  const { agents } = await get('/v1/agents?include=state&page_size=100');
  const byState = new Map<string, string>();
  for (const wanted of ['live', 'stale', 'offline', 'never_seen'])
    for (const { node_id: id } of (await get(`/v1/nodes?state=${wanted}&page_size=100`)).nodes) byState.set(id, wanted);
  for (const [index, { nodeId, agentId }] of all.entries()) {
    const { last, isLost, removed, status } = known[index]!;
    const listed = nodes.find(({ node_id: id }: any) => id === nodeId);
    const own = agents.find(({ agent_id: id }: any) => id === agentId);
    if (removed) {
      expect([listed, own, byState.get(nodeId)]).toEqual([undefined, undefined, undefined]);
      continue;
    }
    const read = await get(`/v1/nodes/${nodeId}`);
    const at = read.reported_at === undefined ? undefined : Date.parse(read.reported_at);
    if (at === undefined || last === undefined) expect([at, last]).toEqual([undefined, undefined]);
    else {
      expect(at).toBeLessThanOrEqual(last);
      expect(last - at).toBeLessThan(STALE_MS / 2);
    }
    const expected = stateAt(at, isLost, now);
    expect([read.state, listed.state, own.state, byState.get(nodeId)]).toEqual(Array(4).fill(expected));
    expect(listed.reported_at).toBe(read.reported_at);
    if (last !== undefined) expect(own.status).toBe(expected === 'offline' ? 'unknown' : status);
  }
}

test('any sequence of reports, relayed and direct, losses and removals gives the states of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: inFull(8, 4), maxLength: inFull(24, 8) }), async (sequence) => {
      await inventory.stop();
      inventory = await startInventory();
      inventory.clock.now = new Date();
      const all = await hosts(HOSTS);
      const known = all.map((): ModelHost => ({ last: undefined, isLost: false, status: 'running', removed: false }));
      // A first round, in which each status is known.
      await take({ do: 'relay', from: 0, count: HOSTS, news: [], isEmpty: false }, all, known);
      await take({ do: 'wait', minutes: 4 }, all, known);
      await take({ do: 'relay', from: 0, count: HOSTS, news: [], isEmpty: false }, all, known);
      for (const step of sequence) {
        await take(step, all, known);
        await compare(all, known);
      }
      expect(await checkInvariants(inventory.table)).toEqual([]);
    }),
    { numRuns: inFull(8, 1), endOnFailure: true },
  );
});
