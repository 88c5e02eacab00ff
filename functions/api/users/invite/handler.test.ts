import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  for (const user_name of ['maria', 'paul'])
    await inventory.request('POST', '/v1/users', { body: { user_name, role: 'Viewer' } });
});
afterAll(() => inventory.stop());

test('the password ends with the new invitation, which sets another one', async () => {
  const logIn = (body: object) =>
    inventory.request('POST', '/v1/logins', { as: null, body: { user_name: 'maria', ...body } });
  const invite = async () => (await inventory.request('POST', '/v1/users/maria/invite', { body: {} })).body.invitation;
  const password = 'a quiet long sentence';
  await logIn({ method: 'invitation', invitation: await invite(), new_password: password });
  expect((await logIn({ method: 'password', password })).status).toBe(201);
  const invitation = await invite();
  expect((await logIn({ method: 'password', password })).status).toBe(401);
  expect((await logIn({ method: 'invitation', invitation, new_password: `${password}!` })).status).toBe(201);
});

test('an unknown user is not found', async () => {
  expect((await inventory.request('POST', '/v1/users/nobody/invite', { body: {} })).status).toBe(404);
});
