import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  for (const user_name of ['maria', 'paul'])
    await inventory.request('POST', '/v1/users', { body: { user_name, role: 'Viewer' } });
});
afterAll(() => inventory.stop());

test('ends the sessions of this user only', async () => {
  const open = async (user_name: string) => {
    const invited = await inventory.request('POST', `/v1/users/${user_name}/invite`, { body: {} });
    const { invitation } = invited.body;
    const body = { method: 'invitation', user_name, invitation, new_password: 'a quiet long sentence' };
    return (await inventory.request('POST', '/v1/logins', { as: null, body })).body.key as string;
  };
  const [maria, paul] = [await open('maria'), await open('paul')];
  expect((await inventory.request('DELETE', '/v1/users/maria/sessions')).status).toBe(204);
  const status = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await inventory.request('GET', '/v1/caller', { as: null, headers })).status;
  };
  expect([await status(maria), await status(paul)]).toEqual([401, 200]);
});
