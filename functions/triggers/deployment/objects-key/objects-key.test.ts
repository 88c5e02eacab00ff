import { testTime } from '../../../../tests/support/test-time.ts';
import { ensureObjectsKey, OBJECTS_KEY, ObjectsKeyNameConflict, removeObjectsKey } from './objects-key.ts';
import { withSend } from '../../../../tests/support/table.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

/** Replaces the secret; as CloudFormation makes it, it contains a generated password. */
let stored: string;
let writes: number;
const secret = {
  read: () => Promise.resolve({ text: stored }),
  write: (text: string) => {
    stored = text;
    writes += 1;
    return Promise.resolve();
  },
};

const ensure = () => ensureObjectsKey(inventory.dependencies, secret);
const remove = () => removeObjectsKey(inventory.dependencies);
const admin = (method: string, path: string, body?: unknown) =>
  inventory.request(method, path, body === undefined ? {} : { body });
const statusWith = async (key: string, method = 'GET', path = '/v1/nodes', body?: unknown) => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await inventory.request(method, path, { headers, ...(body === undefined ? {} : { body }) })).status;
};
const listed = async (): Promise<any[]> =>
  (await admin('GET', '/v1/api-keys')).body.api_keys.filter(({ name }: any) => name === OBJECTS_KEY);

beforeEach(async () => {
  for (const { key_id } of await listed()) await admin('DELETE', `/v1/api-keys/${key_id}`);
  stored = 'a generated password';
  writes = 0;
});

test('makes an Editor key in the secret, which writes objects but no credentials, and which list and audit contain', async () => {
  await ensure();
  const node = { node_type: 'generic', node_name: 'shop-1', address: '10.0.0.1' };
  expect(await statusWith(stored, 'POST', '/v1/nodes', node)).toBe(201);
  expect(await statusWith(stored, 'POST', '/v1/api-keys', { name: 'x', role: 'Viewer' })).toBe(403);
  expect(await listed()).toMatchObject([
    { role: 'Editor', prefix: stored.slice(0, 9), created_by: { kind: 'system', name: 'deployment' } },
  ]);
  const { body } = await admin('GET', '/v1/audit?event=api_key.added');
  expect(body.entries).toContainEqual(
    expect.objectContaining({
      subject: expect.objectContaining({ name: OBJECTS_KEY }),
      actor: expect.objectContaining({ kind: 'system', name: 'deployment' }),
    }),
  );
  expect(JSON.stringify(body)).not.toContain(stored);
});

test('keeps the key at later deployments, also a disabled one', async () => {
  await ensure();
  const [key] = await listed();
  await ensure();
  await admin('PATCH', `/v1/api-keys/${key.key_id}`, { disabled: true });
  await ensure();
  expect(writes).toBe(1);
  expect(await listed()).toMatchObject([{ key_id: key.key_id, disabled: true }]);
});

test('replaces a removed key with a new secret, and the former one stays refused', async () => {
  await ensure();
  const former = stored;
  const [key] = await listed();
  await admin('DELETE', `/v1/api-keys/${key.key_id}`);
  await ensure();
  expect(stored).not.toBe(former);
  expect([await statusWith(former), await statusWith(stored)]).toEqual([401, 200]);
});

test('replaces a key that was rotated without its secret, and keeps one whose new secret is stored', async () => {
  await ensure();
  const [key] = await listed();
  const rotate = async () => (await admin('POST', `/v1/api-keys/${key.key_id}/rotate`, { overlap: '1h' })).body.key;
  stored = `${await rotate()}\n`;
  await ensure();
  expect(writes).toBe(1);
  await rotate();
  await ensure();
  expect(writes).toBe(2);
  expect(await listed()).toHaveLength(1);
  expect(await statusWith(stored)).toBe(200);
});

test('keeps a team key that an Admin stored in the secret, until its end', async () => {
  const add = { name: 'shop', role: 'Editor', owners: ['shop'], time_to_live: '1h' };
  stored = (await admin('POST', '/v1/api-keys', add)).body.key;
  await ensure();
  expect(writes).toBe(0);
  inventory.clock.now = testTime(2 * 3_600_000);
  await ensure();
  expect(writes).toBe(1);
  inventory.clock.now = testTime();
});

test('is completed after a failure between secret and table, or between removal and add', async () => {
  const { table } = inventory.dependencies;
  const failing = (after: number) => {
    let calls = 0;
    const send = (command: any) => {
      const isWrite = command.constructor.name === 'TransactWriteCommand';
      if (isWrite && (calls += 1) > after) return Promise.reject(new Error('table is away'));
      return inventory.table.client.send(command);
    };
    return { ...inventory.dependencies, table: withSend(table, send) };
  };
  await expect(ensureObjectsKey(failing(0), secret)).rejects.toThrow('table is away');
  await ensure();
  expect(await statusWith(stored)).toBe(200);
  const [key] = await listed();
  await admin('POST', `/v1/api-keys/${key.key_id}/rotate`, { overlap: '0s' });
  await expect(ensureObjectsKey(failing(1), secret)).rejects.toThrow('table is away');
  await ensure();
  expect(await statusWith(stored)).toBe(200);
  expect(await listed()).toHaveLength(1);
});

test('leaves a key with the same name that somebody else made', async () => {
  const { key } = (await admin('POST', '/v1/api-keys', { name: OBJECTS_KEY, role: 'Viewer' })).body;
  await expect(ensure()).rejects.toThrow(ObjectsKeyNameConflict);
  expect([writes, stored]).toEqual([0, 'a generated password']);
  await remove();
  expect(await statusWith(key)).toBe(200);
});

test('ends with the resource, also when it has already ended', async () => {
  await ensure();
  await remove();
  expect(await statusWith(stored)).toBe(401);
  await remove();
  expect(await listed()).toEqual([]);
});
