import { randomUUID } from 'node:crypto';
import { testInFull } from '../../../shared/testing/extent.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { answerWith, askForSession, poll } from '../../../tests/support/devices.ts';
import { askWith } from '../../../tests/support/log-in.ts';
import { authorized, logIn, logInByProvider, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { renewalKey, sessionItemKey, userKey } from '../../store/table/keys.ts';
import { addRoleBinding } from '../../store/credentials/role-bindings.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import { readItem } from '../../store/table/read.ts';
import { hashApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { scan } from '../../../tests/consistency/invariants.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';
import { refusalsFor } from '../../../tests/support/refusals.ts';

let provider: OidcServer;
let inventory: Inventory;

async function bind(
  group: string,
  role: 'Admin' | 'Editor',
  more: { owners?: string[] } = {},
  { table } = inventory,
): Promise<void> {
  const actor = { kind: 'system' as const, id: 'test', name: 'test' };
  const time = testTime().toISOString();
  const binding = { name: group, provider: 'corporate', claims: { groups: [group] }, role, ...more };
  const record = { created_by: actor, created_at: time, updated_at: time, revision: 1 };
  await addRoleBinding(table, { ...binding, ...record }, { actor, requestId: 'test', now: testTime() });
}

beforeAll(async () => {
  provider = await startOidcServer({ time: testTime() });
  inventory = await startInventory({ identityProviders: [await settingsFor(provider)] });
  await bind('dba', 'Editor');
  await bind('ops', 'Admin');
  await bind('shop', 'Editor', { owners: ['shop'] });
});
afterAll(async () => {
  await inventory.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['dba'] });
  provider.person = 'm-1';
  provider.fault = undefined;
  provider.givesRefreshTokens = true;
  inventory.clock.now = undefined;
});

const renew = (key: string) => logIn(inventory, { method: 'session', key });
const callerOf = (key: string) => askWith(inventory, key, 'GET', '/v1/caller');
const later = (minutes: number) => (inventory.clock.now = testTime(minutes * 60_000));
const refreshes = () => provider.requests.filter((path) => path === '/token').length;
const withoutId = ({ status, body: { request_id: _id, ...rest } }: any) => JSON.stringify([status, rest]);

/** The sessions of this id, as the list shows them. */
async function shownSessions(id: string): Promise<any[]> {
  const { body } = await inventory.request('GET', '/v1/sessions?page_size=1000');
  return body.sessions.filter(({ session_id }: any) => session_id === id);
}

test('a person logs in by a code, gets the role of a binding for ten minutes, and becomes a user', async () => {
  const { status, body } = await logInByProvider(inventory, provider);
  expect([status, body.name, body.role]).toEqual([201, 'corporate/maria', 'Editor']);
  const life = Date.parse(body.expires_at) - TEST_TIME;
  expect(life).toBeGreaterThan(9 * 60_000);
  expect(life).toBeLessThanOrEqual(10 * 60_000 + 1000);
  const { body: caller } = await callerOf(body.key);
  expect(caller).toMatchObject({ kind: 'session', name: 'corporate/maria', user_id: body.user_id, role: 'Editor' });
  expect((await shownSessions(body.session_id)).map(({ bindings }) => bindings)).toEqual([['dba']]);
  const { body: list } = await inventory.request('GET', '/v1/users');
  const user = list.users.find(({ user_id }: any) => user_id === body.user_id);
  expect(user).toMatchObject({ user_name: 'corporate/maria', provider: 'corporate', role: 'Editor', state: 'active' });
});

test('the mark of a used code is kept for an hour, and a session for twelve hours if its key is renewed', async () => {
  later(0);
  const { status, body } = await logInByProvider(inventory, provider);
  const ends = [testTime(10 * 60_000), testTime(12 * 3_600_000)].map((time) => time.toISOString());
  expect([status, body.expires_at, body.renewable_until]).toEqual([201, ...ends]);
  const marks = (await scan(inventory.table)).filter(({ pk }) => String(pk).startsWith('LOGIN#'));
  expect(marks.map(({ ttl }) => ttl)).toContain(TEST_TIME / 1000 + 3600);
});

