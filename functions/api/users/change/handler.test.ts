import type { Inventory } from '../../../../tests/support/inventory.ts';
import { addUser, startWithUsers } from '../../../../tests/support/users.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startWithUsers('maria', 'paul')));
afterAll(() => inventory.stop());

test('changes the role and the lock, each with one audit entry', async () => {
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

test('a disabled user stays disabled through other changes', async () => {
  await addUser(inventory, 'locked', { role: 'Viewer' });
  const stateAfter = async (body: object) => {
    const { status, body: user } = await inventory.request('PATCH', '/v1/users/locked', { body });
    return [status, user.role, user.state];
  };
  expect(await stateAfter({ disabled: true })).toEqual([200, 'Viewer', 'disabled']);
  expect(await stateAfter({ role: 'Editor' })).toEqual([200, 'Editor', 'disabled']);
  expect(await stateAfter({ owners: ['dba'] })).toEqual([200, 'Editor', 'disabled']);
  expect(await stateAfter({ disabled: false })).toEqual([200, 'Editor', 'invited']);
});

test('an unknown user is not found', async () => {
  expect((await inventory.request('PATCH', '/v1/users/nobody', { body: { role: 'Admin' } })).status).toBe(404);
});

test('simultaneous changes of a user all take effect', async () => {
  const changes = [{ role: 'Admin' }, { disabled: true }, { role: 'Viewer' }];
  const replies = await Promise.all(changes.map((body) => inventory.request('PATCH', '/v1/users/paul', { body })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await inventory.request('GET', '/v1/users');
  expect(body.users.find(({ user_id: id }: any) => id === 'paul')).toMatchObject({ state: 'disabled' });
});

const rightsOf = async (body: object) => {
  const { status, body: user } = await inventory.request('PATCH', '/v1/users/team', { body });
  return [status, user.role, user.owners];
};

test('owners require the role Editor: another role or null removes them', async () => {
  await addUser(inventory, 'team', { role: 'Editor', owners: ['dba'] });
  expect(await rightsOf({ disabled: false })).toEqual([200, 'Editor', ['dba']]);
  expect(await rightsOf({ owners: ['dba', 'shop'] })).toEqual([200, 'Editor', ['dba', 'shop']]);
  expect(await rightsOf({ owners: null })).toEqual([200, 'Editor', undefined]);
  expect(await rightsOf({ owners: ['shop'] })).toEqual([200, 'Editor', ['shop']]);
  expect((await rightsOf({ role: 'Admin', owners: ['shop'] }))[0]).toBe(400);
  expect(await rightsOf({ role: 'Viewer' })).toEqual([200, 'Viewer', undefined]);
  expect((await rightsOf({ owners: ['shop'] }))[0]).toBe(400);
  const { body } = await inventory.request('GET', '/v1/audit?event=user.changed');
  expect(body.entries[0].after).toEqual({ role: 'Viewer', disabled: false });
  expect(body.entries[1].after).toEqual({ role: 'Editor', disabled: false, owners: ['shop'] });
});
