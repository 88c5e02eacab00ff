import { randomUUID } from 'node:crypto';
import { startInventory } from '../../../../tests/support/inventory.ts';
import { askForSession } from '../../../../tests/support/devices.ts';
import { sendLogOutToken } from '../../../../tests/support/log-out-receiver.ts';
import { askWith } from '../../../../tests/support/log-in.ts';
import { accepted, invited, logInAs, PASSWORD } from '../../../../tests/support/users.ts';
import { LOG_INS_PER_MINUTE } from '../../../store/credentials/log-in.ts';
import { isStillValid } from '../../../store/jobs/credential-check.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(() => (inventory.clock.now = undefined));

const logIn = (body: object, sourceIp?: string) => logInAs(inventory, body, sourceIp);

const byPassword = (user_name: string, password = PASSWORD, more = {}) =>
  logIn({ method: 'password', user_name, password, ...more });

const passwordFrom = (sourceIp: string, user_name: string, password = PASSWORD) =>
  logIn({ method: 'password', user_name, password }, sourceIp);

const statusOf = async (key: string) => (await askWith(inventory, key, 'GET', '/v1/caller')).status;

test('an invitation sets the password once, and opens a session with the role of the user', async () => {
  const { user_name, invitation } = await invited(inventory);
  const accept = { method: 'invitation', user_name, invitation, new_password: PASSWORD };
  const { status, body } = await logIn(accept);
  expect([status, body.user_id, body.name, body.role]).toEqual([201, user_name, user_name, 'Editor']);
  expect((await logIn(accept)).status).toBe(401);
  expect((await byPassword(user_name)).status).toBe(201);
  const { body: caller } = await askWith(inventory, body.key, 'GET', '/v1/caller');
  expect(caller).toMatchObject({ kind: 'session', name: user_name, user_id: user_name, role: 'Editor' });
});