test('owners of a binding limit the session', async () => {
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['shop'] });
  const { body } = await logInByProvider(inventory, provider);
  expect(body.owners).toEqual(['shop']);
  expect((await callerOf(body.key)).body).toMatchObject({ role: 'Editor', owners: ['shop'] });
  const { body: next } = await renew(body.key);
  expect(next.owners).toEqual(['shop']);
  expect((await callerOf(next.key)).body).toMatchObject({ role: 'Editor', owners: ['shop'] });
});

test('removing a binding ends its sessions and those of their devices at once, and a renewal grants the rest', async () => {
  await bind('release', 'Admin');
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['release', 'dba'] });
  const { body } = await logInByProvider(inventory, provider);
  const { body: codes } = await askForSession(inventory);
  await answerWith(inventory, body.key, { user_code: codes.user_code, answer: 'approve' });
  const { body: device } = await poll(inventory, codes.device_code);
  const statuses = async () => [(await callerOf(body.key)).status, (await callerOf(device.key)).status];
  expect([body.role, device.role, await statuses()]).toEqual(['Admin', 'Admin', [200, 200]]);
  await inventory.request('DELETE', '/v1/role-bindings/release');
  expect(await statuses()).toEqual([401, 401]);
  const { status, body: next } = await renew(body.key);
  expect([status, next.role]).toEqual([201, 'Editor']);
  expect((await callerOf(next.key)).body.role).toBe('Editor');
});

test('an approved device gets no access after the binding is removed', async () => {
  await bind('release', 'Admin');
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['release'] });
  const { body } = await logInByProvider(inventory, provider);
  const { body: codes } = await askForSession(inventory);
  await answerWith(inventory, body.key, { user_code: codes.user_code, answer: 'approve' });
  await inventory.request('DELETE', '/v1/role-bindings/release');
  const { body: device } = await poll(inventory, codes.device_code);
  expect((await callerOf(device.key)).status).toBe(401);
});

/** The session of a device that the session with this key approves. */
async function deviceOf(key: string, at = inventory) {
  const { body: codes } = await askForSession(at);
  const answer = await answerWith(at, key, { user_code: codes.user_code, answer: 'approve' });
  return { answer, session: (await poll(at, codes.device_code)).body };
}

test('dropping a person ends access with the session of the device, which can approve no other', async () => {
  const { body } = await logInByProvider(inventory, provider);
  const { session } = await deviceOf(body.key);
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: [] });
  expect((await renew(body.key)).status).toBe(403);
  const { answer, session: next } = await deviceOf(session.key);
  expect([answer.status, next.key]).toEqual([403, undefined]);
  expect(Date.parse(session.expires_at) - TEST_TIME).toBeLessThanOrEqual(60 * 60_000 + 1000);
});

test('a device session ends with the log-in that approved it at the latest', async () => {
  const sessionMinutes = 720;
  const apart = await startInventory({ identityProviders: [await settingsFor(provider, { sessionMinutes })] });
  try {
    await bind('dba', 'Editor', {}, apart);
    const { body } = await logInByProvider(apart, provider);
    apart.clock.now = testTime(8 * 60_000);
    const { body: next } = await logIn(apart, { method: 'session', key: body.key });
    const { answer, session } = await deviceOf(next.key, apart);
    expect([answer.status, session.expires_at]).toEqual([200, body.renewable_until]);
  } finally {
    await apart.stop();
  }
});

test('without a refresh token, a device session ends with the session that approved it', async () => {
  provider.givesRefreshTokens = false;
  const { body } = await logInByProvider(inventory, provider);
  expect(body.renewable_until).toBeUndefined();
  later(50);
  const { answer, session } = await deviceOf(body.key);
  expect([answer.status, session.expires_at]).toEqual([200, body.expires_at]);
});

