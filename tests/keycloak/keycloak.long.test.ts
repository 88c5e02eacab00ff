/** Single sign-on with a real Keycloak. */
import { askWith } from '../support/log-in.ts';
import { ADMIN_PASSWORD, type Inventory, startInventory } from '../support/inventory.ts';
import { type LogOutReceiver, startLogOutReceiver } from '../support/log-out-receiver.ts';
import { authorized, logIn, logInByProvider, settingsFor } from '../support/oidc-log-in.ts';
import { REDIRECT_URI } from '../support/oidc-server.ts';
import { type Keycloak, startKeycloak } from './keycloak.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

/** Without `offline_access`, the refresh token ends with the session at Keycloak. */
const ONLINE = 'openid profile email';

const CACHE_SECONDS = 300;

let keycloak: Keycloak;
/** Where Keycloak sends log-out tokens: for an inventory only in the tests that set it. */
let receiver: LogOutReceiver;
let inventory: Inventory;
/** The same people, whose sessions are renewed every minute, and end when Keycloak does not answer. */
let strict: Inventory;

const groups = { dba: 'Editor', ops: 'Admin' } as const;

async function startWith(settings: object): Promise<Inventory> {
  const provider = await settingsFor(keycloak.person('maria'), settings);
  const started = await startInventory({
    clock: timeOfDay,
    identityProviders: [provider],
    authorizerCacheSeconds: CACHE_SECONDS,
  });
  for (const [name, role] of Object.entries(groups)) {
    const body = { name, provider: 'corporate', claims: { groups: [name] }, role };
    expect((await started.request('POST', '/v1/role-bindings', { body })).status).toBe(201);
  }
  return started;
}

beforeAll(async () => {
  receiver = await startLogOutReceiver();
  keycloak = await startKeycloak(REDIRECT_URI, receiver.url);
  inventory = await startWith({});
  strict = await startWith({ renewMinutes: 1, oidcGraceMinutes: 0 });
});
afterAll(async () => {
  await Promise.all([inventory.stop(), strict.stop(), keycloak.stop(), receiver.stop()]);
});

const logInAs = (name: string, at = inventory) => logInByProvider(at, keycloak.person(name), ONLINE);
const renew = (key: string, at = inventory) => logIn(at, { method: 'session', key });
const statusOf = async (key: string) => (await askWith(inventory, key, 'GET', '/v1/caller')).status;

async function changeGroup(method: 'PUT' | 'DELETE', name: string, group: keyof typeof groups): Promise<void> {
  const [user, id] = [await keycloak.idOf('users', name), await keycloak.idOf('groups', group)];
  await keycloak.administer(method, `/users/${user}/groups/${id}`);
}

const changeUser = async (name: string, change: object) =>
  keycloak.administer('PUT', `/users/${await keycloak.idOf('users', name)}`, change);

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

let names = 0;

/** Adds a node. @returns the status. */
async function write(at: Inventory, key: string): Promise<number> {
  const body = { node_type: 'generic', node_name: `n-${(names += 1)}`, address: 'a' };
  return (await at.request('POST', '/v1/nodes', { as: null, headers: bearer(key), body })).status;
}

interface Watch {
  /** Returns the status of a request that the right in question allows. */
  attempt: () => Promise<number>;
  /** At each step, in seconds since the begin. */
  meanwhile?: (seconds: number) => Promise<void>;
}

/**
 * Attempts something every 10 seconds of the clocks of the service, until it is refused. A cached reply of the authorizer
 * ages by the same clocks.
 *
 * @returns the seconds after which it was accepted last, and the status of the refusal.
 */
async function lastAccepted(at: Inventory, begin: number, { attempt, meanwhile }: Watch) {
  const step = 10;
  for (let seconds = 0; seconds <= 1200; seconds += step) {
    at.clock.now = new Date(begin + seconds * 1000);
    await meanwhile?.(seconds);
    const status = await attempt();
    if (status >= 400) return { seconds: seconds - step, status };
    at.passing.advance(step * 1000);
  }
  throw new Error('It was never refused.');
}

/** The clock of the service stands still from now on, at the begin of a second. */
function hold(at: Inventory): number {
  const now = Math.floor(Date.now() / 1000) * 1000;
  at.clock.now = new Date(now);
  return now;
}

