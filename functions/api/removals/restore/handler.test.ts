import { scan } from '../../../../tests/consistency/invariants.ts';
import { addAgent, addHost, addNode, addService, unseen } from '../../../../tests/support/add.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useCheckedInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useCheckedInventory();

const removed = async () => (await inventory.request('GET', '/v1/removed', { as: 'Viewer' })).body.removals;
const restore = (id: string) => inventory.request('POST', `/v1/removed/${id}/restore`, { as: 'Editor' });
const remove = (path: string) => inventory.request('DELETE', `${path}?force=true`, { as: 'Editor' });
const get = async (path: string) => (await inventory.request('GET', path)).body;

async function removedHost() {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const service = await addService(inventory, { node_ids: [nodeId], cluster: 'one' });
  const insights = { service_ids: [service.service_id] };
  const agent = await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights });
  const node = await get(`/v1/nodes/${nodeId}`);
  const paths = [`/v1/nodes/${nodeId}`, `/v1/services/${service.service_id}`, `/v1/agents/${agent.agent_id}`];
  expect((await remove(`/v1/nodes/${nodeId}`)).status).toBe(204);
  const [removal] = await removed();
  return { node, service, agent, paths, pmmAgentId, removal };
}

test('a removal is listed with all its objects, and restored as a whole with its ids, at the next revision', async () => {
  const { node, service, agent, removal, paths, pmmAgentId } = await removedHost();
  expect(removal).toMatchObject({ actor: { kind: 'api_key', name: 'test Editor' }, request_id: expect.any(String) });
  expect(Date.parse(removal.restorable_until) - Date.parse(removal.removed_at)).toBe(7 * 86_400_000);
  expect(new Set(removal.objects.map(({ kind, id, name }: any) => `${kind} ${id} ${name}`))).toEqual(
    new Set([
      `node ${node.node_id} ${node.node_name}`,
      `service ${service.service_id} ${service.service_name}`,
      `agent ${pmmAgentId} pmm_agent`,
      `agent ${agent.agent_id} mysqld_exporter`,
    ]),
  );
  const reply = await restore(removal.removal_id);
  expect(reply).toMatchObject({ status: 200, body: { not_restored: [] } });
  expect(reply.body.restored).toHaveLength(4);
  for (const [index, object] of [node, unseen(service), unseen(agent)].entries()) {
    const back = await get(paths[index]!);
    expect(back).toEqual({ ...object, revision: 2, updated_at: back.updated_at });
    expect(back.updated_at > object.updated_at).toBe(true);
  }
  expect((await get('/v1/services?cluster=one')).services).toHaveLength(1);
  // It is restored already.
  expect((await removed()).map(({ removal_id: id }: any) => id)).not.toContain(removal.removal_id);
  expect((await restore(removal.removal_id)).status).toBe(404);
  await remove(paths[0]!);
});

test('a restoration is later than its removal, also when the clock is behind', async () => {
  const { removal, paths } = await removedHost();
  inventory.clock.now = testTime(-5000);
  expect((await restore(removal.removal_id)).status).toBe(200);
  const { changes } = (await inventory.request('GET', `${paths[0]}/history`)).body;
  expect(changes.map(({ action }: any) => action)).toEqual(['added', 'removed', 'added']);
  inventory.clock.now = undefined;
  await remove(paths[0]!);
});

test('no object is restored while a name is taken, and the removal stays', async () => {
  const { node, removal, paths } = await removedHost();
  const { node_id: other } = await addNode(inventory, { node_name: node.node_name });
  const before = await scan(inventory.table);
  expect(await restore(removal.removal_id)).toMatchObject({
    status: 409,
    body: { message: `Node with name "${node.node_name}" already exists.` },
  });
  expect(await scan(inventory.table)).toEqual(before);
  await remove(`/v1/nodes/${other}`);
  expect((await restore(removal.removal_id)).status).toBe(200);
  await remove(paths[0]!);
});

test('an object that refers to a removed object is not restored', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  await inventory.request('DELETE', `/v1/agents/${id}`);
  const [removal] = await removed();
  await remove(`/v1/nodes/${nodeId}`);
  expect(await restore(removal.removal_id)).toMatchObject({ status: 400, body: { code: 9 } });
});

