import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  for (const user_name of ['maria', 'paul'])
    await inventory.request('POST', '/v1/users', { body: { user_name, role: 'Viewer' } });
});
afterAll(() => inventory.stop());

test('sorted by id, in pages, without the account admin', async () => {
  const { body } = await inventory.request('GET', '/v1/users?page_size=1');
  const rest = await inventory.request('GET', `/v1/users?page_size=1&page_token=${body.next_page_token}`);
  expect([...body.users, ...rest.body.users].map(({ user_id: id }: any) => id)).toEqual(['maria', 'paul']);
  expect(rest.body.next_page_token).toBeUndefined();
});

test('shows when a user last logged in and set the password', async () => {
  const { body: added } = await inventory.request('POST', '/v1/users', { body: { user_name: 'zoe', role: 'Admin' } });
  const accept = { method: 'invitation', user_name: 'zoe', invitation: added.invitation, new_password: 'x'.repeat(12) };
  await inventory.request('POST', '/v1/logins', { as: null, body: accept });
  const { body } = await inventory.request('GET', '/v1/users');
  const zoe = body.users.find(({ user_id: id }: any) => id === 'zoe');
  expect(zoe).toMatchObject({
    state: 'active',
    last_login_at: expect.any(String),
    password_set_at: expect.any(String),
  });
  expect(zoe).not.toHaveProperty('invitation_expires_at');
});
