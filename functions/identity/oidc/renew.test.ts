import { randomBytes } from 'node:crypto';
import { hashApiKeySecret, newApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import { findRenewal, takeRenewal } from '../../store/credentials/renew-session.ts';
import { renewalKey, sessionItemKey } from '../../store/table/keys.ts';
import { readItem } from '../../store/table/read.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { logIn, logInByProvider, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { startProviderInventory } from '../../../tests/support/provider-inventory.ts';
import { renewSession } from './renew.ts';

let provider: OidcServer;
let inventory: Inventory;
beforeAll(async () => {
  provider = await startOidcServer({ time: testTime() });
  inventory = await startProviderInventory(provider);
});
afterAll(async () => {
  await inventory.stop();
  await provider.stop();
});

const renew = (key: string) => logIn(inventory, { method: 'session', key });

afterEach(() => (provider.fault = undefined));

/** The provider replies to a refresh token with this ID token, and without another refresh token. */
function replyWith(id_token: string): void {
  const reply = { access_token: 'of the provider', token_type: 'Bearer', expires_in: 300, id_token };
  // The tokens are not used at the provider itself: it would replace one, and refuse the other.
  const replies: Record<string, object> = { '/token': reply, '/me': { sub: 'm-1' } };
  provider.fault = (path) => (replies[path] ? { status: 200, body: JSON.stringify(replies[path]) } : undefined);
}

const idToken = (more: object = {}) => {
  const seconds = testTime().getTime() / 1000;
  const claims = { sub: 'm-1', preferred_username: 'maria', groups: ['dba'], iat: seconds, exp: seconds + 300 };
  return provider.sign({ ...claims, ...more }, { typ: 'JWT' });
};

test('the same refresh token is used again when the provider sends no other', async () => {
  const { body: first } = await logInByProvider(inventory, provider);
  replyWith(await idToken());
  const { status, body: second } = await renew(first.key);
  expect([status, second.role]).toEqual([201, 'Editor']);
  provider.fault = undefined;
  expect((await renew(second.key)).status).toBe(201);
});

test.each([
  ['of another person', () => idToken({ sub: 'm-2' })],
  ['for another client', () => idToken({ aud: 'another' })],
  [
    'with another signature',
    async () => (await idToken()).replace(/[^.]*$/, (await idToken({ jti: 'x' })).split('.')[2]!),
  ],
])('an ID token %s renews no session', async (_what, token) => {
  const { body } = await logInByProvider(inventory, provider);
  replyWith(await token());
  expect((await renew(body.key)).status).toBe(401);
});

test('without the provider, a session is renewed for an hour after its last confirmation, inclusive', async () => {
  const minutes = 60_000;
  const at = (milliseconds: number) => (inventory.clock.now = testTime(milliseconds));
  at(0);
  try {
    let { key } = (await logInByProvider(inventory, provider)).body;
    provider.fault = () => ({ status: 503, body: '{}' });
    for (const time of [9, 18, 27, 36, 45, 54, 60]) {
      at(time * minutes);
      const { status, body } = await renew(key);
      expect([time, status]).toEqual([time, 201]);
      ({ key } = body);
    }
    at(60 * minutes + 1000);
    expect((await renew(key)).status).toBe(503);
  } finally {
    inventory.clock.now = undefined;
  }
});

test('a session whose provider is no longer in the settings ends at its renewal, with the reason in the audit', async () => {
  const { body } = await logInByProvider(inventory, provider);
  const update = sessionItemKey(hashApiKeySecret(body.key));
  await writeItem(inventory.table, { update, set: { provider: 'former' } });
  expect((await renew(body.key)).status).toBe(401);
  expect(await readItem(inventory.table, update)).toBeUndefined();
  const { body: audit } = await inventory.request('GET', '/v1/audit');
  const reasons = audit.entries.filter(({ subject }: any) => subject?.id === body.session_id);
  expect(reasons.map(({ after }: any) => after)).toContainEqual({ reason: 'unknown_provider' });
});

test('a session whose person has lost its groups ends at its renewal, with the reason in the audit', async () => {
  const { body } = await logInByProvider(inventory, provider);
  replyWith(await idToken({ groups: [] }));
  expect((await renew(body.key)).status).toBe(403);
  expect(await readItem(inventory.table, sessionItemKey(hashApiKeySecret(body.key)))).toBeUndefined();
  const { body: audit } = await inventory.request('GET', `/v1/audit?object_id=${body.session_id}`);
  expect(audit.entries[0]).toMatchObject({ event: 'session.removed', after: { reason: 'unbound_identity' } });
});

test('after a renewal that failed, the next one need not wait', async () => {
  const strict = await startInventory({ identityProviders: [await settingsFor(provider, { oidcGraceMinutes: 0 })] });
  try {
    const binding = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' };
    await strict.request('POST', '/v1/role-bindings', { body: binding });
    strict.clock.now = testTime();
    const { body } = await logInByProvider(strict, provider);
    strict.clock.now = testTime(1000);
    provider.fault = () => ({ status: 503, body: '{}' });
    expect((await logIn(strict, { method: 'session', key: body.key })).status).toBe(503);
    expect(await readItem(strict.table, renewalKey(body.session_id))).not.toHaveProperty('lease_until');
    provider.fault = undefined;
    expect((await logIn(strict, { method: 'session', key: body.key })).status).toBe(201);
  } finally {
    await strict.stop();
  }
});

test('a renewal waits five seconds for another one by the same key, and looks four times a second', async () => {
  const { body } = await logInByProvider(inventory, provider);
  const now = testTime();
  expect(await takeRenewal(inventory.table, (await findRenewal(inventory.table, body.session_id))!, now)).toBe(true);
  const [monotonic, waits] = [manualClock(), Array.of<number>()];
  const backOff = (milliseconds: number) => {
    waits.push(milliseconds);
    monotonic.advance(milliseconds);
    return Promise.resolve();
  };
  const dependencies = { ...inventory.dependencies, table: { ...inventory.table, monotonic, backOff } };
  const attempt = { requestId: 'r', sourceIp: '192.0.2.1', now };
  await expect(renewSession({ method: 'session', key: body.key }, attempt, dependencies)).rejects.toMatchObject({
    kind: 'unavailable',
  });
  expect(waits).toEqual(Array.from({ length: 20 }, () => 250));
});

test('a key that no session has, has had twice before, or whose session has ended is refused', async () => {
  const attempt = (seconds: number) => ({ requestId: 'r', sourceIp: '192.0.2.1', now: testTime(seconds * 1000) });
  const renewAt = (key: string, seconds = 0) =>
    renewSession({ method: 'session', key }, attempt(seconds), inventory.dependencies);
  const { body } = await logInByProvider(inventory, provider);
  const refused = { reason: 'invalid_session' };
  await expect(renewAt('minv_x')).rejects.toMatchObject(refused);
  await expect(renewAt(newApiKeySecret(randomBytes))).rejects.toMatchObject(refused);
  await expect(renewAt(inventory.keys.Editor)).rejects.toMatchObject(refused);
  await expect(renewAt(body.key, (Date.parse(body.expires_at) - testTime().getTime()) / 1000)).rejects.toMatchObject(
    refused,
  );
  const { key: second } = await renewAt(body.key);
  expect((await renewAt(body.key)).key).toBe(second);
  await renewAt(second);
  await expect(renewAt(body.key)).rejects.toMatchObject(refused);
});
