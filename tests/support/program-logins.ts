/** Log-ins of programs with tokens of the provider `ci`. */
import type { JWTPayload } from 'jose';
import { type Inventory, type InventoryOptions, startInventory } from './inventory.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { AUDIENCE } from './program-tokens.ts';

/** The binding that gives the programs of the tests their role. */
const binding = {
  name: 'editors',
  provider: 'ci',
  claims: { repository_id: ['74129'] },
  role: 'Editor',
  owners: ['shop'],
};

interface ProgramLogins {
  issuer: Issuer;
  inventory: Inventory;
}

/** Starts an issuer, and an inventory that accepts its tokens. The caller stops both. */
export async function startProgramLogins(options: InventoryOptions = {}): Promise<ProgramLogins> {
  const issuer = await startIssuer();
  const inventory = await startInventory({
    ...options,
    identityProviders: [{ name: 'ci', kind: 'jwt', issuer: issuer.issuer, audience: AUDIENCE }],
  });
  await inventory.request('POST', '/v1/role-bindings', { body: binding });
  return { issuer, inventory };
}

/**
 * The same for the tests of a file, from their start to their end. After each test the issuer is well, and the clock is set back.
 *
 * @param onStart gets both.
 */
export function useProgramLogins(onStart: (started: ProgramLogins) => unknown, options: InventoryOptions = {}): void {
  let started: ProgramLogins;
  beforeAll(async () => {
    started = await startProgramLogins(options);
    onStart(started);
  });
  afterAll(async () => {
    await started.inventory.stop();
    await started.issuer.stop();
  });
  afterEach(() => {
    started.inventory.clock.now = undefined;
    started.issuer.fault = undefined;
  });
}

let serial = 0;

/** Claims of a program with the role of the binding; each token is another one. */
export const programClaims = (more: JWTPayload = {}): JWTPayload => ({
  sub: 'repo:octo-org/shop:ref:refs/heads/main',
  repository_id: '74129',
  jti: String((serial += 1)),
  ...more,
});

let hosts = 0;

/** Logs in from another address each time, so that the limits of an address do not count. */
export function logInProgram(inventory: Inventory, token: string, provider = 'ci') {
  hosts += 1;
  const sourceIp = `10.1.${Math.floor(hosts / 250)}.${(hosts % 250) + 1}`;
  return inventory.request('POST', '/v1/logins', { as: null, body: { method: 'jwt', provider, token }, sourceIp });
}
