import { addAgent, addNode, unseen } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const put = (name: string, body: unknown, headers = {}) =>
  inventory.request('PUT', `/v1/services/by-name/${encodeURIComponent(name)}`, { body, headers, as: 'Editor' });
const mysql = (more: Record<string, unknown> = {}) => ({ service_type: 'mysql', address: 'db', port: 3306, ...more });

test('a declaration adds, changes or keeps the service, and the id stays', async () => {
  const added = await put('a/b %', mysql({ cluster: 'c' }));
  expect(added).toMatchObject({ status: 201, body: { service_name: 'a/b %', revision: 1, outcome: 'added' } });
  const { outcome: _, ...service } = added.body;
  expect(added.headers['Location']).toBe(`/v1/services/${service.service_id}`);
  const changed = await put('a/b %', mysql());
  const { cluster: __, ...rest } = service;
  expect(changed).toMatchObject({ status: 200 });
  expect(changed.body).toEqual({ ...rest, revision: 2, updated_at: changed.body.updated_at, outcome: 'changed' });
  expect((await put('a/b %', mysql())).body).toEqual({ ...changed.body, outcome: 'unchanged' });
  expect((await inventory.request('GET', '/v1/services?cluster=c')).body.services).toEqual([]);
});

test('an absent field gets its default again', async () => {
  const postgresql = { service_type: 'postgresql', address: 'p', port: 5432 };
  await put('defaults', { ...postgresql, database_name: 'shop', auto_discovery_limit: -1 });
  expect((await put('defaults', postgresql)).body).toMatchObject({
    database_name: 'postgres',
    auto_discovery_limit: 0,
    outcome: 'changed',
  });
});

test('a declaration moves a service to the declared nodes in any order, and its agents stay', async () => {
  const [a, b, c] = await Promise.all([1, 2, 3].map(async (): Promise<string> => (await addNode(inventory)).node_id));
  const { body: service } = await put('moved', mysql({ node_ids: [a, b] }));
  const agent = await addAgent(inventory, {
    agent_type: 'external_exporter',
    listen_port: 1,
    insights: { service_ids: [service.service_id] },
  });
  expect((await put('moved', mysql({ node_ids: [b, a] }))).body).toMatchObject({
    node_ids: [a, b],
    outcome: 'unchanged',
  });
  expect((await put('moved', mysql({ node_ids: [c, b] }))).body).toMatchObject({
    service_id: service.service_id,
    node_ids: [c, b],
    outcome: 'changed',
  });
  expect((await inventory.request('GET', `/v1/agents/${agent.agent_id}`)).body).toEqual(unseen(agent));
  expect((await put('moved', mysql())).body).toMatchObject({ node_ids: [], outcome: 'changed' });
});

test('a missing node, another type, another name and an invalid endpoint are refused, and nothing changes', async () => {
  expect(await put('new', mysql({ node_ids: ['nope'] }))).toMatchObject({ status: 404, body: { code: 5 } });
  const { body: before } = await put('new', mysql());
  expect((await put('new', mysql({ node_ids: ['nope'] }))).status).toBe(404);
  expect(await put('new', { service_type: 'haproxy' })).toMatchObject({
    status: 409,
    body: { message: 'Service with name "new" already exists, with type "mysql". The type cannot be changed.' },
  });
  expect(await put('new', mysql({ service_name: 'old' }))).toMatchObject({
    status: 400,
    body: { details: [{ field: 'service_name', reason: 'mismatch' }] },
  });
  expect((await put('new', { service_type: 'mysql', address: 'a' })).body.details).toMatchObject([{ field: 'port' }]);
  expect((await put('new', mysql({ socket: '/s' }), { 'If-None-Match': '*' })).status).toBe(400);
  expect((await put('new', mysql({ environment: 'x' }), { 'If-None-Match': '*' })).status).toBe(412);
  expect((await inventory.request('GET', `/v1/services/${before.service_id}`)).body.revision).toBe(1);
});

test('100 simultaneous declarations on one node result in one service', async () => {
  const { node_id: id } = await addNode(inventory);
  const replies = await Promise.all(Array.from({ length: 100 }, () => put('crowd', mysql({ node_ids: [id] }))));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(replies.map(({ body }) => body.service_id)).size).toBe(1);
  expect((await inventory.request('GET', `/v1/services?node_id=${id}`)).body.services).toHaveLength(1);
});

test('If-Match requires that revision', async () => {
  await put('matched', mysql());
  expect((await put('matched', mysql({ cluster: 'c' }), { 'If-Match': '"7"' })).status).toBe(412);
  expect(await put('matched', mysql({ cluster: 'c' }), { 'If-Match': '"1"' })).toMatchObject({
    ...{ status: 200, body: { revision: 2 } },
  });
});
