import { randomUUID } from 'node:crypto';
import { clusterToken, testProviders } from '../support/identity-providers.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { askWith } from '../support/log-in.ts';
import { logInByProvider, settingsFor } from '../support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts';
import { processDate } from '../support/process-date.ts';
import { testTime } from '../support/test-time.ts';

/** The team whose owners limit some of the credentials. */
export const TEAM = 'team-a';
/** Another one. */
export const OTHER_TEAM = 'team-b';

/** The number of people with the role Viewer whom the provider knows, besides those of the kinds. */
export const VIEWERS = 20;

/** An inventory, its identity providers, and their common clock, which each reading moves by a millisecond. */
export interface Scenery {
  inventory: Inventory;
  provider: OidcServer;
  /** Asks as an Admin; fails unless it is done. */
  admin: (method: string, path: string, body?: object) => Promise<any>;
  /** Another source address each time, so that the limits of an address do not count. */
  address: () => string;
  /** A token of a program that the provider `cluster` signs now. */
  programToken: (job: string) => Promise<string>;
  /** Whom the provider `corporate` knows from now on in every browser. Its clock is that of the inventory. */
  setPerson: (sub: string) => void;
  /** A person logs in at the provider `corporate`. */
  logInPerson: (sub: string) => Promise<any>;
  /** A new minute for limits by the minute, and for the tokens of the providers. */
  nextMinute: () => void;
  stop: () => Promise<void>;
}

/** A reply that must be a success. */
export function bodyOf({ status, body, text }: { status: number; body: any; text: string }): any {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

/** Jobs of programs and groups of people, each with a binding's role. */
const bound = [
  { group: 'admins', role: 'Admin' },
  { group: 'editors', role: 'Editor' },
  { group: 'viewers', role: 'Viewer' },
  { group: 'team', role: 'Editor', owners: [TEAM] },
  { group: 'hosts', role: 'Registrar' },
];

export async function startScenery(): Promise<Scenery> {
  let elapsed = 0;
  const clock = () => testTime((elapsed += 1));
  const provider = await startOidcServer({ time: testTime() });
  const inventory = await startInventory({
    clock,
    identityProviders: [...testProviders, await settingsFor(provider)],
  });
  const admin = async (method: string, path: string, body?: object) =>
    bodyOf(await askWith(inventory, inventory.keys.Admin, method, path, body));
  for (const { group, ...granted } of bound) {
    await admin('POST', '/v1/role-bindings', {
      name: `job-${group}`,
      provider: 'cluster',
      claims: { job: [group] },
      ...granted,
    });
    if (granted.role === 'Registrar') continue;
    const claims = { groups: [group] };
    await admin('POST', '/v1/role-bindings', { name: `people-${group}`, provider: 'corporate', claims, ...granted });
    provider.accounts.set(group, { preferred_username: `p-${group}`, groups: [group] });
  }
  for (let number = 0; number < VIEWERS; number += 1)
    provider.accounts.set(`viewers-${number}`, { preferred_username: `p-viewers-${number}`, groups: ['viewers'] });
  const setPerson = (sub: string) => {
    processDate.set(testTime(elapsed));
    provider.person = sub;
  };
  let hosts = 0;
  return {
    setPerson,
    inventory,
    provider,
    admin,
    address: () => `10.${32 + (++hosts >> 16)}.${(hosts >> 8) & 255}.${hosts & 255}`,
    programToken: (job) => {
      const now = Math.floor(testTime(elapsed).getTime() / 1000);
      return clusterToken({ job, jti: randomUUID(), iat: now, nbf: now, exp: now + 300 });
    },
    logInPerson: async (sub) => {
      setPerson(sub);
      return bodyOf(await logInByProvider(inventory, provider));
    },
    nextMinute: () => (elapsed += 61_000),
    stop: async () => {
      await inventory.stop();
      await provider.stop();
    },
  };
}
