import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { TEST_TIME, testTime } from '../../../../tests/support/test-time.ts';
import { useCheckedInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useCheckedInventory();

const report = (id: string, agents: object[] = [], more: object = {}) =>
  inventory.request('POST', `/v1/agents/${id}/report`, { as: 'Editor', body: { agents, ...more } });
const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;

async function host() {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const add = () => addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const [{ agent_id: agentId }, { agent_id: otherAgentId }] = [await add(), await add()];
  return { nodeId, pmmAgentId, agentId: String(agentId), otherAgentId: String(otherAgentId) };
}

test('reads show the statuses that a process reported, and the process is connected', async () => {
  const { nodeId, pmmAgentId, agentId, otherAgentId } = await host();
  const reply = await report(pmmAgentId, [
    { agent_id: agentId, status: 'running', listen_port: 42000, version: '1.9.1' },
    { agent_id: otherAgentId, status: 'starting' },
  ]);
  expect(reply).toMatchObject({ status: 200, body: { taken: 2, refused: [] } });
  expect(Date.parse(reply.body.stale_at) - Date.parse(reply.body.reported_at)).toBe(600_000);
  const agent = { status: 'running', listen_port: 42000, version: '1.9.1', state: 'live', revision: 1 };
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject(agent);
  expect(await get(`/v1/agents/${otherAgentId}`)).toMatchObject({ status: 'starting', state: 'live' });
  expect(await get(`/v1/agents/${pmmAgentId}`)).toMatchObject({ connected: true, state: 'live', revision: 1 });
  const { reported_at: last } = reply.body;
  expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ state: 'live', reported_at: last, revision: 1 });
  expect(await get(`/v1/agents/${agentId}`)).toHaveProperty('reported_at', last);
  const { agents } = await get(`/v1/agents?pmm_agent_id=${pmmAgentId}&include=state`);
  expect(agents.find(({ agent_id: id }: { agent_id: string }) => id === agentId)).toMatchObject(agent);
});

test('only a report with news is logged', async () => {
  const { pmmAgentId, agentId } = await host();
  const logged = async () => {
    const { length } = inventory.logged;
    await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
    return inventory.logged.length - length;
  };
  expect([await logged(), await logged()]).toEqual([1, 0]);
});

test.each(['state', 'reported_at', 'connected', 'status', 'status_reason', 'listen_port', 'version'])(
  '%s is the reported value, also when it is the only requested field',
  async (field) => {
    const { pmmAgentId, agentId } = await host();
    const more = { listen_port: 42000, version: '1.9.1', status_reason: 'As it should.' };
    await report(pmmAgentId, [{ agent_id: agentId, status: 'running', ...more }]);
    const id = field === 'connected' ? pmmAgentId : agentId;
    const list = field === 'connected' ? '?agent_type=pmm_agent' : `?pmm_agent_id=${pmmAgentId}`;
    const { agents } = await get(`/v1/agents${list}&page_size=1000&fields=${field}`);
    const listed = agents.find((agent: any) => agent.agent_id === id);
    expect(listed).toEqual({ agent_id: id, [field]: (await get(`/v1/agents/${id}`))[field] });
    expect(listed[field]).toBeDefined();
  },
);

test('a reason is shown only with its own status', async () => {
  const { pmmAgentId, agentId } = await host();
  const reason = 'Needs a password file: /etc/x/{{ name }}.cnf';
  await report(pmmAgentId, [{ agent_id: agentId, status: 'waiting', status_reason: reason }]);
  const shown = { status: 'waiting', status_reason: reason, revision: 1 };
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject(shown);
  const list = async (query: string) => (await get(`/v1/agents?pmm_agent_id=${pmmAgentId}${query}`)).agents;
  expect(await list('&status=waiting')).toMatchObject([shown]);
  for (const agent of await list('')) expect(agent).not.toHaveProperty('status_reason');
  inventory.clock.now = testTime(3_600_000);
  const offline = await get(`/v1/agents/${agentId}`);
  expect(offline).toMatchObject({ state: 'offline', status: 'unknown' });
  expect(offline).not.toHaveProperty('status_reason');
  inventory.clock.now = undefined;
  await inventory.request('PATCH', `/v1/agents/${agentId}`, { as: 'Editor', body: { disabled: true } });
  const disabled = await get(`/v1/agents/${agentId}`);
  expect(disabled).toMatchObject({ status: 'done' });
  expect(disabled).not.toHaveProperty('status_reason');
});

