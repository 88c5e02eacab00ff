import { addNode, addService, unseen } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const change = (id: string, body: unknown) => inventory.request('PATCH', `/v1/services/${id}`, { body, as: 'Editor' });
const ofNode = async (id: string) =>
  (await inventory.request('GET', `/v1/services?node_id=${id}`)).body.services.length;

test('changing nodes moves the relation: old nodes are free, new ones are bound', async () => {
  const [a, b] = [(await addNode(inventory)).node_id, (await addNode(inventory)).node_id];
  const { service_id: id } = await addService(inventory, { node_ids: [a] });
  expect((await change(id, { node_ids: [b] })).body).toMatchObject({ node_ids: [b], revision: 2 });
  expect([await ofNode(a), await ofNode(b)]).toEqual([0, 1]);
  expect((await inventory.request('DELETE', `/v1/nodes/${a}`)).status).toBe(204);
  expect((await inventory.request('DELETE', `/v1/nodes/${b}`)).status).toBe(400);
});

test('a missing node is refused, and the service stays as it was', async () => {
  const service = await addService(inventory);
  expect(await change(service.service_id, { node_ids: ['nope'], cluster: 'c' })).toMatchObject({
    status: 404,
    body: { message: 'Node with ID "nope" not found.' },
  });
  expect((await inventory.request('GET', `/v1/services/${service.service_id}`)).body).toEqual(unseen(service));
  expect((await inventory.request('GET', '/v1/services?cluster=c')).body.services).toEqual([]);
});

test('address, port and socket change together', async () => {
  const { service_id: id } = await addService(inventory);
  expect((await change(id, { socket: '/s' })).body.details).toMatchObject([{ field: 'socket' }]);
  expect((await change(id, { socket: '/s', address: null, port: null })).body).toMatchObject({ socket: '/s' });
  expect((await change(id, { socket: null })).body.details).toMatchObject([{ field: 'address' }]);
});

test('lists follow its cluster, environment and group', async () => {
  const { service_id: id } = await addService(inventory, { cluster: 'old', environment: 'e' });
  await change(id, { cluster: 'new', environment: null });
  const count = async (query: string) => (await inventory.request('GET', `/v1/services?${query}`)).body.services.length;
  expect([await count('cluster=old'), await count('cluster=new'), await count('environment=e')]).toEqual([0, 1, 0]);
});

test('a cleared field has its standard value again', async () => {
  const { service_id: id } = await addService(inventory, { service_type: 'postgresql', database_name: 'mine' });
  expect((await change(id, { database_name: null })).body).toMatchObject({ database_name: 'postgres' });
});

test.each(['service_id', 'service_type', 'service_name', 'password', 'group'])(
  '%s of a database service is refused',
  async (field) => {
    const { service_id: id } = await addService(inventory);
    expect(await change(id, { [field]: 'x' })).toMatchObject({ status: 400, body: { details: [{ field }] } });
  },
);
