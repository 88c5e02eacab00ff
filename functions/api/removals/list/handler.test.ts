import { addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const removals = async () => (await inventory.request('GET', '/v1/removed', { as: 'Viewer' })).body.removals;

test('without removals the list is empty', async () => {
  expect(await removals()).toEqual([]);
});

test('an object that only loses a reference is not removed', async () => {
  const { nodeId } = await addHost(inventory);
  const { node_id: other } = await addNode(inventory);
  const { service_id: id } = await addService(inventory, { node_ids: [nodeId, other] });
  await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`);
  const [{ objects }] = await removals();
  expect(objects.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['agent', 'node']);
  expect((await inventory.request('GET', `/v1/services/${id}`)).body.node_ids).toEqual([other]);
});
