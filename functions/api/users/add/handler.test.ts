import { addUser, logInAs, PASSWORD } from '../../../../tests/support/users.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = (user_name: string, more = {}) => addUser(inventory, user_name, { role: 'Editor', ...more });

test('returns the invitation, which no list contains', async () => {
  const { status, body } = await add('maria.lopez', { invitation_time_to_live: '1h' });
  const { invitation, ...user } = body;
  expect([status, user.state, user.user_id]).toEqual([201, 'invited', 'maria.lopez']);
  expect(invitation).toMatch(/^minv_invite_/);
  expect(Date.parse(user.invitation_expires_at) - Date.parse(user.created_at)).toBeLessThanOrEqual(3_601_000);
  const list = await inventory.request('GET', '/v1/users');
  expect(list.body.users).toContainEqual(user);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=user.added');
  expect(audit.entries[0]).toMatchObject({ subject: { kind: 'user', id: 'maria.lopez' } });
  expect(JSON.stringify([list.text, audit, inventory.logged])).not.toContain(invitation);
});

test('a name is unique, and reserved and malformed names are refused', async () => {
  expect((await add('twice')).status).toBe(201);
  expect((await add('twice')).status).toBe(409);
  for (const name of ['admin', 'api_key', 'service_token', 'Maria', 'a b', 'ä', '', 'x'.repeat(65), 'local:x'])
    expect([name, (await add(name)).status]).toEqual([name, 400]);
});

test('an Admin key with an end cannot add a user, who has none', async () => {
  const { body: key } = await inventory.request('POST', '/v1/api-keys', {
    body: { name: 'short', role: 'Admin', time_to_live: '1d' },
  });
  const sent = {
    as: null,
    headers: { Authorization: `Bearer ${key.key}` },
    body: { user_name: 'late', role: 'Viewer' },
  };
  expect((await inventory.request('POST', '/v1/users', sent)).status).toBe(403);
  const { body } = await inventory.request('GET', '/v1/users');
  expect(body.users.map(({ user_id: id }: any) => id)).not.toContain('late');
});

test('a user with the name of a removed one has neither its sessions nor its password', async () => {
  const accept = { method: 'invitation', user_name: 'again', new_password: PASSWORD };
  const logIn = (body: object) => logInAs(inventory, body);
  const { body: first } = await add('again');
  const { body: session } = await logIn({ ...accept, invitation: first.invitation });
  await inventory.request('DELETE', '/v1/users/again');
  expect((await add('again')).status).toBe(201);
  const request = { as: null, headers: { Authorization: `Bearer ${session.key}` } };
  expect((await inventory.request('GET', '/v1/caller', request)).status).toBe(401);
  const { new_password: password, user_name } = accept;
  expect((await logIn({ method: 'password', user_name, password })).status).toBe(401);
});

test('only an Editor may have owners', async () => {
  const { body } = await add('shop.editor', { owners: ['shop'] });
  expect(body).toMatchObject({ role: 'Editor', owners: ['shop'] });
  for (const role of ['Viewer', 'Admin']) {
    const { status, body: refusal } = await add('shop.other', { role, owners: ['shop'] });
    expect([status, refusal.details[0].field]).toEqual([400, 'owners']);
  }
});