test.each([
  ['characters beyond 256', 'x'.repeat(257)],
  ['a line break', 'a\nb'],
  ['no text', ''],
  ['a URL with a password', 'mysql://root:secret@db-1/'],
])('a reason with %s is refused', async (_, status_reason) => {
  const { pmmAgentId, agentId } = await host();
  const reply = await report(pmmAgentId, [{ agent_id: agentId, status: 'waiting', status_reason }]);
  expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'agents.0.status_reason' }] } });
});

test('a lost connection makes the node stale and disconnects its process until the next report', async () => {
  const { nodeId, pmmAgentId, agentId } = await host();
  await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
  const { body } = await report(pmmAgentId, [], { connected: false });
  expect(body.stale_at).toBe(body.reported_at);
  expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ state: 'stale' });
  expect(await get(`/v1/agents/${pmmAgentId}`)).toMatchObject({ state: 'stale', connected: false });
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ state: 'stale', status: 'running' });
  await report(pmmAgentId);
  expect(await get(`/v1/agents/${pmmAgentId}`)).toMatchObject({ state: 'live', connected: true });
});

test('a restarted process can report a start after running', async () => {
  const { pmmAgentId, agentId } = await host();
  await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
  const start = [{ agent_id: agentId, status: 'starting' }];
  expect((await report(pmmAgentId, start)).body.refused).toMatchObject([{ reason: 'impossible_transition' }]);
  expect((await report(pmmAgentId, start, { reset: true })).body).toMatchObject({ taken: 1, refused: [] });
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ status: 'starting' });
});

test('an impossible status is refused and names the possible ones; other entries are stored', async () => {
  const { pmmAgentId, agentId, otherAgentId } = await host();
  await report(pmmAgentId, [
    { agent_id: agentId, status: 'running' },
    { agent_id: otherAgentId, status: 'starting' },
  ]);
  const { agent_id: foreign } = await addAgent(inventory, {
    agent_type: 'node_exporter',
    pmm_agent_id: (await addHost(inventory)).pmmAgentId,
  });
  const { body } = await report(pmmAgentId, [
    { agent_id: agentId, status: 'done' },
    { agent_id: otherAgentId, status: 'running' },
    { agent_id: foreign, status: 'running' },
    { agent_id: 'nope', status: 'running' },
  ]);
  expect(body).toMatchObject({
    taken: 1,
    refused: [
      {
        agent_id: agentId,
        reason: 'impossible_transition',
        message: 'Cannot be done after running. Allowed: waiting, stopping.',
      },
      { agent_id: foreign, reason: 'not_found' },
      { agent_id: 'nope', reason: 'not_found' },
    ],
  });
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ status: 'running' });
  expect(await get(`/v1/agents/${otherAgentId}`)).toMatchObject({ status: 'running' });
  expect(await get(`/v1/agents/${foreign}`)).toMatchObject({ status: 'unknown', state: 'never_seen' });
  // Also when the report contains refused entries only, and when it equals the last one.
  const again = [{ agent_id: otherAgentId, status: 'unknown' }];
  expect((await report(pmmAgentId, again)).body).toMatchObject({ taken: 0, refused: [{ agent_id: otherAgentId }] });
  const same = [
    { agent_id: agentId, status: 'running' },
    { agent_id: otherAgentId, status: 'running' },
    { agent_id: foreign, status: 'done' },
  ];
  expect((await report(pmmAgentId, same)).body).toMatchObject({ taken: 2, refused: [{ agent_id: foreign }] });
});

