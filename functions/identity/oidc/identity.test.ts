import type { Inventory } from '../../../tests/support/inventory.ts';
import { authorized, logIn, logInByProvider, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, REDIRECT_URI, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { newSigningKey, signedBy } from '../../../tests/support/program-tokens.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { startProviderInventory } from '../../../tests/support/provider-inventory.ts';
import { redeemCode, refreshIdentity } from './identity.ts';
import type { OidcProvider } from './provider.ts';

let provider: OidcServer;
let inventory: Inventory;
beforeAll(async () => {
  provider = await startOidcServer({ time: testTime(), groupsInIdToken: false });
  inventory = await startProviderInventory(provider);
});
afterAll(async () => {
  await inventory.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.fault = undefined;
  inventory.clock.now = undefined;
});

test('groups from the UserInfo endpoint alone grant the role, at a log-in and at a renewal', async () => {
  const { status, body } = await logInByProvider(inventory, provider);
  expect([status, body.role]).toEqual([201, 'Editor']);
  const renewed = await logIn(inventory, { method: 'session', key: body.key });
  expect([renewed.status, renewed.body.role]).toEqual([201, 'Editor']);
});

test('UserInfo of another person is refused', async () => {
  const other = JSON.stringify({ sub: 'm-2', groups: ['dba'] });
  provider.fault = (path) => (path === '/me' ? { status: 200, body: other } : undefined);
  expect((await logInByProvider(inventory, provider)).status).toBe(401);
});

/** The log-in while the token endpoint replies so: its status, and the reason in the log of this service. */
async function refusedBy(status: number, body: object | string, proof?: object): Promise<[number, string | undefined]> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  provider.fault = (path) => (path === '/token' ? { status, body: text } : undefined);
  const before = inventory.logged.length;
  const reply = await (proof === undefined ? logInByProvider(inventory, provider) : logIn(inventory, proof));
  const [entry] = inventory.logged.slice(before).filter(({ level }) => level === 'error');
  return [reply.status, entry?.['reason'] as string | undefined];
}

const now = testTime().getTime() / 1000;

/** A reply with an ID token that has these times. */
const withTimes = async (times: object) => ({
  ...{ access_token: 'a', token_type: 'bearer' },
  id_token: await provider.sign({ iss: provider.issuer, aud: provider.clientId, sub: 'm-1', ...times }),
});

test.each([
  [400, { error: 'invalid_client' }, 'it refuses the client.'],
  [400, { error: 'unauthorized_client' }, 'it refuses the client.'],
  [500, {}, 'does not answer as expected'],
  [200, '<html>', 'does not answer as expected'],
])('a provider that replies with %i and %j has failed, with the reason in the log', async (status, body, reason) => {
  expect(await refusedBy(status, body)).toEqual([503, expect.stringContaining(reason)]);
});

test('an ID token with possible times that do not fit is a failure of a clock', async () => {
  const reply = await withTimes({ iat: now - 7200, exp: now - 3600 });
  expect(await refusedBy(200, reply)).toEqual([503, expect.stringContaining('Set both clocks by NTP.')]);
});

test('a refused code, a reply without an ID token, and impossible times in it refuse the log-in alone', async () => {
  expect(await refusedBy(400, { error: 'invalid_grant' })).toEqual([401, undefined]);
  expect(await refusedBy(200, { access_token: 'a', token_type: 'bearer' })).toEqual([401, undefined]);
  expect(await refusedBy(200, await withTimes({ iat: now, exp: now - 3600 }))).toEqual([401, undefined]);
  expect(await refusedBy(200, await withTimes({ iat: now, exp: now + 300, aud: 'other' }))).toEqual([401, undefined]);
});

/** The paths get these replies. */
function replyWith(replies: Readonly<Record<string, object>>): void {
  provider.fault = (path) => {
    const reply = replies[path];
    return reply && { status: 200, body: JSON.stringify(reply) };
  };
}

const ofMaria = () => ({ iss: provider.issuer, aud: provider.clientId, sub: 'm-1', iat: now, exp: now + 300 });

/** The status of a log-in with the ID token for its nonce. */
async function logInWithToken(make: (claims: ReturnType<typeof ofMaria> & { nonce: string }) => Promise<string>) {
  const { body: proof } = await authorized(provider);
  const id_token = await make({ ...ofMaria(), nonce: proof.nonce });
  replyWith({
    '/token': { access_token: 'a', token_type: 'bearer', id_token },
    '/me': { sub: 'm-1', groups: ['dba'] },
  });
  return (await logIn(inventory, proof)).status;
}

