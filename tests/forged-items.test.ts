/** Somebody who reaches the engine past the service can write every item. None of it grants anything. */
import { randomBytes } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  accountKey,
  apiKeyIdKey,
  apiKeyItemKey,
  apiKeyNameKey,
  enrolmentTokenKey,
  SESSIONS_PARTITION,
} from '../functions/store/table/keys.ts';
import {
  hashApiKeySecret,
  hashEnrolmentTokenSecret,
  newApiKeySecret,
  newEnrolmentTokenSecret,
} from '../shared/auth/api-key-text.ts';
import { hashPassword } from '../shared/auth/password.ts';
import { ADMIN_PASSWORD, type Inventory, startInventory } from './support/inventory.ts';
import { TEST_TIME } from './support/test-time.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

type Item = Record<string, any>;

const put = (Item: Item) => inventory.foreign.client.send(new PutCommand({ TableName: inventory.foreign.name, Item }));

async function get(Key: { pk: string; sk: string }): Promise<Item> {
  const { Item } = await inventory.foreign.client.send(
    new GetCommand({ TableName: inventory.foreign.name, Key, ConsistentRead: true }),
  );
  return Item!;
}

const set = (Key: { pk: string; sk: string }, name: string, value: unknown) =>
  inventory.foreign.client.send(
    new UpdateCommand({
      TableName: inventory.foreign.name,
      Key,
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

const remove = (Key: { pk: string; sk: string }) =>
  inventory.foreign.client.send(new DeleteCommand({ TableName: inventory.foreign.name, Key }));

const basic = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

const statusFor = async (authorization: string) =>
  (await inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: authorization } })).status;

async function addKey(body: Item = {}): Promise<{ key: string; key_id: string; item: { pk: string; sk: string } }> {
  const reply = await inventory.request('POST', '/v1/api-keys', {
    body: { name: `k${randomBytes(4).toString('hex')}`, role: 'Viewer', ...body },
  });
  expect(reply.status).toBe(201);
  return { ...reply.body, item: apiKeyItemKey(hashApiKeySecret(reply.body.key)) };
}

test('an invented key of an Admin is no key, and the log tells that there was one', async () => {
  const { item } = await addKey();
  const text = newApiKeySecret(randomBytes);
  await put({ ...(await get(item)), ...apiKeyItemKey(hashApiKeySecret(text)), role: 'Admin', seal: undefined });
  expect(await statusFor(`Bearer ${text}`)).toBe(401);
  expect(inventory.logged).toContainEqual({
    level: 'error',
    message: 'an item that this service did not write is ignored',
    item: 'KEY',
  });
});

test("a copy of an Admin's item under the digest of another key is no key", async () => {
  const admin = await get(apiKeyItemKey(hashApiKeySecret(inventory.keys.Admin)));
  expect(admin).toMatchObject({ role: 'Admin', seal: expect.any(String) });
  const text = newApiKeySecret(randomBytes);
  await put({ ...admin, ...apiKeyItemKey(hashApiKeySecret(text)) });
  expect(await statusFor(`Bearer ${text}`)).toBe(401);
  expect(await statusFor(`Bearer ${inventory.keys.Admin}`)).toBe(200);
});

test.each([
  ['role', 'Admin'],
  ['expires_at', 4_000_000_000],
  ['node_id', '00000000-0000-4000-8000-000000000001'],
  ['kind', 'session'],
  ['key_id', '00000000-0000-4000-8000-000000000002'],
  ['superseded', true],
  ['anything', 1],
])('a key whose %s somebody has altered is no key any more', async (name, value) => {
  const { key, item } = await addKey({ time_to_live: '1h' });
  expect(await statusFor(`Bearer ${key}`)).toBe(200);
  await set(item, name, value);
  expect(await statusFor(`Bearer ${key}`)).toBe(401);
});

