import type { Inventory } from '../../../../tests/support/inventory.ts';
import { logIn, logInByProvider } from '../../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../../tests/support/oidc-server.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { startProviderInventory } from '../../../../tests/support/provider-inventory.ts';

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

test('a provider that sends no other refresh token is asked with the same one at the next renewal', async () => {
  const seconds = testTime().getTime() / 1000;
  const claims = { sub: 'm-1', preferred_username: 'maria', groups: ['dba'], iat: seconds, exp: seconds + 300 };
  const reply = {
    ...{ access_token: 'of the provider', token_type: 'Bearer', expires_in: 300 },
    id_token: await provider.sign(claims, { typ: 'JWT' }),
  };
  const { body: first } = await logInByProvider(inventory, provider);
  // The token is not used at the provider itself, which would replace it.
  provider.fault = (path) => (path === '/token' ? { status: 200, body: JSON.stringify(reply) } : undefined);
  const { status, body: second } = await renew(first.key);
  expect([status, second.role]).toEqual([201, 'Editor']);
  provider.fault = undefined;
  expect((await renew(second.key)).status).toBe(201);
});
