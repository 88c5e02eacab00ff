import { type Inventory, startInventory } from '../../tests/support/inventory.ts';
import { settingsFor } from '../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../tests/support/oidc-server.ts';
import { startIssuer } from '../../tests/support/issuer.ts';
import { AUDIENCE } from '../../tests/support/program-tokens.ts';
import { testTime } from '../../tests/support/test-time.ts';
import { checkProviders } from './check-providers.ts';

let provider: OidcServer;
beforeAll(async () => (provider = await startOidcServer({ time: testTime() })));
afterAll(() => provider.stop());

let inventory: Inventory | undefined;
afterEach(async () => {
  provider.fault = undefined;
  await inventory?.stop();
});

/** What a service says at its start that has these settings, and whose clock differs by this. */
async function said(settings: Parameters<typeof settingsFor>[1] = {}, seconds = 0): Promise<string[]> {
  inventory = await startInventory({ identityProviders: [await settingsFor(provider, settings)] });
  inventory.clock.now = testTime(seconds * 1000);
  return checkProviders(inventory.dependencies);
}

test('a provider with working settings has no finding', async () => {
  expect([await said(), await said({}, 30), await said({}, -30)]).toEqual([[], [], []]);
});

test.each([
  [31, '31 seconds ahead of'],
  [-31, '31 seconds behind'],
])('a clock difference of %d seconds is a finding', async (seconds, words) => {
  expect(await said({}, seconds)).toEqual([
    `Identity provider "corporate": the clock of this server is ${words} its clock. Set both clocks by NTP.`,
  ]);
});

test('a refused client or secret is a finding', async () => {
  const refused = [expect.stringMatching(/^Identity provider "corporate": it refuses the client\./)];
  expect(await said({ secret: 'another' })).toEqual(refused);
  expect(await said({ clientId: 'another' })).toEqual(refused);
});

test('a provider that does not answer is a finding', async () => {
  provider.fault = () => ({ status: 500, body: '' });
  expect(await said()).toEqual([expect.stringMatching(/^Identity provider "corporate": .*\(status 500\)/)]);
});

test('an issuer of programs that does not answer is a finding', async () => {
  const issuer = await startIssuer();
  try {
    const settings = { name: 'ci', kind: 'jwt' as const, issuer: issuer.issuer, audience: AUDIENCE };
    inventory = await startInventory({ identityProviders: [settings] });
    inventory.clock.now = testTime();
    expect(await checkProviders(inventory.dependencies)).toEqual([]);
    issuer.fault = (_, response) => response.writeHead(500).end();
    inventory.clock.now = testTime(5000);
    expect(await checkProviders(inventory.dependencies)).toEqual([
      expect.stringMatching(/^Identity provider "ci": .*\(status 500\)/),
    ]);
  } finally {
    await issuer.stop();
  }
});
