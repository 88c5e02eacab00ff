import type { Inventory } from '../../../../tests/support/inventory.ts';
import { startWithUsers } from '../../../../tests/support/users.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startWithUsers('maria', 'paul')));
afterAll(() => inventory.stop());

test('the user is in no list afterwards, and a second removal finds nothing', async () => {
  expect((await inventory.request('DELETE', '/v1/users/maria')).status).toBe(204);
  expect((await inventory.request('DELETE', '/v1/users/maria')).status).toBe(404);
  const { body } = await inventory.request('GET', '/v1/users');
  expect(body.users.map(({ user_id: id }: any) => id)).toEqual(['paul']);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=user.removed');
  expect(audit.entries).toHaveLength(1);
});