test('a person without a binding is refused, with instructions', async () => {
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['guests'] });
  const { status, body } = await logInByProvider(inventory, provider);
  expect(status).toBe(403);
  expect(body.message).toContain('Ask an administrator of the inventory for a role binding');
  provider.accounts.set('m-1', { preferred_username: 'maria' });
  expect((await logInByProvider(inventory, provider)).status).toBe(403);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=sign_in.refused');
  expect(audit.entries[0]).toMatchObject({ reason: 'unbound_identity', subject: { name: 'corporate/maria' } });
});

testInFull('a list of groups that the provider left out is no empty list', async () => {
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['dba'], _claim_names: { groups: 'src1' } });
  const { status, body } = await logInByProvider(inventory, provider);
  expect([status, body.message]).toEqual([403, expect.stringContaining('too many groups')]);
});

testInFull('the name of another account gives no rights: users differ by the subject at the provider', async () => {
  const { body: maria } = await logInByProvider(inventory, provider);
  provider.accounts.set('x-2', { preferred_username: 'maria', groups: ['dba'] });
  provider.person = 'x-2';
  const { body: other } = await logInByProvider(inventory, provider);
  expect(other.name).toBe(maria.name);
  expect(other.user_id).not.toBe(maria.user_id);
});

describe('a refusal has one text and opens no session:', () => {
  const attacks: [string, (body: any, other: any) => object, string][] = [
    ['another verifier', (body, other) => ({ ...body, code_verifier: other.code_verifier }), 'invalid_code'],
    ['the code of another log-in', (body, other) => ({ ...body, code: other.code }), 'invalid_code'],
    [
      'a code with its verifier, but the nonce of this tab',
      (body, other) => ({ ...body, code: other.code, code_verifier: other.code_verifier }),
      'invalid_identity',
    ],
    ['another issuer in the redirect', (body) => ({ ...body, iss: 'https://evil.example' }), 'invalid_identity'],
    ['no issuer, of a provider that sends it', ({ iss: _iss, ...body }) => body, 'invalid_identity'],
    [
      'a redirect address with one more character',
      (body) => ({ ...body, redirect_uri: `${body.redirect_uri}x` }),
      'invalid_code',
    ],
    ['an invented code', (body) => ({ ...body, code: 'invented' }), 'invalid_code'],
    ['an unknown provider', (body) => ({ ...body, provider: 'other' }), 'unknown_provider'],
  ];
  test.each(attacks)('%s', async (_name, change, reason) => {
    const [{ body: first }, { body: other }] = [await authorized(provider), await authorized(provider)];
    const before = await refusalsFor(inventory, 'sign_in.refused', reason);
    // Refusals are counted together for a second.
    inventory.passing.advance(1001);
    const reply = await logIn(inventory, change(first, other));
    expect(reply.status).toBe(401);
    expect(await refusalsFor(inventory, 'sign_in.refused', reason)).toBe(before + 1);
    expect(withoutId(reply)).toBe(withoutId(await renew('minv_x')));
  });
});

test('a code works once, and its second use keeps the first session', async () => {
  const { body: proof } = await authorized(provider);
  const replies = await Promise.all([1, 2, 3].map(() => logIn(inventory, proof)));
  const before = await refusalsFor(inventory, 'sign_in.refused', 'used_identity');
  inventory.passing.advance(1001);
  replies.push(await logIn(inventory, proof));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
  expect(await refusalsFor(inventory, 'sign_in.refused', 'used_identity')).toBeGreaterThan(before);
  const first = replies.find(({ status }) => status === 201)!;
  expect((await renew(first.body.key)).status).toBe(201);
});

testInFull('new keys of the provider are read when a token needs them', async () => {
  await logInByProvider(inventory, provider);
  provider.rotateKeys();
  later(1);
  expect((await logInByProvider(inventory, provider)).status).toBe(201);
});