test('an ID token counts only with the signature of the provider', async () => {
  expect(await logInWithToken((claims) => provider.sign(claims))).toBe(201);
  const withOther = async (claims: object) => {
    const [token, other] = [await provider.sign({ ...claims }), await provider.sign(ofMaria())];
    return token.replace(/[^.]*$/, other.split('.')[2]!);
  };
  expect(await logInWithToken(withOther)).toBe(401);
});

test('a key that the provider has not published proves nothing, also after its keys were read again', async () => {
  await logInByProvider(inventory, provider);
  inventory.clock.now = testTime(10_000);
  const before = provider.requests.length;
  const foreign = await newSigningKey('foreign');
  expect(await logInWithToken((claims) => signedBy(foreign, claims))).toBe(401);
  expect(provider.requests.slice(before)).toContain('/jwks');
});

test('a provider that refuses the access token at its UserInfo endpoint has failed', async () => {
  const { body: proof } = await authorized(provider);
  const id_token = await provider.sign({ ...ofMaria(), nonce: proof.nonce });
  expect(await refusedBy(200, { access_token: 'unknown', token_type: 'bearer', id_token }, proof)).toEqual([
    503,
    expect.stringContaining('it refuses the client.'),
  ]);
});

describe('a code that cannot be redeemed', () => {
  const proof = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n', redirect_uri: REDIRECT_URI };
  const redeem = async (server: OidcServer) =>
    redeemCode((await settingsFor(server)) as OidcProvider, { ...proof, iss: server.issuer }, inventory.dependencies);

  test.each<[number, string, object]>([
    [400, '{"error":"invalid_grant"}', { reason: 'invalid_code' }],
    [400, '{"error":"invalid_client"}', { problem: 'client' }],
    [500, '{}', { problem: 'unreachable' }],
    [200, '<html>', { problem: 'unreachable' }],
    [200, '{"access_token":"a","token_type":"bearer"}', { reason: 'invalid_identity' }],
  ])('after a reply %i %s fails with %j', async (status, body, failure) => {
    provider.fault = (path) => (path === '/token' ? { status, body } : undefined);
    await expect(redeem(provider)).rejects.toMatchObject(failure);
  });

  test('after a token with the times of another clock fails as such', async () => {
    const id_token = await provider.sign({ ...ofMaria(), iat: now - 7200, exp: now - 3600, nonce: 'n' });
    replyWith({ '/token': { access_token: 'a', token_type: 'bearer', id_token } });
    await expect(redeem(provider)).rejects.toMatchObject({ problem: 'clock' });
  });

  test('without a connection fails with its reason', async () => {
    const other = await startOidcServer({ time: testTime() });
    await expect(redeem(other)).rejects.toMatchObject({ reason: 'invalid_code' });
    await other.stop();
    await expect(redeem(other)).rejects.toMatchObject({
      ...{ problem: 'unreachable', sentence: expect.stringContaining('does not answer (ECONNREFUSED)') },
    });
  });
});

describe('a refreshed identity', () => {
  const tokens = { access_token: 'a', token_type: 'bearer' };
  const info = { sub: 'm-1', groups: ['dba'] };
  async function refreshed(reply: object, userInfo: object = info) {
    replyWith({ '/token': { ...tokens, ...reply }, '/me': userInfo });
    const settings = (await settingsFor(provider)) as OidcProvider;
    return refreshIdentity(settings, { refreshToken: 'present', subject: 'm-1' }, inventory.dependencies);
  }

  test('has the new refresh token, or the present one if the provider sends no other', async () => {
    expect((await refreshed({ refresh_token: 'next' })).refreshToken).toBe('next');
    expect((await refreshed({})).refreshToken).toBe('present');
  });

  test('without an ID token is that of UserInfo, if it is the same person', async () => {
    expect(await refreshed({})).toEqual({
      ...{ subject: 'm-1', claims: info, refreshToken: 'present', sid: undefined, issuedAt: 0 },
    });
    await expect(refreshed({}, { sub: 'm-2' })).rejects.toMatchObject({ reason: 'invalid_identity' });
  });

  test('has the session and the time of the ID token, which another person cannot have', async () => {
    const id_token = await provider.sign({ ...ofMaria(), sid: 'session' });
    expect(await refreshed({ id_token })).toMatchObject({ subject: 'm-1', sid: 'session', issuedAt: now });
    const ofOther = await provider.sign({ ...ofMaria(), sub: 'm-2' });
    await expect(refreshed({ id_token: ofOther })).rejects.toMatchObject({ reason: 'invalid_identity' });
  });
});
