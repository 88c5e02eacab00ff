import { addHost, addService, unseen } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const put = (name: string, body: unknown, headers = {}) =>
  inventory.request('PUT', `/v1/nodes/by-name/${encodeURIComponent(name)}`, { body, headers, as: 'Editor' });
const get = (id: string) => inventory.request('GET', `/v1/nodes/${id}`);
const generic = (more: Record<string, unknown> = {}) => ({ node_type: 'generic', address: '10.0.0.1', ...more });

test('a declaration adds, changes or keeps the node, and the id stays', async () => {
  const added = await put('declared', generic({ az: 'a' }));
  expect(added).toMatchObject({ status: 201, body: { node_name: 'declared', revision: 1, outcome: 'added' } });
  const { outcome: _, ...node } = added.body;
  expect(added.headers).toMatchObject({ Location: `/v1/nodes/${node.node_id}`, ETag: '"1"' });
  expect((await get(node.node_id)).body).toEqual(unseen(node));

  const changed = await put('declared', generic({ az: 'b' }));
  expect(changed).toMatchObject({ status: 200, headers: { ETag: '"2"' } });
  expect(changed.headers).not.toHaveProperty('Location');
  expect(changed.body).toEqual({
    ...node,
    az: 'b',
    revision: 2,
    updated_at: changed.body.updated_at,
    outcome: 'changed',
  });

  const same = await put('declared', generic({ az: 'b' }));
  expect(same).toMatchObject({ status: 200, headers: { ETag: '"2"' } });
  expect(same.body).toEqual({ ...changed.body, outcome: 'unchanged' });
});

test('a declaration replaces the whole node and clears absent fields', async () => {
  await put('whole', generic({ az: 'z', region: 'w', distro: 'd', custom_labels: { a: '1', b: '2' } }));
  const { body } = await put('whole', generic({ distro: 'd', custom_labels: { b: '2' } }));
  expect(body).toMatchObject({ distro: 'd', custom_labels: { b: '2' }, outcome: 'changed' });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['az']));
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['region']));
  // Its address in the region is free again.
  expect((await put('other', generic({ region: 'w' }))).status).toBe(201);
  expect((await inventory.request('GET', '/v1/nodes?region=w')).body.nodes).toHaveLength(1);
});

test('a node that was added differently is found by its name, and its dependants stay', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const service = await addService(inventory, { node_ids: [nodeId] });
  const { body: node } = await get(nodeId);
  expect((await put(node.node_name, generic({ az: 'new' }))).body).toMatchObject({
    node_id: nodeId,
    outcome: 'changed',
  });
  expect((await inventory.request('GET', `/v1/services/${service.service_id}`)).body).toEqual(unseen(service));
  const agents = await inventory.request('GET', `/v1/agents?runs_on_node_id=${nodeId}`);
  expect(agents.body.agents).toMatchObject([{ agent_id: pmmAgentId, revision: 1 }]);
});

test('another type under the same name is refused, and nothing changes', async () => {
  const { body: before } = await put('typed', generic());
  const reply = await put('typed', { node_type: 'container', address: 'c' });
  expect(reply).toMatchObject({
    status: 409,
    body: { message: 'Node with name "typed" already exists, with type "generic". The type cannot be changed.' },
  });
  expect((await get(before.node_id)).body).toMatchObject({ node_type: 'generic', revision: 1 });
});

test('another unique value that is taken is a conflict, as in an add or a change', async () => {
  await put('u1', generic({ region: 'u' }));
  const taken = { status: 409, body: { message: 'Node with address "10.0.0.1" and region "u" already exists.' } };
  expect(await put('u2', generic({ region: 'u' }))).toMatchObject(taken);
  expect((await put('u2', generic({ region: 'v' }))).status).toBe(201);
  expect(await put('u2', generic({ region: 'u' }))).toMatchObject(taken);
});

test('the body may repeat the name, but not contain another one', async () => {
  expect((await put('twice', generic({ node_name: 'twice' }))).status).toBe(201);
  expect(await put('twice', generic({ node_name: 'Twice' }))).toMatchObject({
    status: 400,
    body: { details: [{ field: 'node_name', reason: 'mismatch' }] },
  });
});

