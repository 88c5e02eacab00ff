import type { Inventory } from '../../../../tests/support/inventory.ts';
import { logInAs, PASSWORD, startWithUsers } from '../../../../tests/support/users.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startWithUsers('maria', 'paul')));
afterAll(() => inventory.stop());

test('a new invitation ends the password and sets another one', async () => {
  const logIn = (body: object) => logInAs(inventory, { user_name: 'maria', ...body });
  const invite = async () => (await inventory.request('POST', '/v1/users/maria/invite', { body: {} })).body.invitation;
  await logIn({ method: 'invitation', invitation: await invite(), new_password: PASSWORD });
  expect((await logIn({ method: 'password', password: PASSWORD })).status).toBe(201);
  const invitation = await invite();
  expect((await logIn({ method: 'password', password: PASSWORD })).status).toBe(401);
  expect((await logIn({ method: 'invitation', invitation, new_password: `${PASSWORD}!` })).status).toBe(201);
});

test('an unknown user is not found', async () => {
  expect((await inventory.request('POST', '/v1/users/nobody/invite', { body: {} })).status).toBe(404);
});
