import { addNode, addService, enrolHost } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('a missing object gets a 404 with its id', async () => {
  const reply = await inventory.request('GET', '/v1/nodes/nope');
  expect(reply).toMatchObject({ status: 404, body: { code: 5, message: 'Node with ID "nope" not found.' } });
});

test('ids are case-insensitive in paths, queries and bodies', async () => {
  const { node_id: id } = await addNode(inventory);
  const upper = id.toUpperCase();
  expect((await inventory.request('GET', `/v1/nodes/${upper}`)).body).toMatchObject({ node_id: id });
  const service = await addService(inventory, { node_ids: [upper] });
  expect(service).toMatchObject({ node_ids: [id] });
  const { body } = await inventory.request('GET', `/v1/services?node_id=${upper}`);
  expect(body.services).toMatchObject([{ service_id: service.service_id }]);
  expect((await inventory.request('GET', `/v1/agents?node_id=${upper},${id}`)).status).toBe(200);
  expect((await inventory.request('GET', `/v1/as-of/node/${upper}`)).body).toMatchObject({ presence: 'present' });
  expect((await inventory.request('GET', `/v1/audit?object_id=${upper}`)).body.entries).not.toEqual([]);
});

test('an id of another kind of object is not found', async () => {
  const { service_id: id } = await addService(inventory);
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(404);
});

test('a client with the present revision gets a 304 without a body', async () => {
  const { node_id: id } = await addNode(inventory);
  const get = (tag: string) => inventory.request('GET', `/v1/nodes/${id}`, { headers: { 'If-None-Match': tag } });
  for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
    const reply = await get(tag);
    expect(reply).toMatchObject({ status: 304, text: '', headers: { ETag: '"1"' } });
    expect(reply.headers).not.toHaveProperty('Content-Type');
  }
  for (const tag of ['"2"', '"x"']) expect((await get(tag)).status).toBe(200);
});

test('the key of a host gets only its own node', async () => {
  const { node, statusOf } = await enrolHost(inventory);
  expect(await statusOf(`/v1/nodes/${node.node_id}`)).toBe(200);
  expect(await statusOf(`/v1/nodes/${(await addNode(inventory)).node_id}`)).toBe(403);
});
