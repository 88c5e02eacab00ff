import { startInventory } from '../../../../tests/support/inventory.ts';
import { accepted, logInAs, PASSWORD } from '../../../../tests/support/users.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory({ identityProviders: [] });

test('a caller without credentials gets the methods, and each opens a session', async () => {
  const { status, body } = await inventory.request('GET', '/v1/logins', { as: null });
  expect([status, body.methods]).toEqual([200, [{ method: 'password', title: 'Password', admin_account: 'enabled' }]]);
  const { user_name } = await accepted(inventory);
  for (const { method } of body.methods)
    expect((await logInAs(inventory, { method, user_name, password: PASSWORD })).status).toBe(201);
});

test.each([
  ['emergency', 'Password, or emergency log-in as admin'],
  ['disabled', 'Password'],
] as const)('the log-in page learns that the account admin is %s', async (admin_account, title) => {
  const other = await startInventory({ identityProviders: [], adminAccount: admin_account });
  const { body } = await other.request('GET', '/v1/logins', { as: null });
  await other.stop();
  expect(body.methods).toEqual([{ method: 'password', title, admin_account }]);
});
