import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { hashApiKeySecret } from '../../../../shared/auth/api-key-text.ts';
import { findApiKey } from '../../../store/credentials/api-keys.ts';
import { recordUse } from '../../../store/credentials/api-key-use.ts';
import { accountKey } from '../../../store/table/keys.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = async (body: unknown) => (await inventory.request('POST', '/v1/api-keys', { body })).body;
const remove = (id: string) => inventory.request('DELETE', `/v1/api-keys/${id}`);
const versionWith = (key: string) =>
  inventory.request('GET', '/v1/version', { as: null, headers: { Authorization: `Bearer ${key}` } });

test('a removed key is refused on the next call like an unknown one', async () => {
  const { key, key_id: id } = await add({ name: 'k', role: 'Viewer' });
  expect((await versionWith(key)).status).toBe(200);
  expect((await remove(id)).status).toBe(204);
  expect(await versionWith(key)).toMatchObject({ status: 401, body: { message: 'Invalid API key' } });
  expect(await remove(id)).toMatchObject({ status: 404, body: { message: `API key with ID "${id}" not found.` } });
});

test('a late write of the last use does not restore a removed key', async () => {
  const { key, key_id: id } = await add({ name: 'late', role: 'Viewer' });
  const hash = hashApiKeySecret(key);
  const read = await findApiKey(inventory.table, hash);
  await remove(id);
  await recordUse(inventory.table, { key: read!, hash, newest: hash, nowSeconds: 1, sourceIp: '10.0.0.9' });
  expect(await findApiKey(inventory.table, hash)).toBeUndefined();
  expect((await versionWith(key)).status).toBe(401);
});

test('a session is not an API key', async () => {
  const login = { Authorization: `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}` };
  const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers: login });
  expect((await remove(body.session_id)).status).toBe(404);
  expect((await versionWith(body.key)).status).toBe(200);
});

describe('without the admin account', () => {
  beforeAll(() =>
    inventory.table.client.send(new DeleteCommand({ TableName: inventory.table.name, Key: accountKey('admin') })),
  );

  test('the last permanent Admin key cannot be removed', async () => {
    const keys = (await inventory.request('GET', '/v1/api-keys')).body.api_keys as { name: string; key_id: string }[];
    const adminKeyId = keys.find(({ name }) => name === 'test Admin')!.key_id;
    expect(await remove(adminKeyId)).toMatchObject({ status: 400, body: { code: 9 } });
    const brief = await add({ name: 'brief', role: 'Admin', time_to_live: '1h' });
    // A key that expires does not count as the last admin credential.
    expect(await remove(adminKeyId)).toMatchObject({ status: 400, body: { code: 9 } });
    expect((await remove(brief.key_id)).status).toBe(204);
    const second = await add({ name: 'second', role: 'Admin' });
    // Of two simultaneous removals, at most one may succeed.
    const replies = await Promise.all([remove(adminKeyId), remove(second.key_id)]);
    expect(replies.map(({ status }) => status).sort()).not.toEqual([204, 204]);
  });
});