test('an agent that the report omits keeps its last status; a removed agent has none', async () => {
  const { pmmAgentId, agentId, otherAgentId } = await host();
  await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
  expect((await report(pmmAgentId, [{ agent_id: otherAgentId, status: 'waiting' }])).body).toMatchObject({ taken: 1 });
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ status: 'running' });
  await inventory.request('DELETE', `/v1/agents/${agentId}`);
  expect((await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }])).body).toMatchObject({
    refused: [{ agent_id: agentId, reason: 'not_found' }],
  });
});

test('a disabled agent stays done, whatever the process reports', async () => {
  const { pmmAgentId, agentId } = await host();
  await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
  const change = (disabled: boolean) =>
    inventory.request('PATCH', `/v1/agents/${agentId}`, { as: 'Editor', body: { disabled } });
  expect((await change(true)).body).toMatchObject({ status: 'done' });
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ status: 'done', state: 'live' });
});

test('reports about a disabled agent are accepted, and it is done until its process reports again', async () => {
  const { pmmAgentId, agentId, otherAgentId } = await host();
  const change = (disabled: boolean) =>
    inventory.request('PATCH', `/v1/agents/${agentId}`, { as: 'Editor', body: { disabled } });
  await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
  await change(true);
  // An agent process that learns that an agent is disabled stops it, and reports so.
  for (const status of ['done', 'running', 'waiting', 'stopping', 'done', 'starting', 'done']) {
    const reply = await report(pmmAgentId, [{ agent_id: agentId, status, version: status }]);
    expect([status, reply.body]).toMatchObject([status, { taken: 1, refused: [] }]);
    expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ status: 'done', version: status });
  }
  await change(false);
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ status: 'done' });
  const sayBoth = (status: string) =>
    report(pmmAgentId, [
      { agent_id: agentId, status },
      { agent_id: otherAgentId, status: 'running' },
    ]);
  expect((await sayBoth('waiting')).body).toMatchObject({ taken: 1, refused: [{ agent_id: agentId }] });
  expect((await sayBoth('starting')).body).toMatchObject({ taken: 2, refused: [] });
  expect((await sayBoth('running')).body).toMatchObject({ taken: 2, refused: [] });
  // Disabled and enabled again between two reports.
  await change(true);
  await change(false);
  expect((await sayBoth('starting')).body).toMatchObject({ taken: 2, refused: [] });
});

test('a reply to a write omits reported states, but includes what the process reported about an agent', async () => {
  const { nodeId, pmmAgentId, agentId } = await host();
  const service = await addService(inventory, { node_ids: [nodeId] });
  await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
  const node = await get(`/v1/nodes/${nodeId}`);
  const write = async (method: string, path: string, body: object) =>
    (await inventory.request(method, `/v1/${path}`, { as: 'Editor', body })).body;
  const labels = (value: string) => ({ custom_labels: { value } });
  const declared = { node_type: 'generic', address: node.address };
  const named = { service_type: 'mysql', address: 'a', port: 1, node_ids: [nodeId] };
  const process = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  const exporter = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
  const operations = [
    { op: 'changeNode', id: nodeId, body: labels('batch') },
    { op: 'upsertService', body: { ...named, service_name: service.service_name } },
    { op: 'upsertAgent', body: process },
    { op: 'addAgent', body: { ...exporter, disabled: true } },
  ];
  const { results } = await write('POST', 'batch', { operations });
  const replies = [
    ...results.map(({ body }: any) => body),
    await write('PATCH', `nodes/${nodeId}`, labels('change')),
    await write('PUT', `nodes/by-name/${node.node_name}`, declared),
    await write('PATCH', `services/${service.service_id}`, labels('change')),
    await write('PUT', `services/by-name/${service.service_name}`, named),
    await write('POST', 'agents', exporter),
    await write('PATCH', `agents/${agentId}`, labels('change')),
    await write('PATCH', `agents/${pmmAgentId}`, labels('change')),
    await write('PUT', 'agents/by-key', process),
  ];
  expect(replies.map(({ revision }) => revision)).toEqual(replies.map(() => expect.any(Number)));
  for (const reply of replies) for (const field of ['state', 'reported_at']) expect(reply).not.toHaveProperty(field);
  expect(replies[9]).toMatchObject({ status: 'running' });
  expect(replies[10]).toMatchObject({ connected: true });
});

