import { checkInvariants } from '../../../../tests/consistency/invariants.ts';
import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(async () => expect(await checkInvariants(inventory.table)).toEqual([]));

const put = (body: unknown, headers = {}) =>
  inventory.request('PUT', '/v1/agents/by-key', { body, headers, as: 'Editor' });
/** Repeats a request that gets 503. */
async function putUntilDone(body: unknown) {
  let reply = await put(body);
  while (reply.status === 503) reply = await put(body);
  return reply;
}
const change = (id: string, body: unknown) => inventory.request('PATCH', `/v1/agents/${id}`, { body, as: 'Editor' });

/** An exporter with a service to watch. */
async function newExporter(): Promise<{
  agent_type: string;
  pmm_agent_id: string;
  insights: { service_ids: string[] };
}> {
  const [{ pmmAgentId }, { service_id: id }] = await Promise.all([addHost(inventory), addService(inventory)]);
  return { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights: { service_ids: [id] } };
}

test('a declaration adds, changes or keeps the agent, and the id stays', async () => {
  const exporter = await newExporter();
  const added = await put({ ...exporter, username: 'u' });
  expect(added).toMatchObject({ status: 201, body: { ...exporter, revision: 1, status: 'unknown', outcome: 'added' } });
  expect(added.headers).toMatchObject({ Location: `/v1/agents/${added.body.agent_id}`, ETag: '"1"' });
  expect(added.body).not.toHaveProperty('registered');
  const { username: _, ...rest } = added.body;
  const changed = await put(exporter);
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({ ...rest, revision: 2, updated_at: changed.body.updated_at, outcome: 'changed' });
  expect((await put(exporter)).body).toEqual({ ...changed.body, outcome: 'unchanged' });
  expect((await put(exporter, { 'If-None-Match': '*' })).status).toBe(412);
  expect((await put(exporter, { 'If-Match': '"1"' })).status).toBe(412);
  expect((await put({ ...exporter, log_level: 'info' }, { 'If-Match': '"2"' })).status).toBe(200);
});

test('type, place and targets in any order identify an agent, and no other field does', async () => {
  const exporter = await newExporter();
  const { service_id: other } = await addService(inventory);
  const [first] = exporter.insights.service_ids;
  const { body } = await put(exporter);
  const two = await put({ ...exporter, insights: { service_ids: [first, other] } });
  expect(two.status).toBe(201);
  expect((await put({ ...exporter, insights: { service_ids: [other, first] } })).body).toEqual({
    ...two.body,
    outcome: 'unchanged',
  });
  const agentId: string = body.agent_id;
  expect((await put({ ...exporter, agent_type: 'qan_mysql_slowlog_agent' })).body.agent_id).not.toBe(agentId);
  const { pmmAgentId } = await addHost(inventory);
  expect((await put({ ...exporter, pmm_agent_id: pmmAgentId })).body.agent_id).not.toBe(agentId);
  expect((await put({ ...exporter, disabled: true, listen_port: 5 })).body).toMatchObject({
    agent_id: agentId,
    status: 'done',
    outcome: 'changed',
  });
  // After it is enabled again it stays done until its process reports, as after any other change.
  expect((await put(exporter)).body).toMatchObject({ disabled: false, status: 'done', outcome: 'changed' });
});

test('an agent that monitors its own node is the same agent with and without the node as target', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const exporter = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
  const { body } = await put(exporter);
  expect(body).toMatchObject({ insights: { node_ids: [nodeId] }, outcome: 'added' });
  for (const insights of [{}, { node_ids: [] }, { node_ids: [nodeId] }])
    expect((await put({ ...exporter, insights })).body).toEqual({ ...body, outcome: 'unchanged' });
});

