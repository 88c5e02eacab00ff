import { randomUUID } from 'node:crypto';
import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { runPart } from '../../../store/jobs/resumable-job.ts';
import { cleanupJob } from '../../../triggers/scheduled-cleanup/handler.ts';

let inventory: Inventory;
const NOON = new Date('2030-01-01T12:00:00.000Z');
const after = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
beforeEach(async () => {
  inventory = await startInventory();
  inventory.clock.now = NOON;
});
afterEach(() => inventory.stop());

async function read(as: 'Viewer' | 'Editor' | 'Admin' = 'Viewer') {
  const reply = await inventory.request('GET', '/v1/summary', { as });
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return reply.body;
}

const reportOf = (pmmAgentId: string, agents: object[] = []) =>
  inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents } });

test('an empty inventory has empty totals', async () => {
  const none = { total: 0, by_state: {}, by_type: {} };
  const nothing = { ...none, silenced: 0 };
  const noClusters = { ...none, without_live_member: 0 };
  expect(await read()).toEqual({
    computed_at: NOON.toISOString(),
    age_seconds: 0,
    complete: true,
    incomplete: [],
    counted_at: NOON.toISOString(),
    ...{ nodes: nothing, services: nothing, agents: nothing, clusters: noClusters },
    ...{ zones: [], attention: [], changes: [], latest: [], node_states: expect.anything() },
    jobs: [{ job: 'count', state: 'done', begun_at: NOON.toISOString(), updated_at: NOON.toISOString() }],
  });
});

test('counts objects by state and type, and clusters by their worst service', async () => {
  const live = await addHost(inventory);
  const silent = await addHost(inventory);
  await addNode(inventory, { node_type: 'container' });
  await addService(inventory, { cluster: 'a', node_ids: [live.nodeId] });
  await addService(inventory, { cluster: 'a', service_type: 'mongodb', node_ids: [silent.nodeId] });
  await addService(inventory, { cluster: 'b', node_ids: [live.nodeId] });
  await reportOf(silent.pmmAgentId);
  inventory.clock.now = after(60);
  await reportOf(live.pmmAgentId);
  expect(await read()).toMatchObject({
    nodes: { total: 3, by_state: { live: 1, offline: 1, never_seen: 1 }, by_type: { generic: 2, container: 1 } },
    services: { total: 3, by_state: { live: 2, offline: 1 }, by_type: { mysql: 2, mongodb: 1 } },
    agents: { total: 2, by_state: { live: 1, offline: 1 }, by_type: { pmm_agent: 2 } },
    clusters: { total: 2, by_state: { live: 1, offline: 1 }, by_type: { mysql: 2, mongodb: 1 } },
  });
});

test("counts the places of a finding's objects: the regions of nodes, the clusters of services", async () => {
  const place = async (region: string, cluster: string) => {
    const { nodeId, pmmAgentId } = await addHost(inventory, { region, address: randomUUID() });
    const { service_id: target } = await addService(inventory, { cluster, node_ids: [nodeId] });
    const insights = { service_ids: [target] };
    const { agent_id: id } = await addAgent(inventory, {
      ...{ agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights },
    });
    await reportOf(pmmAgentId, [{ agent_id: id, status: 'waiting' }]);
  };
  for (const region of ['ap', 'eu', 'ap', 'us', 'us', 'us', 'sa']) await place(region, region === 'us' ? 'a' : 'b');
  const { attention } = await read();
  const list = '/v1/agents?status=waiting&state=live,stale';
  expect(attention).toMatchObject([{ reason: 'waiting', kind: 'agent', count: 7, list }]);
  expect(attention[0].places).toEqual([
    { label: 'region', value: 'us', count: 3 },
    { label: 'region', value: 'ap', count: 2 },
    { label: 'region', value: 'eu', count: 1 },
    { label: 'cluster', value: 'b', count: 4 },
    { label: 'cluster', value: 'a', count: 3 },
  ]);
  for (const { label, value, count } of attention[0].places) {
    const { body } = await inventory.request('GET', `${list}&${label}=${value}`);
    expect([value, body.agents.length]).toEqual([value, count]);
  }
});

