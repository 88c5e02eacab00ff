import { askWith } from '../../../../tests/support/log-in.ts';
import type { Inventory } from '../../../../tests/support/inventory.ts';
import { setPassword, startWithUsers } from '../../../../tests/support/users.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startWithUsers('maria', 'paul')));
afterAll(() => inventory.stop());

test('ends the sessions of this user only', async () => {
  const [maria, paul] = [await setPassword(inventory, 'maria'), await setPassword(inventory, 'paul')];
  expect((await inventory.request('DELETE', '/v1/users/maria/sessions')).status).toBe(204);
  const status = async (key: string) => (await askWith(inventory, key, 'GET', '/v1/caller')).status;
  expect([await status(maria), await status(paul)]).toEqual([401, 200]);
});