test('a renewal returns a key with the present role, and the former key cannot change credentials', async () => {
  const { body } = await logInByProvider(inventory, provider);
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['ops'] });
  const { status, body: next } = await renew(body.key);
  expect([status, next.role, next.session_id]).toEqual([201, 'Admin', body.session_id]);
  expect((await callerOf(next.key)).body.role).toBe('Admin');
  expect((await callerOf(body.key)).body.role).toBe('Editor');
  const addKey = (key: string) =>
    inventory.request('POST', '/v1/api-keys', {
      ...{ as: null, headers: { Authorization: `Bearer ${key}` } },
      body: { name: `k-${randomUUID()}`, role: 'Viewer' },
    });
  expect((await addKey(next.key)).status).toBe(201);
  expect((await addKey(body.key)).status).toBe(403);
  expect((await shownSessions(body.session_id)).map(({ bindings }) => bindings)).toEqual([['ops']]);
  expect((await askWith(inventory, next.key, 'DELETE', '/v1/sessions')).status).toBe(204);
  expect([(await callerOf(body.key)).status, (await callerOf(next.key)).status]).toEqual([401, 401]);
});

test('simultaneous and repeated renewals ask the provider once and return the same key', async () => {
  const { body } = await logInByProvider(inventory, provider);
  const before = refreshes();
  const replies = await Promise.all([1, 2, 3, 4, 5].map(() => renew(body.key)));
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  replies.push(await renew(body.key));
  expect(new Set(replies.map(({ body: next }) => next.key)).size).toBe(1);
  expect(refreshes() - before).toBe(1);
  expect((await renew(replies[0]!.body.key)).status).toBe(201);
  expect((await renew(body.key)).status).toBe(401);
});

test('a removed group or a disabled account at the provider ends the session at its renewal', async () => {
  for (const [change, status] of [
    [() => provider.accounts.set('m-1', { preferred_username: 'maria' }), 403],
    [() => provider.accounts.delete('m-1'), 401],
  ] as const) {
    provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['dba'] });
    const { body } = await logInByProvider(inventory, provider);
    change();
    expect((await renew(body.key)).status).toBe(status);
    expect((await callerOf(body.key)).status).toBe(401);
  }
});

testInFull('a session that is not renewed ends after ten minutes, and cannot be renewed then', async () => {
  const { body } = await logInByProvider(inventory, provider);
  later(11);
  expect([(await callerOf(body.key)).status, (await renew(body.key)).status]).toEqual([401, 401]);
});

test('a disabled user is refused, also at a renewal and a log-in', async () => {
  provider.accounts.set('d-1', { preferred_username: 'dora', groups: ['dba'] });
  provider.person = 'd-1';
  const { body } = await logInByProvider(inventory, provider);
  const path = `/v1/users/${encodeURIComponent(body.user_id)}`;
  expect((await inventory.request('PATCH', path, { body: { role: 'Admin' } })).status).toBe(400);
  expect((await inventory.request('POST', `${path}/invite`, { body: {} })).status).toBe(400);
  expect((await inventory.request('PATCH', path, { body: { disabled: true } })).status).toBe(200);
  expect([(await callerOf(body.key)).status, (await renew(body.key)).status]).toEqual([401, 401]);
  const before = await refusalsFor(inventory, 'sign_in.refused', 'disabled_user');
  inventory.passing.advance(1001);
  expect((await logInByProvider(inventory, provider)).status).toBe(401);
  expect(await refusalsFor(inventory, 'sign_in.refused', 'disabled_user')).toBe(before + 1);
});

