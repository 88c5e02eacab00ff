import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  for (const user_name of ['maria', 'paul'])
    await inventory.request('POST', '/v1/users', { body: { user_name, role: 'Viewer' } });
});
afterAll(() => inventory.stop());

test('changes the role and the lock, and writes the audit once for each', async () => {
  const change = (body: object) => inventory.request('PATCH', '/v1/users/maria', { body });
  expect((await change({ role: 'Editor' })).body).toMatchObject({ role: 'Editor', state: 'invited' });
  expect((await change({ role: 'Editor' })).status).toBe(200);
  expect((await change({ disabled: true })).body).toMatchObject({ role: 'Editor', state: 'disabled' });
  const { body } = await inventory.request('GET', '/v1/audit?event=user.changed');
  expect(body.entries.map(({ after }: any) => after)).toEqual([
    { role: 'Editor', disabled: true },
    { role: 'Editor', disabled: false },
  ]);
});

test('an unknown user is not found', async () => {
  expect((await inventory.request('PATCH', '/v1/users/nobody', { body: { role: 'Admin' } })).status).toBe(404);
});

test('simultaneous changes of a user all take effect, one after the other', async () => {
  const changes = [{ role: 'Admin' }, { disabled: true }, { role: 'Viewer' }];
  const replies = await Promise.all(changes.map((body) => inventory.request('PATCH', '/v1/users/paul', { body })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await inventory.request('GET', '/v1/users');
  expect(body.users.find(({ user_id: id }: any) => id === 'paul')).toMatchObject({ state: 'disabled' });
});