test('of simultaneous uses of one invitation exactly one succeeds', async () => {
  const { user_name, invitation } = await invited(inventory);
  const replies = await Promise.all(
    [1, 2, 3, 4, 5].map((number) =>
      logIn({ method: 'invitation', user_name, invitation, new_password: `${PASSWORD} ${number}` }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401]);
});

test('an invitation is refused after its end, for another user, and after a newer one', async () => {
  const [invitee, other] = [await invited(inventory), await invited(inventory)];
  const accept = (user_name: string, invitation: string) =>
    logIn({ method: 'invitation', user_name, invitation, new_password: PASSWORD });
  expect((await accept(invitee.user_name, other.invitation)).status).toBe(401);
  inventory.clock.now = testTime(3 * 86_400_000 + 1000);
  expect((await accept(invitee.user_name, invitee.invitation)).status).toBe(401);
  inventory.clock.now = undefined;
  const { body } = await inventory.request('POST', `/v1/users/${invitee.user_name}/invite`, { body: {} });
  expect((await accept(invitee.user_name, invitee.invitation)).status).toBe(401);
  expect((await accept(invitee.user_name, body.invitation)).status).toBe(201);
});

test('a new password needs the present one and 12 characters, and ends all other sessions', async () => {
  const { user_name, key } = await accepted(inventory);
  const next = 'another long sentence';
  expect((await byPassword(user_name, 'wrong password', { new_password: next })).status).toBe(401);
  expect((await byPassword(user_name, PASSWORD, { new_password: 'elevenchars' })).status).toBe(400);
  expect(await statusOf(key)).toBe(200);
  const { status, body } = await byPassword(user_name, PASSWORD, { new_password: next });
  expect([status, await statusOf(key), await statusOf(body.key)]).toEqual([201, 401, 200]);
  expect((await byPassword(user_name)).status).toBe(401);
  expect((await byPassword(user_name, next)).status).toBe(201);
});

test('every refusal has the same reply except the request id, and the audit contains the reason', async () => {
  const { user_name } = await accepted(inventory);
  const { user_name: disabled } = await accepted(inventory);
  await inventory.request('PATCH', `/v1/users/${disabled}`, { body: { disabled: true } });
  const { user_name: fresh } = await invited(inventory);
  const invitation = 'minv_invite_1sVm0000000000000000000000000000000000000000_00000000';
  const replies = [
    await byPassword(user_name, 'wrong password'),
    await byPassword('nobody'),
    await byPassword(disabled),
    await byPassword(fresh),
    await logIn({ method: 'invitation', user_name, invitation, new_password: PASSWORD }),
  ];
  const texts = replies.map(({ status, body: { request_id: _id, ...rest } }) => JSON.stringify([status, rest]));
  expect(new Set(texts).size).toBe(1);
  expect(replies[0]?.status).toBe(401);
  const { body } = await inventory.request('GET', '/v1/audit?event=sign_in.refused');
  const refusals = body.entries.map(({ reason, subject }: any) => [reason, subject?.id]);
  for (const entry of [
    ['wrong_password', user_name],
    ['unknown_user', undefined],
    ['disabled_user', disabled],
    ['wrong_password', fresh],
    ['invalid_invitation', undefined],
  ])
    expect(refusals).toContainEqual(entry);
  const logged = JSON.stringify([inventory.logged, body]);
  for (const secret of [PASSWORD, 'wrong password', invitation]) expect(logged).not.toContain(secret);
});

test('the audit names the user as the author of a change', async () => {
  const { key, user_name } = await accepted(inventory);
  const sent = { as: null, headers: { Authorization: `Bearer ${key}` } };
  const node = { node_type: 'generic', node_name: `n-${randomUUID()}`, address: 'a' };
  const { body } = await inventory.request('POST', '/v1/nodes', { ...sent, body: node });
  const audit = await inventory.request('GET', `/v1/audit?object_id=${body.node_id}`);
  expect(audit.body.entries[0].actor).toMatchObject({ kind: 'session', name: user_name });
});

test.each([
  ['another role', 'PATCH', '', { role: 'Viewer' }],
  ['the lock', 'PATCH', '', { disabled: true }],
  ['the end of all sessions', 'DELETE', '/sessions', undefined],
  ['another invitation', 'POST', '/invite', {}],
  ['the removal', 'DELETE', '', undefined],
])('%s of a user ends each session with its list pages, credential changes and jobs', async (...row) => {
  const [, method, path, body] = row;
  const { user_name, key, session_id: id } = await accepted(inventory, 'Admin');
  const actor = { kind: 'session' as const, id, name: user_name };
  const { clock } = inventory.dependencies;
  const since = clock().toISOString();
  expect(await isStillValid(inventory.table, actor, { since, now: clock() })).toBe(true);
  const reply = await inventory.request(method, `/v1/users/${user_name}${path}`, body === undefined ? {} : { body });
  expect(reply.status).toBeLessThan(300);
  expect(await statusOf(key)).toBe(401);
  const { body: list } = await inventory.request('GET', '/v1/sessions?page_size=1000');
  expect(list.sessions.map(({ session_id }: any) => session_id)).not.toContain(id);
  expect(await isStillValid(inventory.table, actor, { since, now: clock() })).toBe(false);
});

test('an ended session changes no credentials, even with a cached reply of the authorizer', async () => {
  const cached = await startInventory({ authorizerCacheSeconds: 300 });
  try {
    const { body: user } = await cached.request('POST', '/v1/users', { body: { user_name: 'maria', role: 'Admin' } });
    const { invitation } = user;
    const accept = { method: 'invitation', user_name: 'maria', invitation, new_password: PASSWORD };
    const { body } = await cached.request('POST', '/v1/logins', { as: null, body: accept });
    const request = { as: null, headers: { Authorization: `Bearer ${body.key}` } };
    const addKey = (name: string) =>
      cached.request('POST', '/v1/api-keys', { ...request, body: { name, role: 'Viewer' } });
    expect((await addKey('before')).status).toBe(201);
    await cached.request('PATCH', '/v1/users/maria', { body: { disabled: true } });
    expect((await cached.request('GET', '/v1/caller', request)).status).toBe(200);
    expect((await addKey('after')).status).toBe(401);
  } finally {
    await cached.stop();
  }
});

test('a disabled user can log in again after it is enabled', async () => {
  const { user_name } = await accepted(inventory);
  const set = (disabled: boolean) => inventory.request('PATCH', `/v1/users/${user_name}`, { body: { disabled } });
  await set(true);
  expect((await byPassword(user_name)).status).toBe(401);
  await set(false);
  expect((await byPassword(user_name)).status).toBe(201);
});

test('an address has 60 attempts a minute, independent of other addresses', async () => {
  const { user_name } = await accepted(inventory);
  const malformed = { method: 'invitation', user_name, invitation: 'x', new_password: PASSWORD };
  inventory.clock.now = new Date('2999-01-01T00:00:10Z');
  for (let attempt = 0; attempt < LOG_INS_PER_MINUTE; attempt += 1)
    expect((await logIn(malformed, '198.51.100.9')).status).toBe(401);
  const { status, headers } = await logIn(malformed, '198.51.100.9');
  expect([status, headers['Retry-After']]).toEqual([429, '50']);
  expect((await logIn(malformed, '198.51.100.10')).status).toBe(401);
  inventory.clock.now = new Date('2999-01-01T00:01:00Z');
  expect((await logIn(malformed, '198.51.100.9')).status).toBe(401);
});

test('more than 60 people behind one address log in within a minute', async () => {
  const { user_name } = await accepted(inventory);
  inventory.clock.now = new Date('2999-01-01T01:00:10Z');
  const sourceIp = '198.51.100.20';
  for (let count = 0; count < LOG_INS_PER_MINUTE + 5; count += 1)
    expect((await passwordFrom(sourceIp, user_name)).status).toBe(201);
  const guesses = Array.from({ length: LOG_INS_PER_MINUTE + 5 }, () => passwordFrom(sourceIp, user_name, 'wrong'));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(LOG_INS_PER_MINUTE);
});

/** A call of each kind that needs no credentials, and is refused unless it asks for a device. */
const floods: Record<string, (sourceIp: string) => Promise<{ status: number }>> = {
  'device authorizations': (sourceIp) => askForSession(inventory, 'a program', sourceIp),
  'log-out tokens': (sourceIp) => sendLogOutToken(inventory, 'x', sourceIp),
  'codes of a provider': (sourceIp) => {
    const texts = { nonce: 'x'.repeat(43), code_verifier: 'x'.repeat(43), code: randomUUID() };
    const body = { method: 'oidc', provider: 'company', redirect_uri: 'https://other.example.com/', ...texts };
    return logIn(body, sourceIp);
  },
  'tokens of programs': (sourceIp) => logIn({ method: 'jwt', provider: 'github', token: 'x' }, sourceIp),
  'keys of sessions': (sourceIp) => logIn({ method: 'session', key: 'x' }, sourceIp),
  'codes of devices': (sourceIp) => logIn({ method: 'device', device_code: 'x' }, sourceIp),
  invitations: (sourceIp) =>
    logIn({ method: 'invitation', user_name: 'x', invitation: 'x', new_password: PASSWORD }, sourceIp),
};

test.each(Object.keys(floods))(
  'too many %s from an address do not block another kind of log-in there',
  async (kind) => {
    const { user_name } = await accepted(inventory);
    inventory.clock.now = new Date('2999-01-01T02:00:10Z');
    const sourceIp = `192.0.2.${Object.keys(floods).indexOf(kind)}`;
    for (let count = 0; count < LOG_INS_PER_MINUTE; count += 1) await floods[kind]!(sourceIp);
    expect((await floods[kind]!(sourceIp)).status).toBe(429);
    expect((await passwordFrom(sourceIp, user_name)).status).toBe(201);
    const others = Object.keys(floods).filter((other) => other !== kind);
    for (const other of others) expect([other, (await floods[other]!(sourceIp)).status]).not.toEqual([other, 429]);
  },
);

test('a session of an Editor with owners writes only objects of these owners', async () => {
  const { key, session_id: id } = await accepted(inventory, 'Editor', { owners: ['dba'] });
  const request = { as: null, headers: { Authorization: `Bearer ${key}` } };
  const { body: caller } = await inventory.request('GET', '/v1/caller', request);
  expect(caller).toMatchObject({ role: 'Editor', owners: ['dba'] });
  const add = (team?: string) => {
    const custom_labels = team === undefined ? {} : { team };
    const body = { node_type: 'generic', node_name: `n-${randomUUID()}`, address: 'a', custom_labels };
    return inventory.request('POST', '/v1/nodes', { ...request, body });
  };
  expect((await add()).body.custom_labels).toEqual({ team: 'dba' });
  expect((await add('shop')).status).toBe(403);
  const { body: list } = await inventory.request('GET', '/v1/sessions', request);
  expect(list.sessions).toEqual([
    expect.objectContaining({ session_id: id, owners: ['dba'], method: 'invitation', current: true }),
  ]);
});