test.each([
  ['spaces', 'a b  c'],
  ['slashes', '/a//b/'],
  ['percent signs', '100% %2F %25 %zz %'],
  ['all that has a meaning in URLs', '?a=b&c#d;e+f,g:h@i!$\'()*[]{}|\\^`"<>'],
  ['key separators', 'NODE#x#CLAIM'],
  ['300 non-Latin letters', '\u4e2d'.repeat(300)],
  ['500 Latin letters', 'x'.repeat(500)],
  ['letters beyond the first plane, and right to left', '\u{1F600}\u05d0\u05d1'],
  ['the name of a route', 'by-name'],
  ['a prototype', '__proto__'],
])('a name with %s is usable in a path', async (_, name) => {
  const added = await put(name, generic());
  expect(added).toMatchObject({ status: 201, body: { node_name: name } });
  expect((await put(name, generic({ node_name: name }))).body).toEqual({ ...added.body, outcome: 'unchanged' });
  const again = { node_type: 'generic', node_name: name, address: 'x' };
  expect((await inventory.request('POST', '/v1/nodes', { body: again })).status).toBe(409);
});

test.each([
  ['a control character', '\u0007'],
  ['half a surrogate pair', undefined],
  ['too much', 'x'.repeat(513)],
  ['a password in a URL', 'mysql://root:hunter2@db'],
])('a name may not contain %s', async (_, name) => {
  const path = `/v1/nodes/by-name/${name === undefined ? '%ED%A0%80' : encodeURIComponent(name)}`;
  const reply = await inventory.request('PUT', path, { body: generic() });
  expect([400, 404]).toContain(reply.status);
  expect(reply.text).not.toContain('hunter2');
});

describe('conditions', () => {
  test('If-None-Match: * only adds', async () => {
    expect((await put('only', generic(), { 'If-None-Match': '*' })).status).toBe(201);
    expect(await put('only', generic({ az: 'x' }), { 'If-None-Match': '*' })).toMatchObject({
      status: 412,
      body: { code: 9, message: 'Node with name "only" already exists, at revision 1.' },
    });
    // Even if nothing would change: the caller wants to add the node.
    expect((await put('only', generic(), { 'If-None-Match': '*' })).status).toBe(412);
    expect((await put('only', generic(), { 'If-None-Match': '"1"' })).status).toBe(412);
    expect((await put('only', generic(), { 'If-None-Match': '"2"' })).status).toBe(200);
  });

  test('If-Match requires the present revision, and never adds', async () => {
    for (const tag of ['*', '"1"'])
      expect(await put('seen', generic(), { 'If-Match': tag })).toMatchObject({
        status: 412,
        body: { message: 'Node with name "seen" does not exist.' },
      });
    await put('seen', generic());
    expect((await put('seen', generic({ az: 'x' }), { 'If-Match': '"2"' })).status).toBe(412);
    expect((await put('seen', generic({ az: 'x' }), { 'If-Match': '"1"' })).status).toBe(200);
    expect((await put('seen', generic({ az: 'y' }), { 'If-Match': '"1"' })).status).toBe(412);
    expect((await put('seen', generic({ az: 'y' }), { 'If-Match': '*' })).status).toBe(200);
  });
});

test('100 simultaneous declarations result in one node, which one of them added', async () => {
  const replies = await Promise.all(Array.from({ length: 100 }, () => put('crowd', generic({ region: 'crowd' }))));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.outcome === 'unchanged')).toHaveLength(99);
  expect(new Set(replies.map(({ body }) => body.node_id)).size).toBe(1);
  expect(new Set(replies.map(({ body }) => body.revision))).toEqual(new Set([1]));
});

test('a node that is removed and declared at the same time is complete or absent', async () => {
  const { body: first } = await put('flicker', generic());
  const removals = ['x'].map(() => inventory.request('DELETE', `/v1/nodes/${first.node_id}`));
  const [put1] = await Promise.all([put('flicker', generic()), ...removals]);
  expect([200, 201]).toContain(put1.status);
  const { body } = await put('flicker', generic());
  expect((await get(body.node_id)).status).toBe(200);
});