describe('log-in', () => {
  test("leads through Keycloak's pages, and the groups there grant the role", async () => {
    const { status, body } = await logInAs('maria');
    expect([status, body.name, body.role]).toEqual([201, 'corporate/maria', 'Editor']);
    expect((await askWith(inventory, body.key, 'GET', '/v1/caller')).body).toMatchObject({ role: 'Editor' });
    expect((await logInAs('olga')).body.role).toBe('Admin');
  });

  test('without a group, and so without a claim, admits nobody', async () => {
    expect((await logInAs('guest')).status).toBe(403);
  });

  test('with a used code is refused, and the session of its first use stays', async () => {
    const { body: proof } = await authorized(keycloak.person('maria'), ONLINE);
    const { status, body } = await logIn(inventory, proof);
    expect([status, (await logIn(inventory, proof)).status]).toEqual([201, 401]);
    expect((await renew(body.key)).status).toBe(201);
  });

  test("needs the tab's verifier and nonce", async () => {
    const [{ body: ownTab }, { body: other }] = [
      await authorized(keycloak.person('maria'), ONLINE),
      await authorized(keycloak.person('olga'), ONLINE),
    ];
    const { code_verifier, code } = other;
    expect((await logIn(inventory, { ...ownTab, code_verifier })).status).toBe(401);
    expect((await logIn(inventory, { ...ownTab, code, code_verifier })).status).toBe(401);
  });

  test('works with a new Keycloak key', async () => {
    await logInAs('maria');
    const { id: parentId } = await keycloak.administer('GET', '');
    const config = { priority: ['1000'], algorithm: ['RS256'], keySize: ['2048'] };
    const key = { name: 'second', providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider' };
    await keycloak.administer('POST', '/components', { ...key, parentId, config });
    // Keys are asked for once in five seconds.
    inventory.clock.now = new Date(Date.now() + 10_000);
    expect((await logInAs('maria')).status).toBe(201);
    inventory.clock.now = undefined;
  });
});

describe('access ends', () => {
  beforeEach(() => changeUser('maria', { enabled: true }));
  beforeEach(async () => {
    for (const name of ['maria', 'otto', 'olga']) await changeGroup('PUT', name, 'dba');
    await changeGroup('PUT', 'olga', 'ops');
  });
  afterEach(() => {
    for (const { clock } of [inventory, strict]) clock.now = undefined;
  });

  test.each<[string, () => Inventory, number]>([
    ['ten minutes', () => inventory, 600],
    ['one minute, as the setting says', () => strict, 60],
  ])('for a removed group: the last write is within %s, and nobody else is refused', async (_time, of, life) => {
    const at = of();
    const begin = hold(at);
    let [maria, otto] = [(await logInAs('maria', at)).body.key, (await logInAs('otto', at)).body.key];
    expect([await write(at, maria), await write(at, otto)]).toEqual([201, 201]);
    await changeGroup('DELETE', 'maria', 'dba');
    const others: number[] = [];
    const meanwhile = async (seconds: number) => {
      if (seconds % (life / 2) === 0) otto = (await renew(otto, at)).body.key;
      others.push(await write(at, otto));
    };
    const last = await lastAccepted(at, begin, { attempt: () => write(at, maria), meanwhile });
    expect(last).toEqual({ seconds: life - 10, status: 401 });
    expect(new Set(others)).toEqual(new Set([201]));
    maria = (await logInAs('maria', at)).status;
    expect(maria).toBe(403);
  });

  test("for a removed group at the session's renewal", async () => {
    const { body } = await logInAs('maria');
    await changeGroup('DELETE', 'maria', 'dba');
    expect([(await renew(body.key)).status, await statusOf(body.key)]).toEqual([403, 401]);
  });

  test("for a stronger role's rights within ten minutes, and the renewed session has the weaker one", async () => {
    const begin = hold(inventory);
    let { key } = (await logInAs('olga')).body;
    await changeGroup('DELETE', 'olga', 'ops');
    const meanwhile = async (seconds: number) => {
      if (seconds === 480) ({ key } = (await renew(key)).body);
    };
    const attempt = async () => (await askWith(inventory, key, 'GET', '/v1/audit')).status;
    expect(await lastAccepted(inventory, begin, { attempt, meanwhile })).toEqual({ seconds: 470, status: 403 });
    expect((await askWith(inventory, key, 'GET', '/v1/caller')).body.role).toBe('Editor');
  });

  test('for a user whom an Admin disables within the cache time, and at once for credentials', async () => {
    const begin = hold(inventory);
    const { user_id, key } = (await logInAs('olga')).body;
    expect(await write(inventory, key)).toBe(201);
    const path = `/v1/users/${encodeURIComponent(user_id)}`;
    expect((await inventory.request('PATCH', path, { body: { disabled: true } })).status).toBe(200);
    const newKey = { as: null, headers: bearer(key), body: { name: 'made later', role: 'Viewer' } };
    expect((await inventory.request('POST', '/v1/api-keys', newKey)).status).toBe(401);
    const { seconds } = await lastAccepted(inventory, begin, { attempt: () => write(inventory, key) });
    expect(seconds).toBeLessThanOrEqual(CACHE_SECONDS);
    expect((await logInAs('olga')).status).toBe(401);
    expect((await inventory.request('PATCH', path, { body: { disabled: false } })).status).toBe(200);
  });

  test('for a person whom Keycloak disables, or whose session an administrator ends there, at the renewal', async () => {
    const changes = [
      () => changeUser('maria', { enabled: false }),
      async () => keycloak.administer('POST', `/users/${await keycloak.idOf('users', 'maria')}/logout`),
    ];
    for (const change of changes) {
      await changeUser('maria', { enabled: true });
      const { body } = await logInAs('maria');
      await change();
      expect([(await renew(body.key)).status, await statusOf(body.key)]).toEqual([401, 401]);
    }
  });

  describe('without a renewal, by a back-channel log-out,', () => {
    beforeEach(() => {
      receiver.inventory = inventory;
      receiver.received = [];
    });
    afterEach(() => (receiver.inventory = undefined));

    /** The sessions of a person in two browsers. */
    async function twoSessions(name: string) {
      const [here, there] = [keycloak.person(name), keycloak.person(name)];
      const logInAt = async (person: typeof here): Promise<string> =>
        (await logInByProvider(inventory, person, ONLINE)).body.key;
      return { here, key: await logInAt(here), other: await logInAt(there) };
    }
    const statuses = () => receiver.received.map(({ status }) => status);

    test('for a log-out at Keycloak in that browser, and the session in another one continues', async () => {
      const { here, key, other } = await twoSessions('otto');
      await here.logOut(REDIRECT_URI);
      expect([statuses(), await statusOf(key), await statusOf(other)]).toEqual([[200], 401, 200]);
      expect([(await renew(key)).status, (await renew(other)).status]).toEqual([401, 201]);
    });

    test('for all sessions of a person, by a Keycloak administrator, within the cache time', async () => {
      const begin = hold(inventory);
      const { key, other } = await twoSessions('olga');
      expect([await write(inventory, key), await write(inventory, other)]).toEqual([201, 201]);
      await keycloak.administer('POST', `/users/${await keycloak.idOf('users', 'olga')}/logout`);
      expect(new Set(statuses())).toEqual(new Set([200]));
      const newKey = { as: null, headers: bearer(key), body: { name: 'made after the log-out', role: 'Viewer' } };
      expect((await inventory.request('POST', '/v1/api-keys', newKey)).status).toBe(401);
      const { seconds, status } = await lastAccepted(inventory, begin, { attempt: () => write(inventory, key) });
      expect([seconds <= CACHE_SECONDS, status, await statusOf(other)]).toEqual([true, 401, 401]);
    });

    test('for one session, by a Keycloak administrator', async () => {
      const path = `/users/${await keycloak.idOf('users', 'otto')}`;
      await keycloak.administer('POST', `${path}/logout`);
      receiver.received = [];
      const { key, other } = await twoSessions('otto');
      const [session] = await keycloak.administer('GET', `${path}/sessions`);
      await keycloak.administer('DELETE', `/sessions/${session.id}`);
      expect(statuses()).toEqual([200]);
      expect([await statusOf(key), await statusOf(other)].toSorted()).toEqual([200, 401]);
    });
  });

  test('for a log-out at Keycloak at the renewal, and with offline_access it is renewed', async () => {
    for (const [scope, isKept, status] of [
      [ONLINE, true, 401],
      // Keycloak ends the session of the browser when it gives a refresh token for offline use.
      [`${ONLINE} offline_access`, false, 201],
    ] as const) {
      const otto = keycloak.person('otto');
      const { body } = await logInByProvider(inventory, otto, scope);
      expect(await otto.mustLogIn(REDIRECT_URI)).toBe(!isKept);
      receiver.received = [];
      expect((await otto.logOut(REDIRECT_URI)).href).toBe(REDIRECT_URI);
      expect(receiver.received).toHaveLength(isKept ? 1 : 0);
      expect(await otto.mustLogIn(REDIRECT_URI)).toBe(true);
      expect((await renew(body.key)).status).toBe(status);
    }
  });
});

test("after Keycloak's end, sessions continue for the configured time, new log-ins get a 503, and admin logs in", async () => {
  const begin = Date.now();
  const maria = keycloak.person('maria');
  let key: string = (await logInByProvider(inventory, maria, ONLINE)).body.key;
  const strictKey: string = (await logInByProvider(strict, maria, ONLINE)).body.key;
  const { body: proof } = await authorized(maria, ONLINE);
  await keycloak.stop();
  strict.clock.now = new Date(begin + 30_000);
  expect((await renew(strictKey, strict)).status).toBe(503);
  for (const minutes of [8, 16, 24, 32, 40, 48, 56]) {
    inventory.clock.now = new Date(begin + minutes * 60_000);
    const { status, body } = await renew(key);
    expect([minutes, status, body.role]).toEqual([minutes, 201, 'Editor']);
    ({ key } = body);
  }
  inventory.clock.now = new Date(begin + 64 * 60_000);
  expect((await renew(key)).status).toBe(503);
  inventory.clock.now = undefined;
  const { status, body } = await logIn(inventory, proof);
  expect([status, body.message]).toEqual([503, expect.stringContaining('log in as "admin"')]);
  const admin = Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64');
  const headers = { Authorization: `Basic ${admin}` };
  expect((await inventory.request('POST', '/v1/sessions', { as: null, headers })).status).toBe(201);
});
