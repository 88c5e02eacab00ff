import { ADMIN_PASSWORD, type Inventory, startInventory } from '../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

const login = (password: string, user = 'admin') =>
  inventory.request('POST', '/v1/sessions', {
    as: null,
    headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
  });
const callerWith = (key: string) =>
  inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: `Bearer ${key}` } });

test('the password is traded for a session key of 12 hours with the role of the account', async () => {
  inventory.clock.now = new Date('2026-01-01T00:00:00Z');
  const { status, body, headers } = await login(ADMIN_PASSWORD);
  expect(status).toBe(201);
  expect(headers['Cache-Control']).toBe('no-store');
  expect(body).toMatchObject({ name: 'admin', role: 'Admin', expires_at: '2026-01-01T12:00:00.000Z' });
  expect((await callerWith(body.key)).body).toEqual({
    kind: 'session',
    id: body.session_id,
    name: 'admin',
    role: 'Admin',
    expires_at: '2026-01-01T12:00:00.000Z',
  });
  inventory.clock.now = new Date('2026-01-01T12:00:00Z');
  expect(await callerWith(body.key)).toMatchObject({ status: 401, body: { message: 'Expired API key' } });
  inventory.clock.now = undefined;
});

test('a wrong password and an unknown user get the same answer', async () => {
  for (const reply of [await login('wrong'), await login(ADMIN_PASSWORD, 'nobody')])
    expect(reply).toMatchObject({ status: 401, body: { code: 16, message: 'Invalid username or password' } });
});

test('neither a key nor a session can make a session', async () => {
  const { body } = await login(ADMIN_PASSWORD);
  expect((await inventory.request('POST', '/v1/sessions')).status).toBe(403);
  const headers = { Authorization: `Bearer ${body.key}` };
  expect((await inventory.request('POST', '/v1/sessions', { as: null, headers })).status).toBe(403);
});
