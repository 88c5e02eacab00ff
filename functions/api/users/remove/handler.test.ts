import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  for (const user_name of ['maria', 'paul'])
    await inventory.request('POST', '/v1/users', { body: { user_name, role: 'Viewer' } });
});
afterAll(() => inventory.stop());

test('the user is in no list afterwards, and a second removal finds nothing', async () => {
  expect((await inventory.request('DELETE', '/v1/users/maria')).status).toBe(204);
  expect((await inventory.request('DELETE', '/v1/users/maria')).status).toBe(404);
  const { body } = await inventory.request('GET', '/v1/users');
  expect(body.users.map(({ user_id: id }: any) => id)).toEqual(['paul']);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=user.removed');
  expect(audit.entries).toHaveLength(1);
});
