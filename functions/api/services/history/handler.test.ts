import { addNode, addService, enrolHost } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const history = (id: string) => inventory.request('GET', `/v1/services/${id}/history`, { as: 'Viewer' });

test('lists the changes of a service, also those by the removal of a node', async () => {
  const [{ node_id: kept }, { node_id: removed }] = [await addNode(inventory), await addNode(inventory)];
  const { service_id: id } = await addService(inventory, { node_ids: [kept, removed] });
  await addService(inventory);
  await inventory.request('DELETE', `/v1/nodes/${removed}?force=true`);
  const { status, body } = await history(id);
  expect([status, body.changes]).toMatchObject([
    200,
    [
      { id, action: 'changed', before: { node_ids: [kept, removed] }, after: { node_ids: [kept] } },
      { id, action: 'added' },
    ],
  ]);
});

test('an unknown service has no history: 404', async () => {
  expect((await history('x')).status).toBe(404);
});

test('the key of a host gets only the history of its own services', async () => {
  const { node, statusOf } = await enrolHost(inventory);
  const service = await addService(inventory, { node_ids: [node.node_id] });
  expect(await statusOf(`/v1/services/${service.service_id}/history`)).toBe(200);
  const other = await addService(inventory, { node_ids: [(await addNode(inventory)).node_id] });
  expect(await statusOf(`/v1/services/${other.service_id}/history`)).toBe(403);
});