test('counts nodes by region and zone', async () => {
  for (const place of [{ region: 'b', az: 'b1' }, { region: 'a' }, { region: 'b', az: 'b1', address: '10.0.0.2' }, {}])
    await addNode(inventory, place);
  expect((await read()).zones).toEqual([
    { region: 'a', by_state: { never_seen: 1 } },
    { region: 'b', az: 'b1', by_state: { never_seen: 2 } },
  ]);
});

test('counts the nodes in each state at points of the last day', async () => {
  const hosts = [await addHost(inventory), await addHost(inventory, { address: '10.0.0.2' }), await addHost(inventory)];
  const report = (host: number, minutes: number, more: object = {}) => {
    inventory.clock.now = after(minutes);
    const path = `/v1/agents/${hosts[host]!.pmmAgentId}/report`;
    return inventory.request('POST', path, { body: { agents: [], ...more } });
  };
  await report(0, 10);
  await report(1, 20);
  await report(1, 29);
  await report(1, 38);
  await report(0, 55);
  await report(1, 57, { connected: false });
  inventory.clock.now = after(60);
  const { begin, step_seconds: step, live, stale, offline } = (await read()).node_states;
  expect([begin, step]).toEqual([after(60 - 1440).toISOString(), 900]);
  // 11:45, 12:00, 12:15, 12:30, 12:45, 13:00.
  expect([live, stale, offline].map((counts) => [counts.length, counts.slice(-6)])).toEqual([
    [97, [0, 0, 1, 1, 1, 1]],
    [97, [0, 0, 0, 1, 0, 1]],
    [97, [0, 0, 0, 0, 1, 0]],
  ]);
  for (const counts of [live, stale, offline])
    expect(counts.slice(0, -4).every((count: number) => count === 0)).toBe(true);
  inventory.clock.now = after(61 + 1440);
  const next = (await read()).node_states;
  expect(next.begin).toBe(after(61).toISOString());
  const ends = [next.live, next.stale, next.offline].map((counts) => [counts[0], counts.at(-1)]);
  expect(ends).toEqual([
    [1, 0],
    [1, 0],
    [0, 2],
  ]);
});

describe('silences', () => {
  const silence = async (selector: string, time_to_live = '1h') =>
    (await inventory.request('POST', '/v1/silences', { body: { selector, reason: 'Upgrade', time_to_live } })).body;
  /** A host that is offline an hour later, with a service of this cluster. */
  async function silentHost(cluster: string) {
    const { nodeId, pmmAgentId } = await addHost(inventory, { address: randomUUID() });
    await addService(inventory, { cluster, node_ids: [nodeId] });
    await reportOf(pmmAgentId);
    return nodeId;
  }
  const attention = async () => (await read()).attention.map(({ kind, count }: any) => [kind, count]);
  const silenced = async () => {
    const { nodes, services, agents } = await read();
    return [nodes, services, agents].map((counts) => counts.silenced);
  };

  test('hide a node, its services and its agents from attention until they end', async () => {
    const node = await silentHost('a');
    await silentHost('b');
    inventory.clock.now = after(60);
    expect([await attention(), await silenced()]).toEqual([
      [
        ['cluster', 2],
        ['node', 2],
        ['service', 2],
      ],
      [0, 0, 0],
    ]);
    await silence(`node_id=${node}`, '30m');
    inventory.clock.now = after(62);
    const counts = await read();
    expect([await attention(), await silenced(), counts.nodes.total]).toEqual([
      [
        ['cluster', 1],
        ['node', 1],
        ['service', 1],
      ],
      [1, 1, 1],
      2,
    ]);
    inventory.clock.now = after(95);
    expect([(await attention())[0], await silenced()]).toEqual([
      ['cluster', 2],
      [0, 0, 0],
    ]);
  });

  test('of a cluster do not cover its nodes; an agent is silenced only with all its targets', async () => {
    const { pmmAgentId } = await addHost(inventory);
    const [first, second] = [
      await addService(inventory, { cluster: 'a' }),
      await addService(inventory, { cluster: 'b' }),
    ];
    const watch = (...targets: any[]) => ({
      ...{ agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId },
      insights: { service_ids: targets.map(({ service_id: id }) => id) },
    });
    const exporters = [watch(first), watch(first, second)];
    const ids: string[] = [];
    for (const body of exporters) ids.push((await addAgent(inventory, body)).agent_id);
    await reportOf(
      pmmAgentId,
      ids.map((agent_id) => ({ agent_id, status: 'waiting' })),
    );
    await silence('cluster=a');
    expect([await attention(), await silenced()]).toEqual([[['agent', 1]], [0, 1, 1]]);
  });

  test('cover a service only with all its nodes', async () => {
    const [first, second] = [await silentHost('a'), await silentHost('b')];
    await addService(inventory, { cluster: 'c', node_ids: [first, second] });
    inventory.clock.now = after(60);
    await silence(`node_id=${first}`);
    expect(await silenced()).toEqual([1, 1, 1]);
    await silence(`node_id=${second}`);
    inventory.clock.now = after(62);
    expect([await attention(), await silenced()]).toEqual([[], [2, 3, 2]]);
  });
});