test('an object that exists again under its id is not restored twice', async () => {
  const node = await addNode(inventory);
  await remove(`/v1/nodes/${node.node_id}`);
  const [removal] = await removed();
  const line = JSON.stringify({ kind: 'node', object: { ...node, node_name: `${node.node_name} anew` } });
  const headers = { 'Content-Type': 'application/x-ndjson' };
  expect((await inventory.request('POST', '/v1/import', { body: line, headers, as: 'Admin' })).status).toBe(200);
  expect((await restore(removal.removal_id)).status).toBe(409);
});

test('of five simultaneous restorations one succeeds, and the others report that it is restored', async () => {
  const { removal, paths } = await removedHost();
  const replies = await Promise.all(Array.from({ length: 5 }, () => restore(removal.removal_id)));
  const [first, ...others] = replies.sort((left, right) => left.status - right.status);
  expect(first!.status).toBe(200);
  for (const other of others)
    expect(other).toMatchObject({ status: 404, body: { message: expect.stringContaining('it was already restored') } });
  await remove(paths[0]!);
});

test('a removal larger than one transaction is restored object by object; failed objects can be restored again', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const services: { service_id: string; service_name: string }[] = [];
  for (let index = 0; index < 30; index += 1) services.push(await addService(inventory, { node_ids: [nodeId] }));
  expect((await remove(`/v1/nodes/${nodeId}`)).status).toBe(204);
  const [removal] = await removed();
  const { service_name: taken } = services[0]!;
  const { service_id: other } = await addService(inventory, { service_name: taken });
  const first = await restore(removal.removal_id);
  expect(first.body.restored).toHaveLength(31);
  expect(first.body.not_restored).toEqual([
    {
      kind: 'service',
      id: services[0]!.service_id,
      name: taken,
      change_id: expect.any(String),
      status: 'ALREADY_EXISTS',
      message: `Service with name "${taken}" already exists.`,
    },
  ]);
  await remove(`/v1/services/${other}`);
  // An object that was restored and removed again belongs to the later removal: no object is restored to an older state
  // than its last.
  expect((await remove(`/v1/nodes/${nodeId}`)).status).toBe(204);
  expect(await restore(removal.removal_id)).toMatchObject({
    status: 400,
    body: { message: `Node with ID "${nodeId}" not found.` },
  });
  const [later] = await removed();
  expect((await restore(later.removal_id)).body).toMatchObject({ not_restored: [] });
  expect((await restore(removal.removal_id)).body).toMatchObject({
    restored: [{ id: services[0]!.service_id }],
    not_restored: [],
  });
  expect((await get(`/v1/services?node_id=${nodeId}`)).services).toHaveLength(30);
  expect((await get(`/v1/agents/${pmmAgentId}`)).revision).toBe(3);
  expect((await restore(removal.removal_id)).status).toBe(404);
  await remove(`/v1/nodes/${nodeId}`);
});

test('of two simultaneous restorations of several transactions one succeeds, and the other is refused', async () => {
  const { nodeId } = await addHost(inventory);
  for (let index = 0; index < 30; index += 1) await addService(inventory, { node_ids: [nodeId] });
  expect((await remove(`/v1/nodes/${nodeId}`)).status).toBe(204);
  const [removal] = await removed();
  expect(removal.objects).toHaveLength(32);
  const replies = await Promise.all([restore(removal.removal_id), restore(removal.removal_id)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(replies.find(({ status }) => status === 200)!.body).toMatchObject({
    restored: { length: 32 },
    not_restored: [],
  });
  await remove(`/v1/nodes/${nodeId}`);
});

test('a removal cannot be restored after 7 days', async () => {
  const { removal, paths } = await removedHost();
  const until = Date.parse(removal.restorable_until);
  inventory.clock.now = new Date(until + 1);
  expect((await restore(removal.removal_id)).status).toBe(404);
  expect((await removed()).map(({ removal_id: id }: any) => id)).not.toContain(removal.removal_id);
  inventory.clock.now = new Date(until);
  expect((await restore(removal.removal_id)).status).toBe(200);
  inventory.clock.now = undefined;
  await remove(paths[0]!);
});

test('pages contain each removal once, newest first', async () => {
  for (let index = 0; index < 3; index += 1) await remove(`/v1/nodes/${(await addNode(inventory)).node_id}`);
  const all = (await removed()).map(({ removal_id: id }: any) => id);
  expect(all).toEqual([...all].sort().reverse());
  const removalIds: string[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const { body } = await inventory.request('GET', `/v1/removed?page_size=2${token && `&page_token=${token}`}`);
    removalIds.push(...body.removals.map(({ removal_id: id }: any) => id));
    token = body.next_page_token;
  }
  expect(removalIds).toEqual(all);
});
