import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { checkInvariants } from '../../../../tests/consistency/invariants.ts';
import { MAX_PREVIOUS } from '../../../store/credentials/rotate-api-key.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(async () => {
  inventory.clock.now = undefined;
  // After the end of all that the tests rotate.
  expect(await checkInvariants(inventory.table, { now: START + 86_400_000 })).toEqual([]);
});

const add = async (body: object) => (await inventory.request('POST', '/v1/api-keys', { body })).body;
const rotate = (id: string, overlap: unknown) =>
  inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap } });
const callWith = (key: string) =>
  inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: `Bearer ${key}` } });
const remove = (id: string) => inventory.request('DELETE', `/v1/api-keys/${id}`);
const listed = async (name: string) =>
  (await inventory.request('GET', '/v1/api-keys?include_expired=true')).body.api_keys.filter(
    (key: { name: string }) => key.name === name,
  );

const START = Date.parse('2026-05-01T10:00:00Z');
const at = (seconds: number) => (inventory.clock.now = new Date(START + seconds * 1000));
const moment = (seconds: number) => new Date(START + seconds * 1000).toISOString();

test('both secrets work during the overlap, then only the new one; name, id and role stay', async () => {
  at(0);
  const old = await add({ name: 'both', role: 'Editor', rate_limit_per_minute: 100 });
  at(100);
  const { status, body } = await rotate(old.key_id, '1h');
  expect(status).toBe(200);
  expect(body).toMatchObject({ key_id: old.key_id, name: 'both', role: 'Editor', rate_limit_per_minute: 100 });
  expect(body).toMatchObject({ rotated_at: moment(100), previous_expires_at: moment(3700) });
  expect(body.key).toMatch(/^minv_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
  expect(body.prefix).toBe(body.key.slice(0, 9));
  expect(body.key).not.toBe(old.key);
  at(3699);
  for (const key of [old.key, body.key]) expect((await callWith(key)).body).toMatchObject({ id: old.key_id });
  expect(await listed('both')).toMatchObject([{ key_id: old.key_id, prefix: body.prefix, created_at: old.created_at }]);
  at(3700);
  expect(await callWith(old.key)).toMatchObject({ status: 401, body: { message: 'Expired API key' } });
  expect((await callWith(body.key)).status).toBe(200);
  const { Items } = await inventory.table.client.send(new ScanCommand({ TableName: inventory.table.name }));
  expect(JSON.stringify(Items)).not.toContain(body.key.slice(10, 40));
});

test('a rotation without an overlap ends all former secrets at once', async () => {
  const first = await add({ name: 'at once', role: 'Viewer' });
  const second = (await rotate(first.key_id, '1h')).body;
  const third = (await rotate(first.key_id, '0s')).body;
  expect(third).not.toHaveProperty('previous_expires_at');
  for (const { key } of [first, second])
    expect(await callWith(key)).toMatchObject({ status: 401, body: { message: 'Invalid API key' } });
  expect((await callWith(third.key)).status).toBe(200);
});

test('a rotation restarts the life of a key; the overlap does not exceed the end of the former secret', async () => {
  at(0);
  const old = await add({ name: 'life', role: 'Viewer', time_to_live: '1d' });
  at(86_400 - 600);
  const { body } = await rotate(old.key_id, '1h');
  expect(body).toMatchObject({ expires_at: moment(2 * 86_400 - 600), previous_expires_at: moment(86_400) });
  at(86_400);
  expect((await callWith(old.key)).status).toBe(401);
  expect((await callWith(body.key)).status).toBe(200);
  at(2 * 86_400 - 700);
  expect((await rotate(old.key_id, '1m')).body.expires_at).toBe(moment(3 * 86_400 - 700));
});

test('a second rotation within the overlap keeps the ends of all former secrets', async () => {
  at(0);
  const first = await add({ name: 'again', role: 'Viewer' });
  const second = (await rotate(first.key_id, '2h')).body;
  at(600);
  const third = (await rotate(first.key_id, '10m')).body;
  expect(third.previous_expires_at).toBe(moment(7200));
  at(1199);
  for (const { key } of [first, second, third]) expect((await callWith(key)).status).toBe(200);
  at(1200);
  expect([first, second, third].map(({ key }) => key)).toHaveLength(3);
  expect((await callWith(first.key)).status).toBe(200);
  expect((await callWith(second.key)).status).toBe(401);
  at(7200);
  expect((await callWith(first.key)).status).toBe(401);
  expect((await callWith(third.key)).status).toBe(200);
});

test('a rotation is refused while a key has the maximum of valid former secrets', async () => {
  at(0);
  const { key_id: id } = await add({ name: 'many', role: 'Viewer' });
  for (let count = 0; count < MAX_PREVIOUS; count += 1) expect((await rotate(id, '1h')).status).toBe(200);
  expect(await rotate(id, '1h')).toMatchObject({ status: 400, body: { code: 9 } });
  at(3600);
  expect((await rotate(id, '1h')).status).toBe(200);
});

test('removing the key ends all of its secrets', async () => {
  const first = await add({ name: 'removed', role: 'Viewer' });
  const second = (await rotate(first.key_id, '1h')).body;
  expect((await remove(first.key_id)).status).toBe(204);
  for (const { key } of [first, second])
    expect(await callWith(key)).toMatchObject({ status: 401, body: { message: 'Invalid API key' } });
  expect((await add({ name: 'removed', role: 'Viewer' })).key_id).not.toBe(first.key_id);
});

test('eight simultaneous rotations each return a working secret or are refused for their number', async () => {
  const { key, key_id: id } = await add({ name: 'race', role: 'Viewer' });
  const replies = await Promise.all(Array.from({ length: 8 }, () => rotate(id, '1h')));
  const good = replies.filter(({ status }) => status === 200);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 400, 400, 400, 400]);
  for (const text of [key, ...good.map(({ body }) => body.key)]) expect((await callWith(text)).status).toBe(200);
});

test('a simultaneous rotation and removal leave no key and no working secret', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { key, key_id: id } = await add({ name: `both ${round}`, role: 'Viewer' });
    const [rotated, removed] = await Promise.all([rotate(id, '1h'), remove(id)]);
    expect(removed.status).toBe(204);
    expect([200, 404]).toContain(rotated.status);
    for (const text of [key, rotated.body.key].filter((secret) => secret !== undefined))
      expect((await callWith(text)).status).toBe(401);
  }
});

test('an expired key, a session and a missing key cannot be rotated', async () => {
  at(0);
  const { key_id: id } = await add({ name: 'gone', role: 'Viewer', time_to_live: '1m' });
  at(60);
  expect(await rotate(id, '1h')).toMatchObject({ status: 400, body: { code: 9 } });
  inventory.clock.now = undefined;
  const login = { Authorization: `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}` };
  const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers: login });
  for (const other of [body.session_id, 'nothing'])
    expect(await rotate(other, '1h')).toMatchObject({ status: 404, body: { code: 5 } });
});

test.each(['', ' ', '31d', '-1h', '1.5h', 'never', null, 60, undefined])(
  'an overlap of %j is a 400',
  async (overlap) => {
    expect(await rotate('x', overlap)).toMatchObject({ status: 400, body: { details: [{ field: 'overlap' }] } });
  },
);
