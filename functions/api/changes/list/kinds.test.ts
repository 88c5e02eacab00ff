import { addAgent, addHost, addNode } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { publishStatesOnSchedule } from '../../../triggers/state-events/handler.ts';
import { testTime } from '../../../../tests/support/test-time.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(() => inventory.stop());

const HOUR = 3_600_000;

const ask = (query: string) => inventory.request('GET', `/v1/changes?${query}`, { as: 'Viewer' });

/** All changes since a cursor, page by page, and the cursor at the end. */
async function follow(query: string, since?: string): Promise<{ changes: any[]; next: string }> {
  const changes: any[] = [];
  let next = since;
  for (;;) {
    const { status, body } = await ask(`${query}${next === undefined ? '' : `&since=${next}`}`);
    expect(status).toBe(200);
    changes.push(...body.changes);
    next = body.next as string;
    if (!body.more) return { changes, next };
  }
}

const brief = ({ kind, action, id }: any) => [kind, action, id];

/** A host that has reported, and an exporter on it. */
async function reportedHost() {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { agent_id: agentId } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  return { nodeId, pmmAgentId, agentId };
}

/** The passes of the schedule, at a time so much later. */
async function passAfter(milliseconds: number) {
  inventory.clock.now = testTime(milliseconds);
  await publishStatesOnSchedule(inventory.dependencies)();
}

test('without kinds the feed contains no changes of states', async () => {
  const { nodeId, pmmAgentId, agentId } = await reportedHost();
  await passAfter(HOUR);
  expect((await follow('')).changes.map(brief)).toEqual([
    ['node', 'added', nodeId],
    ['agent', 'added', pmmAgentId],
    ['agent', 'added', agentId],
  ]);
  expect((await inventory.request('GET', `/v1/nodes/${nodeId}/history`)).body.changes).toHaveLength(1);
  expect((await inventory.request('GET', '/v1/audit?page_size=100')).text).not.toContain('offline');
});

test('kinds selects state changes, changes of some kinds of objects, or both', async () => {
  const { nodeId, pmmAgentId, agentId } = await reportedHost();
  await passAfter(HOUR);
  const kinds = async (list: string) => (await follow(`kinds=${list}`)).changes.map(brief);
  expect(await kinds('state')).toEqual([['state', 'changed', nodeId]]);
  expect(await kinds('node')).toEqual([['node', 'added', nodeId]]);
  expect(await kinds('node, state')).toEqual([
    ['node', 'added', nodeId],
    ['state', 'changed', nodeId],
  ]);
  expect(await kinds('agent')).toEqual([
    ['agent', 'added', pmmAgentId],
    ['agent', 'added', agentId],
  ]);
  expect(await kinds('service')).toEqual([]);
  expect(await ask('kinds=states')).toMatchObject({ status: 400, body: { details: [{ field: 'kinds' }] } });
});

test('a state change contains the node, both states, the last report and the service', async () => {
  const { nodeId } = await reportedHost();
  const {
    node_name: name,
    revision,
    reported_at: reportedAt,
  } = (await inventory.request('GET', `/v1/nodes/${nodeId}`)).body;
  await passAfter(HOUR);
  expect((await ask('kinds=state')).body.changes).toEqual([
    {
      change_id: expect.any(String),
      time: expect.any(String),
      actor: { kind: 'system', id: 'state-events', name: 'state events' },
      request_id: expect.any(String),
      kind: 'state',
      id: nodeId,
      action: 'changed',
      revision,
      before: { state: 'live' },
      after: { state: 'offline', node_name: name, reported_at: reportedAt },
    },
  ]);
});

test('pages of any size contain each change once, for any kinds', async () => {
  const hosts = await Promise.all(Array.from({ length: 7 }, reportedHost));
  await passAfter(HOUR);
  const nodes = await Promise.all(Array.from({ length: 4 }, () => addNode(inventory)));
  const ids = hosts.map(({ nodeId }) => nodeId).sort();
  for (const limit of [1, 2, 3, 1000]) {
    const states = await follow(`kinds=state&limit=${limit}`);
    expect(states.changes.map(({ id }) => id).sort()).toEqual(ids);
    expect((await follow(`kinds=state&limit=${limit}`, states.next)).changes).toEqual([]);
    const both = await follow(`kinds=node,state&limit=${limit}`);
    expect(both.changes.map(({ change_id: id }) => id)).toHaveLength(
      new Set(both.changes.map((change) => change.change_id)).size,
    );
    expect(
      both.changes
        .filter(({ kind }) => kind === 'node')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids, ...nodes.map((node) => node.node_id)].sort());
    expect(
      both.changes
        .filter(({ kind }) => kind === 'state')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    const times = both.changes.map(({ time }) => time);
    expect(times).toEqual([...times].sort());
  }
});

test('a cursor may continue with other kinds', async () => {
  const { nodeId, pmmAgentId } = await reportedHost();
  await passAfter(HOUR);
  const { next } = await follow('kinds=node');
  await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  await passAfter(HOUR + 60_000);
  const { changes, next: end } = await follow('kinds=node,state', next);
  expect(changes.at(-1)).toMatchObject({ kind: 'state', id: nodeId, after: { state: 'live' } });
  const { node_id: other } = await addNode(inventory);
  expect((await follow('', end)).changes.map(brief)).toEqual([['node', 'added', other]]);
});

test('wait returns a change of the requested kinds and skips others', async () => {
  const { nodeId } = await reportedHost();
  inventory.clock.now = testTime(HOUR);
  const { next } = await follow('kinds=service,state');
  const waiting = ask(`kinds=service,state&wait=20&since=${next}`);
  const { passing } = inventory;
  await passing.untilWaiting(500);
  await addNode(inventory);
  passing.advance(500);
  await passing.untilWaiting(500);
  await publishStatesOnSchedule(inventory.dependencies)();
  passing.advance(500);
  expect((await waiting).body.changes).toMatchObject([{ kind: 'state', id: nodeId }]);
});
