import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { askWith, logIn } from '../../../../tests/support/log-in.ts';
import { findAccount, putAccount } from '../../../store/credentials/accounts.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  const admin = (await findAccount(inventory.table, 'admin'))!;
  for (const name of ['viewer', 'editor'])
    await putAccount(inventory.table, { ...admin, name, role: name === 'viewer' ? 'Viewer' : 'Editor' });
});
afterAll(() => inventory.stop());
afterEach(() => (inventory.clock.now = undefined));

const session = async (user = 'admin') => (await logIn(inventory, { user })).body;
const end = (id: string) => `/v1/sessions/${id}`;
const worksWith = async (key: string) => (await askWith(inventory, key, 'GET', '/v1/caller')).status === 200;

test('an Admin key ends any session, which is refused on the next call and cannot end again', async () => {
  const [firstSession, other] = [await session('viewer'), await session('viewer')];
  expect((await inventory.request('DELETE', end(firstSession.session_id))).status).toBe(204);
  expect(await worksWith(firstSession.key)).toBe(false);
  expect(await worksWith(other.key)).toBe(true);
  expect(await inventory.request('DELETE', end(firstSession.session_id))).toMatchObject({
    status: 404,
    body: { message: `Session with ID "${firstSession.session_id}" not found.` },
  });
});

test('a user ends their own sessions, also the calling one', async () => {
  const [firstSession, other] = [await session('viewer'), await session('viewer')];
  expect((await askWith(inventory, firstSession.key, 'DELETE', end(other.session_id))).status).toBe(204);
  expect((await askWith(inventory, firstSession.key, 'DELETE', end(firstSession.session_id))).status).toBe(204);
  expect([await worksWith(firstSession.key), await worksWith(other.key)]).toEqual([false, false]);
});

test("another user's session is not found by a user or a key below Admin", async () => {
  const [theirs, mine] = [await session('editor'), await session('viewer')];
  const refused = [
    await askWith(inventory, mine.key, 'DELETE', end(theirs.session_id)),
    await inventory.request('DELETE', end(theirs.session_id), { as: 'Editor' }),
    await askWith(inventory, mine.key, 'DELETE', end('00000000-0000-4000-8000-000000000000')),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(refused[0]!.body.message).toBe(`Session with ID "${theirs.session_id}" not found.`);
  expect(await worksWith(theirs.key)).toBe(true);
});

test('an API key is no session, and an expired session cannot be ended', async () => {
  const { body: key } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'k', role: 'Viewer' } });
  expect((await inventory.request('DELETE', end(key.key_id))).status).toBe(404);
  expect(await worksWith(key.key)).toBe(true);
  inventory.clock.now = new Date('2998-01-01T00:00:00Z');
  const { session_id: id } = await session();
  inventory.clock.now = new Date('2998-01-01T12:00:00Z');
  expect((await inventory.request('DELETE', end(id))).status).toBe(404);
});

test('the audit contains the author, the user and the address', async () => {
  const { session_id: id } = await session('viewer');
  await inventory.request('DELETE', end(id));
  const { body } = await inventory.request('GET', `/v1/audit?object_id=${id}`);
  expect(body.entries).toMatchObject([
    {
      event: 'session.removed',
      actor: { name: 'test Admin' },
      subject: { id, name: 'viewer' },
      source_ip: '127.0.0.1',
    },
    { event: 'session.added', actor: { kind: 'user', id: 'viewer' }, source_ip: '127.0.0.1' },
  ]);
});
