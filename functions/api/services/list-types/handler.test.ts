import { addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('lists each type once, until its last service is removed', async () => {
  const types = async () => (await inventory.request('GET', '/v1/services/types', { as: 'Viewer' })).body;
  expect(await types()).toEqual({ service_types: [] });
  await addService(inventory, { service_type: 'valkey' });
  await addService(inventory, { service_type: 'mysql' });
  const { service_id: id } = await addService(inventory, { service_type: 'mongodb' });
  await addService(inventory, { service_type: 'mysql' });
  expect(await types()).toEqual({ service_types: ['mysql', 'mongodb', 'valkey'] });
  await inventory.request('DELETE', `/v1/services/${id}`);
  expect(await types()).toEqual({ service_types: ['mysql', 'valkey'] });
});
