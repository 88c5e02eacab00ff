/** Log-ins of people while their provider is down. */
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { authorized, logIn, logInByProvider, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { askWith } from '../../../tests/support/log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let provider: OidcServer;
let inventory: Inventory;

beforeAll(async () => {
  provider = await startOidcServer({ time: testTime() });
  inventory = await startInventory({ identityProviders: [await settingsFor(provider)] });
  const body = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' };
  await inventory.request('POST', '/v1/role-bindings', { body });
});
afterAll(async () => {
  await inventory.stop();
  await provider.stop();
});
beforeEach(() => {
  inventory.clock.now = undefined;
  provider.fault = undefined;
});

const text = (body: string, status = 200) => ({ status, body });

/** Minutes after which the documents of the provider are young, old, and no longer used. */
const [YOUNG, OLD, UNUSABLE] = [0, 20, 25 * 60];

const faults: [string, OidcServer['fault'], number[]][] = [
  ['hangs', () => 'hang', [YOUNG, OLD, UNUSABLE]],
  ['answers with the status 500', () => text('{}', 500), [YOUNG, OLD, UNUSABLE]],
  ['answers without JSON', () => text('<html>'), [YOUNG, OLD, UNUSABLE]],
  ['names another issuer', () => text('{"issuer":"https://x.example","jwks_uri":"https://x.example"}'), [UNUSABLE]],
  ['answers with 5 MB', () => text('x'.repeat(5_000_000)), [YOUNG, OLD, UNUSABLE]],
];

describe.each(faults)('a provider that %s', (_name, fault, ages) => {
  test.each(ages)('%d minutes after the last log-in causes a 503, while keys and sessions work', async (minutes) => {
    const { body } = await logInByProvider(inventory, provider);
    const { body: proof } = await authorized(provider);
    provider.fault = fault;
    inventory.clock.now = testTime(minutes * 60_000);
    const requests = provider.requests.length;
    const refused = await logIn(inventory, proof);
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('log in as "admin"')]);
    // Each request has at most 3 seconds, and all together 3.5.
    expect(provider.requests.length - requests).toBeLessThanOrEqual(3);
    expect((await inventory.request('GET', '/v1/nodes?page_size=1')).status).toBe(200);
    inventory.clock.now = undefined;
    expect((await askWith(inventory, body.key, 'GET', '/v1/caller')).status).toBe(200);
  });
});