const endCleanup = (state: 'stopped' | 'done') =>
  runPart(inventory.table, cleanupJob, { clock: () => NOON, leaseMs: 1 }, () =>
    Promise.resolve({ state, place: undefined, ...(state === 'stopped' ? { reason: 'x' } : {}) }),
  );
const cleanups = async () => (await read()).jobs.filter(({ job }: { job: string }) => job === 'cleanup');

test('returns what needs attention, each with its list', async () => {
  const hostName = 'db-1';
  const host = await addHost(inventory, { node_name: hostName });
  const exporter = { agent_type: 'node_exporter', pmm_agent_id: host.pmmAgentId };
  const ids: string[] = [];
  for (const more of [{}, {}, {}, { disabled: true }])
    ids.push((await addAgent(inventory, { ...exporter, ...more })).agent_id);
  const gone = await addHost(inventory, { region: 'eu' });
  await reportOf(gone.pmmAgentId);
  inventory.clock.now = after(15);
  const said = ['running', 'waiting', 'stopping', 'done'].map((status, index) => ({ agent_id: ids[index], status }));
  await reportOf(host.pmmAgentId, said);
  await endCleanup('stopped');
  const { attention } = await read();
  expect(attention).toEqual([
    {
      ...{ reason: 'stale', kind: 'node', count: 1, list: '/v1/nodes?state=stale' },
      examples: [{ id: gone.nodeId, name: expect.any(String) }],
      places: [{ label: 'region', value: 'eu', count: 1 }],
    },
    {
      ...{ reason: 'waiting', kind: 'agent', count: 1, list: '/v1/agents?status=waiting&state=live,stale' },
      examples: [{ id: ids[1], name: `node_exporter on ${hostName}` }],
      places: [],
    },
    {
      ...{
        reason: 'not_running',
        kind: 'agent',
        count: 1,
        list: expect.stringContaining('/v1/agents?status=starting'),
      },
      examples: [{ id: ids[2], name: `node_exporter on ${hostName}` }],
      places: [],
    },
    { reason: 'cleanup_stopped', kind: 'cleanup', count: 1, examples: [{ id: NOON.toISOString() }] },
  ]);
  for (const { list, count } of attention) {
    if (list === undefined || list.includes('done')) continue;
    const { body } = await inventory.request('GET', list);
    expect([list, Object.values<any>(body)[0].length]).toEqual([list, count]);
  }
  expect(await cleanups()).toEqual([
    { job: 'cleanup', state: 'stopped', begun_at: NOON.toISOString(), updated_at: NOON.toISOString(), reason: 'x' },
  ]);
  await endCleanup('done');
  inventory.clock.now = after(17);
  const { attention: rest } = await read();
  expect(rest.map(({ kind }: { kind: string }) => kind)).not.toContain('cleanup');
  expect(await cleanups()).toMatchObject([{ state: 'done' }]);
});

