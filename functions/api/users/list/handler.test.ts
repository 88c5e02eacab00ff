import type { Inventory } from '../../../../tests/support/inventory.ts';
import { addUser, logInAs, PASSWORD, startWithUsers } from '../../../../tests/support/users.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startWithUsers('maria', 'paul')));
afterAll(() => inventory.stop());

test('lists users by id in pages, without the admin account', async () => {
  const { body } = await inventory.request('GET', '/v1/users?page_size=1');
  const rest = await inventory.request('GET', `/v1/users?page_size=1&page_token=${body.next_page_token}`);
  expect([...body.users, ...rest.body.users].map(({ user_id: id }: any) => id)).toEqual(['maria', 'paul']);
  expect(rest.body.next_page_token).toBeUndefined();
});

test('shows the last log-in and the last password change of a user', async () => {
  const { body: added } = await addUser(inventory, 'zoe', { role: 'Admin' });
  const { invitation } = added;
  await logInAs(inventory, { method: 'invitation', user_name: 'zoe', invitation, new_password: PASSWORD });
  const { body } = await inventory.request('GET', '/v1/users');
  const zoe = body.users.find(({ user_id: id }: any) => id === 'zoe');
  expect(zoe).toMatchObject({
    state: 'active',
    last_login_at: expect.any(String),
    password_set_at: expect.any(String),
  });
  expect(zoe).not.toHaveProperty('invitation_expires_at');
});
