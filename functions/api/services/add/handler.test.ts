import { addNode } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = (body: Record<string, unknown>) => inventory.request('POST', '/v1/services', { body, as: 'Editor' });
const mysql = (more: Record<string, unknown>) => add({ service_type: 'mysql', ...more });

test('a service runs on any number of nodes', async () => {
  const nodes = await Promise.all([addNode(inventory), addNode(inventory), addNode(inventory)]);
  const ids: string[] = nodes.map(({ node_id: id }) => id);
  for (const node_ids of [[], ids.slice(0, 1), ids]) {
    const reply = await mysql({ service_name: `on ${node_ids.length}`, node_ids, address: 'db', port: 3306 });
    expect(reply).toMatchObject({ status: 201, body: { node_ids, revision: 1 } });
    expect(reply.headers['Location']).toBe(`/v1/services/${reply.body.service_id}`);
  }
});

test('without node_ids a service runs on no node', async () => {
  expect((await mysql({ service_name: 'serverless', address: 'x', port: 1 })).body.node_ids).toEqual([]);
});

test.each([
  ['nothing', {}, 'address', 'Neither socket nor address passed.'],
  [
    'address and socket',
    { address: 'a', port: 1, socket: '/s' },
    'socket',
    'Socket and address cannot be specified together.',
  ],
  ['no port', { address: 'a' }, 'port', 'Port is expected to be passed along with the host address.'],
  ['socket and port', { socket: '/s', port: 1 }, 'port', 'Socket and port cannot be specified together.'],
])('the endpoint %s is refused', async (_, given, field, message) => {
  expect(await mysql({ service_name: 'unreachable', ...given })).toMatchObject({
    status: 400,
    body: { code: 3, details: [{ field, message }] },
  });
});

test.each([0, 65536, -1, 1.5, '3306', null, 2 ** 53])('port %p is refused', async (port) => {
  const { body } = await mysql({ service_name: 'ports', address: 'a', port });
  expect(body.details.map(({ field }: { field: string }) => field)).toContain('port');
});

test('a proxy and an external service have no address', async () => {
  expect((await add({ service_type: 'haproxy', service_name: 'ha' })).status).toBe(201);
  expect((await add({ service_type: 'haproxy', service_name: 'ha2', address: 'a' })).body.details).toMatchObject([
    { field: 'address', reason: 'unknown_field' },
  ]);
  expect((await add({ service_type: 'external', service_name: 'ext' })).body).toMatchObject({ group: 'external' });
});

test('a missing node is named, and nothing is written', async () => {
  const reply = await mysql({ service_name: 'dangling', node_ids: ['nope'], address: 'a', port: 1 });
  expect(reply).toMatchObject({ status: 404, body: { code: 5, message: 'Node with ID "nope" not found.' } });
  expect((await mysql({ service_name: 'dangling', address: 'a', port: 1 })).status).toBe(201);
});

test('a taken name is reported before an unknown node', async () => {
  await mysql({ service_name: 'taken', address: 'a', port: 1 });
  const reply = await mysql({ service_name: 'taken', node_ids: ['nope'], address: 'a', port: 1 });
  expect(reply).toMatchObject({ status: 409, body: { message: 'Service with name "taken" already exists.' } });
});

test('a service has at most 20 nodes, each once', async () => {
  const { node_id: id } = await addNode(inventory);
  const ids = Array.from({ length: 21 }, (_, i) => `n${i}`);
  for (const node_ids of [ids, [id, id]])
    expect(await mysql({ service_name: 'many', node_ids, address: 'a', port: 1 })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'node_ids' }] },
    });
  const nodes = await Promise.all(Array.from({ length: 20 }, () => addNode(inventory)));
  const node_ids = nodes.map((node) => node.node_id);
  expect((await mysql({ service_name: 'many', node_ids, address: 'a', port: 1 })).status).toBe(201);
});

test.each(['password', 'tls_key', 'agent_password', 'aws_secret_key'])(
  '%s is refused by name, and the error does not repeat it',
  async (field) => {
    const reply = await mysql({ service_name: 'secret', address: 'a', port: 1, [field]: 'hunter2' });
    expect(reply).toMatchObject({ status: 400, body: { details: [{ field, reason: 'credential' }] } });
    expect(reply.text).not.toContain('hunter2');
  },
);
