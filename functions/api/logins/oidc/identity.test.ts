import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { logIn, logInByProvider, settingsFor } from '../../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../../tests/support/oidc-server.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { addRoleBinding } from '../../../store/credentials/role-bindings.ts';

let provider: OidcServer;
let inventory: Inventory;
beforeAll(async () => {
  provider = await startOidcServer({ time: testTime(), groupsInIdToken: false });
  inventory = await startInventory({ identityProviders: [await settingsFor(provider)] });
  const actor = { kind: 'system' as const, id: 'test', name: 'test' };
  const record = { created_by: actor, created_at: testTime().toISOString(), updated_at: testTime().toISOString() };
  const binding = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' as const };
  const context = { actor, requestId: 'test', now: testTime() };
  await addRoleBinding(inventory.table, { ...binding, ...record, revision: 1 }, context);
});
afterAll(async () => {
  await inventory.stop();
  await provider.stop();
});
beforeEach(() => (provider.fault = undefined));

test('groups that only the UserInfo endpoint has give the role, at a log-in and at a renewal', async () => {
  const { status, body } = await logInByProvider(inventory, provider);
  expect([status, body.role]).toEqual([201, 'Editor']);
  const renewed = await logIn(inventory, { method: 'session', key: body.key });
  expect([renewed.status, renewed.body.role]).toEqual([201, 'Editor']);
});

test('UserInfo of another person is no identity', async () => {
  const other = JSON.stringify({ sub: 'm-2', groups: ['dba'] });
  provider.fault = (path) => (path === '/me' ? { status: 200, body: other } : undefined);
  expect((await logInByProvider(inventory, provider)).status).toBe(401);
});