test('only an Admin sees keys and tokens that expire soon', async () => {
  const add = (path: string, body: object) => inventory.request('POST', path, { body, as: 'Admin' });
  await add('/v1/api-keys', { name: 'soon', role: 'Viewer', time_to_live: '13d' });
  await add('/v1/api-keys', { name: 'later', role: 'Viewer', time_to_live: '15d' });
  await add('/v1/enrolment-tokens', { name: 'host', time_to_live: '1h' });
  const attention = async (as: 'Viewer' | 'Editor' | 'Admin') =>
    (await read(as)).attention.map(({ kind, examples }: any) => [kind, examples.map(({ name }: any) => name)]);
  expect(await attention('Admin')).toEqual([
    ['api_key', expect.arrayContaining(['soon'])],
    ['enrolment_token', ['host']],
  ]);
  expect((await attention('Admin')).flat(2)).not.toContain('later');
  expect(await attention('Viewer')).toEqual([]);
  expect(await attention('Editor')).toEqual([]);
});

test('counts the changes of the last day by hour, kind and action, and names the latest with their authors', async () => {
  const { node_id: id } = await addNode(inventory);
  await addService(inventory);
  expect((await read()).changes).toHaveLength(2);
  inventory.clock.now = after(90);
  for (let address = 1; address <= 12; address += 1)
    await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { address: `10.1.0.${address}` }, as: 'Editor' });
  inventory.clock.now = after(92);
  const { changes, latest } = await read();
  const hour = '2030-01-01T12:00:00.000Z';
  expect(changes).toEqual([
    { hour, kind: 'node', action: 'added', count: 1 },
    { hour, kind: 'service', action: 'added', count: 1 },
    { hour: '2030-01-01T13:00:00.000Z', kind: 'node', action: 'changed', count: 12 },
  ]);
  expect(latest.map(({ revision }: any) => revision)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
  expect(latest[0]).toMatchObject({ kind: 'node', id, action: 'changed', actor: { kind: 'api_key' } });
  expect(latest[0]).not.toHaveProperty('after');
  inventory.clock.now = after(25 * 60);
  expect((await read()).changes).toEqual([expect.objectContaining({ count: 12 })]);
  inventory.clock.now = after(27 * 60);
  expect((await read()).changes).toEqual([]);
});

test('a caller that accepts an older summary gets it with its age, without a new count', async () => {
  await read();
  await addNode(inventory);
  inventory.clock.now = after(9.99);
  const old = await inventory.request('GET', '/v1/summary?max_age=600', { as: 'Viewer' });
  expect(old.body).toMatchObject({ age_seconds: 599, computed_at: NOON.toISOString(), nodes: { total: 0 } });
  inventory.clock.now = after(10);
  const next = await inventory.request('GET', '/v1/summary?max_age=600', { as: 'Viewer' });
  expect(next.body).toMatchObject({ age_seconds: 0, nodes: { total: 1 } });
  for (const age of ['59', '601', 'x']) {
    const refused = await inventory.request('GET', `/v1/summary?max_age=${age}`, { as: 'Viewer' });
    expect([age, refused.status, refused.body.details[0].field]).toEqual([age, 400, 'max_age']);
  }
});

test('a summary is shared by all functions for a minute, with its age', async () => {
  await read();
  await addNode(inventory);
  inventory.clock.now = after(0.99);
  expect(await read()).toMatchObject({ age_seconds: 59, nodes: { total: 0 } });
  inventory.clock.now = after(1);
  expect(await read()).toMatchObject({ age_seconds: 0, nodes: { total: 1 } });
});
