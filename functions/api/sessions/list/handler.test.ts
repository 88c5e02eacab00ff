import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { askWith, logIn } from '../../../../tests/support/log-in.ts';
import { accepted } from '../../../../tests/support/users.ts';
import { findAccount, putAccount } from '../../../store/credentials/accounts.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  // Another user, with the same password.
  const admin = (await findAccount(inventory.table, 'admin'))!;
  await putAccount(inventory.table, { ...admin, name: 'viewer', role: 'Viewer' });
});
afterAll(() => inventory.stop());
afterEach(() => (inventory.clock.now = undefined));

const ids = ({ body }: { body: any }): string[] => body.sessions.map(({ session_id: id }: any) => id);

test('an Admin sees all sessions with user, start, end and address', async () => {
  inventory.clock.now = new Date('2999-01-01T00:00:00Z');
  const { body: mine } = await logIn(inventory);
  const { body: other } = await logIn(inventory, { user: 'viewer' });
  const { status, body } = await inventory.request('GET', '/v1/sessions');
  expect(status).toBe(200);
  const times = { created_at: '2999-01-01T00:00:00.000Z', expires_at: '2999-01-01T12:00:00.000Z' };
  const source_ip = '127.0.0.1';
  expect(body).toEqual({
    sessions: [
      { session_id: mine.session_id, user_name: 'admin', role: 'Admin', ...times, source_ip, method: 'password' },
      { session_id: other.session_id, user_name: 'viewer', role: 'Viewer', ...times, source_ip, method: 'password' },
    ],
  });
  inventory.clock.now = new Date('2999-01-01T00:10:00Z');
  const reply = await askWith(inventory, mine.key, 'GET', '/v1/sessions');
  expect(reply.body.sessions[0]).toMatchObject({ current: true, last_used_at: '2999-01-01T00:10:00.000Z' });
  expect(reply.body.sessions[1]).not.toHaveProperty('current');
});

test('a user below Admin sees their own sessions, and a key below Admin none, whatever its name', async () => {
  await logIn(inventory);
  const { body: viewerSession } = await logIn(inventory, { user: 'viewer' });
  const seen = await askWith(inventory, viewerSession.key, 'GET', '/v1/sessions');
  expect(ids(seen)).toContain(viewerSession.session_id);
  expect(new Set(seen.body.sessions.map(({ user_name: user }: any) => user))).toEqual(new Set(['viewer']));
  const { body: namesake } = await inventory.request('POST', '/v1/api-keys', {
    body: { name: 'viewer', role: 'Editor' },
  });
  expect(ids(await askWith(inventory, namesake.key, 'GET', '/v1/sessions'))).toEqual([]);
  expect((await inventory.request('GET', '/v1/sessions', { as: 'Registrar' })).status).toBe(403);
});

test('an expired session is not listed', async () => {
  inventory.clock.now = new Date('2998-01-01T00:00:00Z');
  const { body } = await logIn(inventory);
  inventory.clock.now = new Date('2998-01-01T11:59:59Z');
  expect(ids(await inventory.request('GET', '/v1/sessions'))).toContain(body.session_id);
  inventory.clock.now = new Date('2998-01-01T12:00:00Z');
  expect(ids(await inventory.request('GET', '/v1/sessions'))).not.toContain(body.session_id);
});

test('lists each session once across pages of any size', async () => {
  for (let index = 0; index < 3; index += 1) await logIn(inventory);
  const all = ids(await inventory.request('GET', '/v1/sessions'));
  const sessionIds: string[] = [];
  let token: string | undefined;
  do {
    const more: string = token === undefined ? '' : `&page_token=${encodeURIComponent(token)}`;
    const reply = await inventory.request('GET', `/v1/sessions?page_size=2${more}`);
    expect(reply.body.sessions.length).toBeGreaterThan(0);
    sessionIds.push(...ids(reply));
    token = reply.body.next_page_token;
  } while (token !== undefined);
  expect(sessionIds).toEqual(all);
  expect(all.length).toBeGreaterThan(4);
});

test('the filter by user is for Admins; other callers see only their own sessions', async () => {
  const [session, other] = [await accepted(inventory), await accepted(inventory)];
  const { body } = await inventory.request('GET', `/v1/sessions?user_id=${session.user_name}`);
  expect(body.sessions.map(({ user_id: id }: any) => id)).toEqual([session.user_name]);
  const seen = async (user: string) =>
    ids(await askWith(inventory, session.key, 'GET', `/v1/sessions?user_id=${user}`));
  expect(await seen(session.user_name)).toEqual([session.session_id]);
  expect(await seen(other.user_name)).toEqual([]);
});
