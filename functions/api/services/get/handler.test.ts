import { addService, unseen } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('returns the service as it was added', async () => {
  const service = await addService(inventory, { service_type: 'postgresql', environment: 'prod', version: '17' });
  const reply = await inventory.request('GET', `/v1/services/${service.service_id}`, { as: 'Viewer' });
  expect(reply).toMatchObject({ status: 200, headers: { ETag: '"1"' } });
  expect(reply.body).toEqual(unseen(service));
  expect(service).toMatchObject({ database_name: 'postgres', auto_discovery_limit: 0 });
});

test('a missing service gets a 404 with its id', async () => {
  const reply = await inventory.request('GET', '/v1/services/nope');
  expect(reply).toMatchObject({ status: 404, body: { message: 'Service with ID "nope" not found.' } });
});