test('changes that grant nothing leave a key valid: its last use, its limit', async () => {
  const { key, key_id: id, item } = await addKey();
  expect(await statusFor(`Bearer ${key}`)).toBe(200);
  expect(await get(item)).toMatchObject({ last_used_at: expect.any(Number) });
  await inventory.request('PATCH', `/v1/api-keys/${id}`, { body: { rate_limit_per_minute: 1000 } });
  expect(await get(item)).toMatchObject({ rate_limit_per_minute: 1000 });
  expect(await statusFor(`Bearer ${key}`)).toBe(200);
});

test('a removed key that somebody puts back is no key, nor is one that no list contains or no request can remove', async () => {
  const { key, key_id: id, item } = await addKey();
  const { name } = (await get(item)) as { name: string };
  const items = [item, apiKeyIdKey(id), apiKeyNameKey(name)];
  const kept = await Promise.all(items.map(get));
  expect((await inventory.request('DELETE', `/v1/api-keys/${id}`)).status).toBe(204);
  await put(kept[0]!);
  expect(await statusFor(`Bearer ${key}`)).toBe(401);
  await put(kept[1]!);
  expect(await statusFor(`Bearer ${key}`)).toBe(401);
  await remove(items[1]!);
  await put(kept[2]!);
  expect(await statusFor(`Bearer ${key}`)).toBe(401);
  // All of its items are the whole key, which then is in the list, and can be removed again.
  await put(kept[1]!);
  expect(await statusFor(`Bearer ${key}`)).toBe(200);
  const { body } = await inventory.request('GET', `/v1/api-keys?name_prefix=${name}`);
  expect(body.api_keys).toMatchObject([{ key_id: id }]);
});

test('a secret that was rotated away without an overlap stays so when somebody puts its item back', async () => {
  const { key, key_id: id, item } = await addKey();
  const kept = await get(item);
  const { body } = await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '0s' } });
  await put(kept);
  expect([await statusFor(`Bearer ${key}`), await statusFor(`Bearer ${body.key}`)]).toEqual([401, 200]);
});

test('a session works only while its slot names it, so that each one can be seen and ended', async () => {
  const open = async () => {
    const headers = { Authorization: basic(ADMIN_PASSWORD) };
    const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers });
    expect(await statusFor(`Bearer ${body.key}`)).toBe(200);
    const { slot } = await get(apiKeyIdKey(body.session_id));
    const item = apiKeyItemKey(hashApiKeySecret(body.key));
    return { key: body.key as string, item, slot: { pk: SESSIONS_PARTITION, sk: slot as string } };
  };
  const [first, second] = [await open(), await open()];
  const kept = await get(first.slot);
  await remove(first.slot);
  expect(await statusFor(`Bearer ${first.key}`)).toBe(401);
  await put(kept);
  expect(await statusFor(`Bearer ${first.key}`)).toBe(200);
  await set(first.slot, 'expires_at', 0);
  expect(await statusFor(`Bearer ${first.key}`)).toBe(401);
  await put({ ...kept, ...second.slot });
  expect(await statusFor(`Bearer ${second.key}`)).toBe(401);
  // Taken, so that the third session has another slot.
  await put(kept);
  const third = await open();
  await set(third.item, 'slot', first.slot.sk);
  expect(await statusFor(`Bearer ${third.key}`)).toBe(401);
});

test("a forged id that leads to an Admin's key hands that key to nobody", async () => {
  const { key, key_id: id } = await addKey();
  const known = await get(apiKeyIdKey(id));
  await put({ ...known, key_hash: hashApiKeySecret(inventory.keys.Admin) });
  const reply = await inventory.request('POST', '/v1/caller/rotate', {
    body: {},
    as: null,
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.text).not.toContain('minv_');
  expect(await statusFor(`Bearer ${inventory.keys.Admin}`)).toBe(200);
});

test('after a rotation both texts are genuine, and the older one cannot be prolonged', async () => {
  const { key, key_id: id, item } = await addKey();
  const { body, status } = await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '1h' } });
  expect(status).toBe(200);
  expect([await statusFor(`Bearer ${key}`), await statusFor(`Bearer ${body.key}`)]).toEqual([200, 200]);
  await set(item, 'expires_at', 4_000_000_000);
  expect([await statusFor(`Bearer ${key}`), await statusFor(`Bearer ${body.key}`)]).toEqual([401, 200]);
});