test('a user from an earlier version keeps its state, and has the role of its last log-in', async () => {
  provider.accounts.set('e-1', { preferred_username: 'erik', groups: ['dba'] });
  provider.person = 'e-1';
  const { body } = await logInByProvider(inventory, provider);
  const { granted_role: role, ...others } = (await readItem(inventory.table, userKey(body.user_id)))!;
  await writeItem(inventory.table, { put: { ...others, ...userKey(body.user_id), role } });
  const shown = async () =>
    (await inventory.request('GET', '/v1/users')).body.users.find(({ user_id }: any) => user_id === body.user_id);
  expect(await shown()).toMatchObject({ role: 'Editor', state: 'active' });
  provider.accounts.set('e-1', { preferred_username: 'erik', groups: ['ops'] });
  expect((await logInByProvider(inventory, provider)).body).toMatchObject({ role: 'Admin', user_id: body.user_id });
  expect(await shown()).toMatchObject({ role: 'Admin' });
});

test('without the provider, sessions work for an hour, and new log-ins get a 503', async () => {
  const { body } = await logInByProvider(inventory, provider);
  const proof = await authorized(provider);
  provider.fault = () => ({ status: 503, body: '{}' });
  later(9);
  const { status, body: next } = await renew(body.key);
  expect([status, next.role]).toEqual([201, 'Editor']);
  let key = next.key;
  for (const minutes of [18, 27, 36, 45, 54]) {
    later(minutes);
    key = (await renew(key)).body.key;
  }
  later(63);
  const end = await renew(key);
  expect(end.status).toBe(503);
  const refused = await logIn(inventory, proof.body);
  expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('log in as "admin"')]);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=session.changed');
  const events = audit.entries.filter(({ subject }: any) => subject.id === body.session_id);
  expect(events.map(({ after }: any) => after)).toEqual([{ provider_unavailable: true }]);
});

test.each<[string, Parameters<typeof settingsFor>[1], number, RegExp]>([
  ['the issuer', { issuer: 'http://localhost:8' }, 0, /^Identity provider "wrong": http.* cannot be read/],
  [
    'the client secret',
    { secret: 'another secret' },
    0,
    /^Identity provider "wrong": it refuses the client\. Check the/,
  ],
  [
    'the clock',
    {},
    10,
    /^Identity provider "wrong": the times of its ID token do not fit .* Set both clocks by NTP\.$/,
  ],
])(
  'wrong settings (%s) cause one log line, and the person gets instructions',
  async (_name, others, minutes, sentence) => {
    const apart = await startInventory({
      identityProviders: [await settingsFor(provider, { name: 'wrong', displayName: 'Example Corp', ...others })],
    });
    try {
      const { body: proof } = await authorized(provider);
      apart.clock.now = testTime(minutes * 60_000);
      const { status, body } = await logIn(apart, { ...proof, provider: 'wrong' });
      const message =
        'Log-in with Example Corp does not work at the moment. Try again later, or ask your administrator, who can read the reason in the log, and log in as "admin" unless this account is disabled.';
      expect([status, body.message]).toEqual([503, message]);
      const said = apart.logged.filter(({ level }) => level === 'error');
      expect(said.map(({ reason }) => reason)).toEqual([expect.stringMatching(sentence)]);
      expect(JSON.stringify(apart.logged)).not.toContain('another secret');
    } finally {
      await apart.stop();
    }
  },
);

test('the table contains no token, and only the session key decrypts its refresh token', async () => {
  const { body } = await logInByProvider(inventory, provider);
  const item = await readItem(inventory.table, renewalKey(body.session_id));
  const key = await readItem(inventory.table, sessionItemKey(hashApiKeySecret(body.key)));
  expect(item?.['sealed']).toEqual(expect.any(String));
  for (const text of [JSON.stringify(item), JSON.stringify(key), JSON.stringify(inventory.logged)]) {
    expect(text).not.toContain(body.key);
    expect(text).not.toContain('refresh_token');
    expect(text).not.toContain(provider.clientSecret);
  }
});

test('GET /v1/logins contains the addresses of the provider and no secret', async () => {
  const { status, body, text } = await inventory.request('GET', '/v1/logins', { as: null });
  expect(status).toBe(200);
  expect(body.methods).toContainEqual(
    expect.objectContaining({ provider: 'corporate', authorization_endpoint: `${provider.issuer}/auth` }),
  );
  expect(text).not.toContain('secret');
});
