import { ADMIN_PASSWORD } from '../../../../tests/support/inventory.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('returns name, role and kind of a key', async () => {
  const { body } = await inventory.request('GET', '/v1/caller', { as: 'Viewer' });
  expect(body).toEqual({ kind: 'api_key', id: expect.any(String), name: 'test Viewer', role: 'Viewer' });
});

test('returns the kind user for a user', async () => {
  const headers = { Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` };
  expect((await inventory.request('GET', '/v1/caller', { as: null, headers })).body).toEqual({
    kind: 'user',
    id: 'admin',
    name: 'admin',
    role: 'Admin',
  });
});