describe('a declared node_exporter without targets monitors its own node', () => {
  const cleared = async (nodeId: string, agentId: string) => {
    const { body } = await change(agentId, { insights: null });
    expect(body).toMatchObject({ insights: { node_ids: [nodeId], service_ids: [] }, revision: 1 });
  };
  const emptied = async (_: string, agentId: string) => {
    const { node_id: other } = await addNode(inventory);
    await change(agentId, { insights: { node_ids: [other] } });
    expect((await inventory.request('DELETE', `/v1/nodes/${other}?force=true`)).status).toBe(204);
    const { body } = await inventory.request('GET', `/v1/agents/${agentId}`);
    expect(body.insights).toEqual({ node_ids: [], service_ids: [] });
  };
  test.each([
    ['its targets are cleared', cleared, 'unchanged'],
    ['its target is removed', emptied, 'changed'],
  ])('%s, declared twice without and with its node', async (_, lose, outcome) => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const exporter = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
    const { agent_id: id } = await addAgent(inventory, exporter);
    await lose(nodeId, id);
    const insights = { node_ids: [nodeId], service_ids: [] };
    expect((await put(exporter)).body).toMatchObject({ agent_id: id, insights, outcome });
    for (const body of [{ ...exporter, insights: { node_ids: [nodeId] } }, exporter])
      expect((await put(body)).body).toMatchObject({ agent_id: id, insights, outcome: 'unchanged' });
  });

  test('keeps no target after a change that omits them', async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    await emptied(nodeId, id);
    const { body } = await change(id, { custom_labels: { a: 'b' } });
    expect(body.insights).toEqual({ node_ids: [], service_ids: [] });
    const again = await change(id, { insights: { node_ids: [] } });
    expect(again.body.insights).toEqual({ node_ids: [nodeId], service_ids: [] });
  });
});

test('a declaration finds an agent that POST added, the oldest of several, and keeps an equal one', async () => {
  const exporter = await newExporter();
  inventory.clock.now = new Date('2026-01-01T00:00:01Z');
  await addAgent(inventory, exporter);
  inventory.clock.now = new Date('2026-01-01T00:00:00Z');
  const oldest = await addAgent(inventory, exporter);
  inventory.clock.now = undefined;
  await addAgent(inventory, { ...exporter, agent_type: 'qan_mysql_slowlog_agent' });
  expect((await put(exporter)).body).toMatchObject({ agent_id: oldest.agent_id, revision: 1, outcome: 'unchanged' });
  const other = { ...exporter, log_level: 'info' };
  expect((await put(other)).body).toMatchObject({ agent_id: oldest.agent_id, revision: 2, outcome: 'changed' });
  expect((await put(other)).body).toMatchObject({ agent_id: oldest.agent_id, revision: 2, outcome: 'unchanged' });
  // POST may still add another one.
  await addAgent(inventory, exporter);
  expect((await put(other)).body.agent_id).toBe(oldest.agent_id);
  // After its removal, the next oldest one matches.
  await inventory.request('DELETE', `/v1/agents/${oldest.agent_id}`);
  const { body } = await put(exporter);
  expect(body).toMatchObject({ created_at: '2026-01-01T00:00:01.000Z', outcome: 'unchanged' });
});

test.each([
  [
    'under a pmm_agent without targets',
    async () => ({ agent_type: 'vm_agent', pmm_agent_id: (await addHost(inventory)).pmmAgentId }),
  ],
  [
    'a process on a node',
    async () => ({ agent_type: 'pmm_agent', runs_on_node_id: (await addNode(inventory)).node_id }),
  ],
  [
    'on a node, watching nothing',
    async () => ({
      agent_type: 'external_exporter',
      listen_port: 1,
      runs_on_node_id: (await addNode(inventory)).node_id,
    }),
  ],
  [
    'nowhere, watching a node',
    async () => ({
      agent_type: 'external_exporter',
      listen_port: 1,
      insights: { node_ids: [(await addNode(inventory)).node_id] },
    }),
  ],
  [
    'watching its own node untold',
    async () => ({ agent_type: 'node_exporter', pmm_agent_id: (await addHost(inventory)).pmmAgentId }),
  ],
])('a declaration finds an agent that POST added: %s', async (_, make) => {
  const body = await make();
  const { agent_id: id } = await addAgent(inventory, body);
  expect((await put(body)).body).toMatchObject({ agent_id: id, outcome: 'unchanged' });
  const other = { ...body, custom_labels: { team: 'a' } };
  expect((await put(other)).body).toMatchObject({ agent_id: id, outcome: 'changed' });
  expect((await put(other)).body).toMatchObject({ agent_id: id, outcome: 'unchanged' });
});