test('a service has the best state of its nodes; without nodes it was never seen', async () => {
  const [here, there] = [await host(), await host()];
  const { service_id: cluster } = await addService(inventory, { node_ids: [here.nodeId, there.nodeId] });
  const { service_id: cloud } = await addService(inventory, { node_ids: [] });
  expect(await get(`/v1/services/${cluster}`)).toMatchObject({ state: 'never_seen' });
  await report(there.pmmAgentId);
  expect(await get(`/v1/services/${cluster}`)).toMatchObject({ state: 'live' });
  expect(await get(`/v1/services/${cloud}`)).toMatchObject({ state: 'never_seen' });
});

test('a node is stale after stale_after and offline after offline_after; its agents are then unknown, and may report any status', async () => {
  const { node_id: nodeId } = await addNode(inventory, { stale_after: '1m', offline_after: '2m' });
  const { agent_id: pmmAgentId } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const { agent_id: agentId } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const start = TEST_TIME;
  const at = (seconds: number) => (inventory.clock.now = new Date(start + seconds * 1000));
  at(0);
  await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }]);
  for (const [seconds, state, status, connected] of [
    [59.999, 'live', 'running', true],
    [60, 'stale', 'running', false],
    [119.999, 'stale', 'running', false],
    [120, 'offline', 'unknown', false],
  ] as const) {
    at(seconds);
    expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ state, reported_at: new Date(start).toISOString() });
    expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ state, status });
    expect(await get(`/v1/agents/${pmmAgentId}`)).toMatchObject({ state, connected });
  }
  // The new timers apply from the change on.
  await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: { offline_after: '3m' } });
  expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ state: 'stale' });
  at(200);
  expect((await report(pmmAgentId, [{ agent_id: agentId, status: 'starting' }])).body).toMatchObject({ taken: 1 });
  expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ state: 'live', status: 'starting' });
});

test('a report of a missing agent process is a 404 and writes nothing; a report of another agent is a 400', async () => {
  const { nodeId, pmmAgentId, agentId } = await host();
  expect(await report('nope')).toMatchObject({ status: 404, body: { message: 'Agent with ID "nope" not found.' } });
  expect(await report(agentId)).toMatchObject({ status: 400, body: { code: 9 } });
  await inventory.request('DELETE', `/v1/agents/${pmmAgentId}?force=true`);
  expect((await report(pmmAgentId)).status).toBe(404);
  await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`);
  expect((await report(pmmAgentId)).status).toBe(404);
});

test('a report that names an agent twice is refused', async () => {
  const { pmmAgentId, agentId } = await host();
  const entry = { agent_id: agentId, status: 'running' };
  expect(await report(pmmAgentId, [entry, entry])).toMatchObject({
    status: 400,
    body: { details: [{ field: 'agents.1.agent_id', reason: 'duplicate' }] },
  });
});

test('two agent processes of a node keep their own reports, and the node has the better state', async () => {
  const { nodeId, pmmAgentId } = await host();
  const { agent_id: second } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  await report(pmmAgentId);
  expect(await get(`/v1/agents/${second}`)).toMatchObject({ state: 'never_seen', connected: false });
  expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ state: 'live' });
  await report(second);
  await inventory.request('DELETE', `/v1/agents/${pmmAgentId}?force=true`);
  expect(await get(`/v1/agents/${second}`)).toMatchObject({ state: 'live' });
});

test('concurrent reports, adds and removals of processes lose nothing', async () => {
  const { nodeId, pmmAgentId, agentId } = await host();
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      if (index % 4 !== 0) return (await report(pmmAgentId, [{ agent_id: agentId, status: 'running' }])).status;
      const { agent_id: id } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
      return (await report(id)).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await get(`/v1/agents?runs_on_node_id=${nodeId}&agent_type=pmm_agent&state=live`)).agents).toHaveLength(6);
});
