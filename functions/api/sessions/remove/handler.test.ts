import { ADMIN_PASSWORD } from '../../../../tests/support/inventory.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const basic = { Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` };

test('a session ends itself, and only itself', async () => {
  const login = async () => (await inventory.request('POST', '/v1/sessions', { as: null, headers: basic })).body;
  const [session, other] = [await login(), await login()];
  const withKey = (method: string, path: string, key: string) =>
    inventory.request(method, path, { as: null, headers: { Authorization: `Bearer ${key}` } });
  expect((await withKey('DELETE', '/v1/sessions', session.key)).status).toBe(204);
  expect(await withKey('GET', '/v1/caller', session.key)).toMatchObject({
    status: 401,
    body: { message: 'Invalid API key' },
  });
  expect((await withKey('GET', '/v1/caller', other.key)).status).toBe(200);
});

test('API keys and passwords cannot end a session', async () => {
  expect((await inventory.request('DELETE', '/v1/sessions')).status).toBe(403);
  expect((await inventory.request('DELETE', '/v1/sessions', { as: null, headers: basic })).status).toBe(403);
});
