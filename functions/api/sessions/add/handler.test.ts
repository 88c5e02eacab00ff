import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { hashApiKeySecret, newApiKeySecret } from '../../../../shared/auth/api-key-text.ts';
import { authorizerEvent, proxyEvent } from '../../../../local/gateway/proxy-event.ts';
import { ADMIN_PASSWORD } from '../../../../tests/support/inventory.ts';
import { askWith, logIn } from '../../../../tests/support/log-in.ts';
import { createAccountSecrets } from '../../../triggers/authorizer/account-secret.ts';
import { createAuthorizer } from '../../../triggers/authorizer/handler.ts';
import { MAX_SESSIONS } from '../../../domain/access/session.ts';
import { initialiseTable } from '../../../runtime/initialise-table.ts';
import { findAccount, putAccount } from '../../../store/credentials/accounts.ts';
import { sessionItemKey, sessionSlotKey } from '../../../store/table/keys.ts';
import { addSession, listSessions } from '../../../store/credentials/sessions.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(() => (inventory.clock.now = undefined));

const login = (password: string, user = 'admin') =>
  inventory.request('POST', '/v1/sessions', {
    as: null,
    headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
  });
const callerWith = (key: string) =>
  inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: `Bearer ${key}` } });

test('a password opens a session of 12 hours with the role of the account', async () => {
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

test('a wrong password and an unknown user get the same reply', async () => {
  for (const reply of [await login('wrong'), await login(ADMIN_PASSWORD, 'nobody')])
    expect(reply).toMatchObject({ status: 401, body: { code: 16, message: 'Invalid username or password' } });
});

test('keys and sessions cannot open a session', async () => {
  const { body } = await login(ADMIN_PASSWORD);
  expect((await inventory.request('POST', '/v1/sessions')).status).toBe(403);
  const headers = { Authorization: `Bearer ${body.key}` };
  expect((await inventory.request('POST', '/v1/sessions', { as: null, headers })).status).toBe(403);
});

/** A session whose user presented the password of this version, and its digest. */
function sessionOf(user: string, accountVersion: string) {
  const [id, now] = [randomUUID(), inventory.dependencies.clock()];
  const session = {
    key_id: id,
    kind: 'session' as const,
    name: user,
    role: 'Viewer' as const,
    prefix: 'minv_0000',
    created_at: now.toISOString(),
    created_by: { kind: 'user', id: user, name: user },
    expires_at: Math.floor(now.getTime() / 1000) + 3600,
    account_version: accountVersion,
    source_ip: '192.0.2.1',
  };
  return { session, hash: `hash of ${id}` };
}

/** Adds a session to the table, as a login does. */
async function open(user: string, accountVersion: string): Promise<string> {
  const { session, hash } = sessionOf(user, accountVersion);
  const actor = { kind: 'user' as const, id: user, name: user };
  const credential = { account: { name: user, version: accountVersion } };
  const cause = { actor, credential, requestId: 'r', now: inventory.dependencies.clock() };
  await addSession(inventory.table, session, hash, cause);
  return session.key_id;
}

/** Takes the first `count` slots, in two transactions. */
async function fill(user: string, accountVersion: string, count: number): Promise<void> {
  const made = Array.from({ length: count }, () => sessionOf(user, accountVersion));
  const put = (items: object[]) =>
    inventory.table.client.send(
      new TransactWriteCommand({
        TransactItems: items.map((Item) => ({ Put: { TableName: inventory.table.name, Item: { ...Item } } })),
      }),
    );
  await put(made.map(({ session, hash }) => ({ ...session, ...sessionItemKey(hash) })));
  await put(
    made.map(({ session: { key_id, name, expires_at, account_version }, hash }, index) => ({
      ...sessionSlotKey(user, String(index).padStart(2, '0')),
      ...{ user_name: name, session_id: key_id, key_hash: hash, expires_at, account_version },
    })),
  );
}

async function addUser(name: string): Promise<string> {
  const admin = (await findAccount(inventory.table, 'admin'))!;
  await putAccount(inventory.table, { ...admin, name, role: 'Viewer' });
  return admin.updated_at;
}

const openOf = async (user: string) => {
  const now = inventory.dependencies.clock();
  const page = { size: 1000, after: undefined };
  return (await listSessions(inventory.table, { of: { user }, now }, page)).objects.length;
};

describe('the limit of a hundred open sessions of a user', () => {
  const start = new Date('2998-01-01T00:00:00Z');

  test('is exact for simultaneous log-ins; ended and expired sessions do not count', async () => {
    inventory.clock.now = start;
    const version = await addUser('many');
    await fill('many', version, MAX_SESSIONS - 5);
    const outcomes = await Promise.allSettled(Array.from({ length: 15 }, () => open('many', version)));
    const [opened] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toHaveLength(10);
    for (const error of refused)
      expect(error).toMatchObject({
        kind: 'resourceExhausted',
        message: expect.stringContaining('DELETE /v1/sessions/'),
      });
    expect(await openOf('many')).toBe(MAX_SESSIONS);
    expect(await logIn(inventory, { user: 'many' })).toMatchObject({ status: 429, body: { code: 8 } });
    // Sessions of another user are counted separately.
    expect((await logIn(inventory)).status).toBe(201);

    expect((await inventory.request('DELETE', `/v1/sessions/${opened}`)).status).toBe(204);
    await open('many', version);
    await expect(open('many', version)).rejects.toThrow('the maximum');
    inventory.clock.now = new Date(start.getTime() + 3_600_000);
    await Promise.all([1, 2, 3].map(() => open('many', version)));
    expect(await openOf('many')).toBe(3);
  });

  test('omits sessions older than the password, and a late log-in with the old password does not count', async () => {
    inventory.clock.now = start;
    const version = await addUser('changed');
    await fill('changed', version, MAX_SESSIONS);
    const account = (await findAccount(inventory.table, 'changed'))!;
    const newer = new Date(Date.parse(version) + 1).toISOString();
    await putAccount(inventory.table, { ...account, updated_at: newer });
    expect(await openOf('changed')).toBe(0);
    await open('changed', newer);
    // From then on the slots of the old sessions are free.
    inventory.clock.now = new Date(start.getTime() + 3_600_000);
    await expect(open('changed', version)).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(await openOf('changed')).toBe(0);
  });
});

test('a new password ends all older sessions and no key, also the same password at the same time', async () => {
  inventory.clock.now = new Date('2997-01-01T00:00:00Z');
  const { body: old } = await logIn(inventory);
  await initialiseTable(inventory.dependencies, { given: ADMIN_PASSWORD, reset: true });
  const { body: fresh } = await logIn(inventory);
  await initialiseTable(inventory.dependencies, { given: ADMIN_PASSWORD, reset: true });
  for (const { key } of [old, fresh])
    expect(await callerWith(key)).toMatchObject({ status: 401, body: { message: 'Expired API key' } });
  expect(await openOf('admin')).toBe(0);
  expect((await inventory.request('GET', '/v1/caller')).status).toBe(200);
  const { body: last } = await logIn(inventory);
  // A start without a reset changes nothing.
  await initialiseTable(inventory.dependencies, { given: 'another', reset: false });
  expect((await askWith(inventory, last.key, 'GET', '/v1/caller')).status).toBe(200);
});

test('in the cloud, a new secret value ends all older sessions within the minute of its cache', async () => {
  const at = (seconds: number) => new Date(Date.UTC(2996, 0, 1, 0, 0, seconds));
  const secret = { text: 'generated', setAt: at(-100) };
  const times = { created_at: at(-200).toISOString(), updated_at: at(-200).toISOString() };
  await putAccount(inventory.table, { name: 'deployed', role: 'Admin', ...times, secret_arn: 'arn' });
  const { check, versionOf } = createAccountSecrets(() => Promise.resolve(secret));
  const authorizer = createAuthorizer(() => inventory.dependencies, check, versionOf);
  const contextAt = async (seconds: number, authorization: string) => {
    inventory.clock.now = at(seconds);
    const sent = { method: 'GET', url: '/', rawHeaders: ['Authorization', authorization], body: '', sourceIp: '::1' };
    const event = proxyEvent(sent, { requestId: 'r', resource: '/', params: {}, authorizer: undefined });
    return (await authorizer(authorizerEvent(event))).context;
  };
  const password = `Basic ${Buffer.from('deployed:generated').toString('base64')}`;
  expect(await contextAt(0, password)).toMatchObject({ accountVersion: at(-100).toISOString() });
  const text = newApiKeySecret((size) => Buffer.alloc(size, 77));
  const session = { key_id: randomUUID(), kind: 'session' as const, name: 'deployed', role: 'Admin' as const };
  const made = {
    prefix: 'minv_0000',
    created_at: at(0).toISOString(),
    created_by: { kind: 'user', id: 'd', name: 'd' },
  };
  await addSession(
    inventory.table,
    {
      ...session,
      ...made,
      expires_at: at(3600).getTime() / 1000,
      account_version: at(-100).toISOString(),
      source_ip: '::1',
    },
    hashApiKeySecret(text),
    {
      actor: { kind: 'user', id: 'deployed', name: 'deployed' },
      credential: { account: { name: 'deployed', version: at(-100).toISOString() } },
      requestId: 'r',
      now: inventory.dependencies.clock(),
    },
  );
  expect(await contextAt(1, `Bearer ${text}`)).toMatchObject({ kind: 'session', keyId: session.key_id });
  Object.assign(secret, { text: 'changed', setAt: at(2) });
  expect(await contextAt(59, `Bearer ${text}`)).toMatchObject({ kind: 'session' });
  expect(await contextAt(60, `Bearer ${text}`)).toEqual({ message: 'Expired API key' });
});
