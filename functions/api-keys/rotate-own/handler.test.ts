import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

const add = async (body: object) => (await inventory.request('POST', '/v1/api-keys', { body })).body;
const withKey = (key: string, method: string, path: string, body?: unknown) =>
  inventory.request(method, path, {
    as: null,
    headers: { Authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body }),
  });

test('a key of every role gives itself a new text, and stays what it is', async () => {
  for (const role of ['Viewer', 'Editor', 'Admin', 'Registrar'] as const) {
    const key = inventory.keys[role];
    const { status, body } = await withKey(key, 'POST', '/v1/caller/rotate', { overlap: '1h' });
    expect([role, status]).toEqual([role, 200]);
    const [before, after] = await Promise.all([key, body.key].map((one) => withKey(one, 'GET', '/v1/caller')));
    expect(after!.body).toMatchObject({ role, id: before!.body.id, name: `test ${role}` });
    inventory.keys[role] = body.key;
  }
});

test('no key prolongs its own life, however often; an Admin then renews all of it', async () => {
  inventory.clock.now = new Date('2026-05-01T10:00:00Z');
  const { key, key_id: id, expires_at: end } = await add({ name: 'brief', role: 'Viewer', time_to_live: '1d' });
  inventory.clock.now = new Date('2026-05-01T20:00:00Z');
  const { body } = await withKey(key, 'POST', '/v1/caller/rotate', { overlap: '1m' });
  expect(body.expires_at).toBe(end);
  expect((await withKey(body.key, 'POST', '/v1/caller/rotate', { overlap: '1m' })).body.expires_at).toBe(end);
  const renewed = await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '1m' } });
  expect(renewed.body.expires_at).toBe('2026-05-02T20:00:00.000Z');
  inventory.clock.now = undefined;
});

test('who calls with a password or a session has no key to rotate', async () => {
  const login = { Authorization: `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}` };
  const rotate = (headers: Record<string, string>) =>
    inventory.request('POST', '/v1/caller/rotate', { as: null, headers, body: { overlap: '1h' } });
  expect((await rotate(login)).status).toBe(403);
  const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers: login });
  expect((await rotate({ Authorization: `Bearer ${body.key}` })).status).toBe(403);
});