test('an invented enrolment token enrols nobody', async () => {
  const { body } = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: 't' } });
  const item = await get(enrolmentTokenKey(hashEnrolmentTokenSecret(body.token)));
  const text = newEnrolmentTokenSecret(randomBytes);
  await put({ ...item, ...enrolmentTokenKey(hashEnrolmentTokenSecret(text)) });
  await set(enrolmentTokenKey(hashEnrolmentTokenSecret(body.token)), 'node_name', 'taken');
  for (const token of [text, body.token]) {
    const node = { node_type: 'generic', node_name: 'taken', address: '10.0.0.1' };
    const reply = await inventory.request('POST', '/v1/enrolment', { body: { token, node }, as: null });
    expect(reply.status).toBe(401);
  }
});

describe('a table whose items have the seal of another key', () => {
  const resealed = async (key: { pk: string; sk: string }) => put({ ...(await get(key)), seal: 'x'.repeat(43) });

  test('has free names: a key is added with the name of one that no list contains', async () => {
    const { key_id: id, key: lost, item } = await addKey({ name: 'taken' });
    for (const one of [item, apiKeyIdKey(id), apiKeyNameKey('taken')]) await resealed(one);
    expect((await inventory.request('GET', '/v1/api-keys?name_prefix=taken')).body.api_keys).toEqual([]);
    const { key } = await addKey({ name: 'taken' });
    expect([await statusFor(`Bearer ${lost}`), await statusFor(`Bearer ${key}`)]).toEqual([401, 200]);
    const again = await inventory.request('POST', '/v1/api-keys', { body: { name: 'taken', role: 'Viewer' } });
    expect(again.status).toBe(409);
  });

  test('lets a host enrol again', async () => {
    const node = { node_type: 'generic', node_name: 'resealed', address: '10.0.0.9' };
    const enrol = async () => {
      const { body } = await inventory.request('POST', '/v1/enrolment-tokens', {
        body: { name: 't', node_name: node.node_name },
      });
      const sent = { body: { token: body.token, node }, as: null, sourceIp: node.address };
      const reply = await inventory.request('POST', '/v1/enrolment', sent);
      expect(reply.status).toBe(201);
      return reply.body.api_key;
    };
    const { key: lost, key_id: id } = await enrol();
    for (const one of [apiKeyItemKey(hashApiKeySecret(lost)), apiKeyIdKey(id), apiKeyNameKey('registrar/resealed')])
      await resealed(one);
    const { key } = await enrol();
    expect([await statusFor(`Bearer ${lost}`), await statusFor(`Bearer ${key}`)]).toEqual([401, 200]);
  });
});

test('an event that somebody has made up is not in the audit', async () => {
  const events = async () => JSON.stringify((await inventory.request('GET', '/v1/audit?page_size=1000')).body);
  await put({
    pk: 'AUDIT#ACCESS',
    sk: `${TEST_TIME.toString(36).padStart(9, '0')}aaaaaa`,
    event: 'api_key.added',
    actor_kind: 'user',
    actor_id: 'admin',
    actor_name: 'admin',
    request_id: 'r',
    subject_id: 'made up',
    subject_name: 'made up',
  });
  expect(await events()).toContain('test Admin');
  expect(await events()).not.toContain('made up');
});

// The last one: afterwards nobody can log in.
test('a password that somebody has put in its place lets nobody in', async () => {
  expect(await statusFor(basic(ADMIN_PASSWORD))).toBe(200);
  await set(accountKey('admin'), 'password_hash', await hashPassword('chosen by another', randomBytes));
  expect(await statusFor(basic('chosen by another'))).toBe(401);
});