test('new targets change the key of an agent and free the old key', async () => {
  const exporter = await newExporter();
  const { service_id: other } = await addService(inventory);
  const moved = { ...exporter, insights: { service_ids: [other] } };
  const { body } = await put(exporter);
  expect((await change(body.agent_id, { insights: { service_ids: [other] } })).status).toBe(200);
  expect((await put(moved)).body).toMatchObject({ agent_id: body.agent_id, outcome: 'unchanged' });
  const second = await put(exporter);
  expect(second).toMatchObject({ status: 201 });
  // Back to a key that another agent holds now: the change is accepted, and the key still finds the other agent.
  expect((await change(body.agent_id, { insights: exporter.insights })).status).toBe(200);
  expect((await put(exporter)).body.agent_id).toBe(second.body.agent_id);
  expect((await put(moved)).status).toBe(201);
});

test('a forced removal that removes a target is not refused because of keys', async () => {
  const exporter = await newExporter();
  const [kept] = exporter.insights.service_ids;
  const { service_id: gone } = await addService(inventory);
  const { body: first } = await put(exporter);
  const { body: two } = await put({ ...exporter, insights: { service_ids: [kept, gone] } });
  expect((await inventory.request('DELETE', `/v1/services/${gone}?force=true`)).status).toBe(204);
  const { body: left } = await inventory.request('GET', `/v1/agents/${two.agent_id}`);
  expect(left).toMatchObject({ insights: { service_ids: [kept] }, revision: 2 });
  expect((await put(exporter)).body).toMatchObject({ agent_id: first.agent_id, outcome: 'unchanged' });
  expect((await inventory.request('DELETE', `/v1/services/${kept}?force=true`)).status).toBe(204);
  expect((await put(exporter)).status).toBe(404);
});

test('the references of a declared agent must exist, and it needs a place or targets', async () => {
  const exporter = await newExporter();
  expect((await put({ ...exporter, pmm_agent_id: 'nope' })).status).toBe(404);
  expect((await put({ ...exporter, insights: { service_ids: ['nope'] } })).status).toBe(404);
  expect(await put({ agent_type: 'external_exporter', listen_port: 1 })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'insights', reason: 'required' }] },
  });
  const { service_id: wrong } = await addService(inventory, { service_type: 'valkey' });
  expect(await put({ ...exporter, insights: { service_ids: [wrong] } })).toMatchObject({
    status: 400,
    body: { code: 9 },
  });
});

test('an agent with 20 targets of each kind is added, found and removed', async () => {
  const some = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, make));
  const node_ids = (await some(() => addNode(inventory))).map((node) => node.node_id);
  const service_ids = (await some(() => addService(inventory))).map((service) => service.service_id);
  const body = { agent_type: 'external_exporter', listen_port: 1, insights: { node_ids, service_ids } };
  const { body: added } = await put(body);
  expect(added.outcome).toBe('added');
  const turned = { node_ids: node_ids.toReversed(), service_ids: service_ids.toReversed() };
  expect((await put({ ...body, insights: turned })).body).toEqual({ ...added, outcome: 'unchanged' });
  expect((await inventory.request('DELETE', `/v1/agents/${added.agent_id}`)).status).toBe(204);
});

test('40 concurrent declarations result in one agent, also when it existed before', async () => {
  for (const isThere of [false, true]) {
    const exporter = await newExporter();
    if (isThere) await addAgent(inventory, exporter);
    const replies = await Promise.all(Array.from({ length: 40 }, () => putUntilDone(exporter)));
    expect(replies.filter(({ body }) => body.outcome !== 'unchanged')).toHaveLength(isThere ? 0 : 1);
    expect(new Set(replies.map(({ body }) => body.agent_id)).size).toBe(1);
    const { body } = await inventory.request('GET', `/v1/agents?service_id=${exporter.insights.service_ids[0]}`);
    expect(body.agents).toHaveLength(1);
  }
});
