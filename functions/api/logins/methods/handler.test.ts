import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { accepted, logInAs, PASSWORD } from '../../../../tests/support/users.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory({ identityProviders: [] })));
afterAll(() => inventory.stop());

test('a caller without credentials gets the methods, and each of them opens a session', async () => {
  const { status, body } = await inventory.request('GET', '/v1/logins', { as: null });
  expect([status, body.methods]).toEqual([200, [{ method: 'password', title: 'Password' }]]);
  const { user_name } = await accepted(inventory);
  for (const { method } of body.methods)
    expect((await logInAs(inventory, { method, user_name, password: PASSWORD })).status).toBe(201);
});

test('the log-in page names the account admin if it is for emergencies', async () => {
  const other = await startInventory({ identityProviders: [], adminAccount: 'emergency' });
  const { body } = await other.request('GET', '/v1/logins', { as: null });
  await other.stop();
  expect(body.methods).toEqual([{ method: 'password', title: 'Password, or emergency log-in as admin' }]);
});
