import { hashApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import { sessionItemKey } from '../../store/table/keys.ts';
import { readItem } from '../../store/table/read.ts';
import type { Inventory } from '../../../tests/support/inventory.ts';
import { logIn, logInByProvider } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { startProviderInventory } from '../../../tests/support/provider-inventory.ts';

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
  // The token is not used at the provider itself, which would replace it.
  provider.fault = (path) => (path === '/token' ? { status: 200, body: JSON.stringify(reply) } : undefined);
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
