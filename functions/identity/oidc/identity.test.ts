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
