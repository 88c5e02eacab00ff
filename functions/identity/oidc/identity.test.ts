import type { Inventory } from '../../../tests/support/inventory.ts';
import { logIn, logInByProvider } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { startProviderInventory } from '../../../tests/support/provider-inventory.ts';

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
beforeEach(() => (provider.fault = undefined));

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
async function refusedBy(status: number, body: object | string): Promise<[number, string | undefined]> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  provider.fault = (path) => (path === '/token' ? { status, body: text } : undefined);
  const before = inventory.logged.length;
  const reply = await logInByProvider(inventory, provider);
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
