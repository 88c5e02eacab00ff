import type { LogEntry } from '../../../shared/core/log.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { logIn, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import type { OidcProvider } from '../../api/logins/oidc/provider.ts';
import { listInventories, type ListDependencies } from './list-inventories.ts';
import { pendingIn } from './log-in.ts';
import { testTime } from '../../../tests/support/test-time.ts';

const HOST = 'list.example.com';
const ADDRESS = `https://${HOST}/`;

let server: OidcServer;
let provider: OidcProvider;
let acme: Inventory;
let umbrella: Inventory;
let logged: LogEntry[];
let dependencies: ListDependencies;

const bind = (inventory: Inventory, group: string, role: string) =>
  inventory.request('POST', '/v1/role-bindings', {
    body: { name: group, provider: 'corporate', claims: { groups: [group] }, role },
  });

beforeAll(async () => {
  server = await startOidcServer({ redirectUri: ADDRESS, time: testTime() });
  provider = (await settingsFor(server, { redirectUris: [ADDRESS] })) as OidcProvider;
  [acme, umbrella] = await Promise.all([
    startInventory({ identityProviders: [provider] }),
    startInventory({ identityProviders: [provider] }),
  ]);
  await bind(acme, 'dba', 'Editor');
  await bind(umbrella, 'dba', 'Viewer');
  await bind(umbrella, 'auditors', 'Admin');
  await bind(umbrella, 'hosts', 'Registrar');
  for (const [id, group] of Object.entries({ 'a-1': 'auditors', 'g-1': 'guests', 'h-1': 'hosts', 'd-1': 'dba' }))
    server.accounts.set(id, { preferred_username: id, groups: [group] });
});
afterAll(async () => {
  await Promise.all([acme, umbrella].map((inventory) => inventory.stop()));
  await server.stop();
});
beforeEach(() => {
  logged = [];
  server.person = 'm-1';
  server.fault = undefined;
  dependencies = {
    providers: [provider],
    inventories: () =>
      Promise.resolve([
        { name: 'acme', url: 'https://acme.example.com/', providers: ['corporate'], table: acme.table },
        { name: 'umbrella', url: 'https://umbrella.example.com/', providers: ['corporate'], table: umbrella.table },
        { name: 'elsewhere', url: 'https://elsewhere.example.com/', providers: ['another'], table: acme.table },
      ]),
    clock: () => testTime(),
    log: (entry) => logged.push(entry),
  };
});

/** A request as the gateway passes it on. */
async function get(address: string, { cookies = [], method = 'GET' }: { cookies?: string[]; method?: string } = {}) {
  const url = new URL(address, ADDRESS);
  const reply = await listInventories(dependencies)({
    rawPath: url.pathname,
    queryStringParameters: Object.fromEntries(url.searchParams),
    cookies,
    requestContext: { domainName: HOST, http: { method } },
  } as any);
  const { statusCode: status, headers = {}, body = '', cookies: set = [] } = reply;
  return { status, headers: headers as Record<string, string>, body, set };
}

const sent = (set: readonly string[]) => set.map((cookie) => cookie.split(';')[0]!);

/** The way of a browser to the provider and back. */
async function authorized() {
  const { status, headers, set } = await get('/');
  expect(status).toBe(302);
  const leave = new URL(headers['Location']!);
  const back = await server.authorize(Object.fromEntries(leave.searchParams));
  return { leave, back, set, cookies: sent(set) };
}

/** The page of the person at the provider. */
async function pageOf(person: string) {
  server.person = person;
  const { back, cookies } = await authorized();
  return get(back.href, { cookies });
}

/** The inventories on a page, with their roles. */
const listed = (body: string) =>
  [...body.matchAll(/<li><a href="([^"]*)">([^<]*)<\/a> \((\w+)\)<\/li>/g)].map(([, url, name, role]) => [
    ...[name, url, role],
  ]);

test.each([
  [
    'm-1',
    [
      ['acme', 'Editor'],
      ['umbrella', 'Viewer'],
    ],
  ],
  ['a-1', [['umbrella', 'Admin']]],
  ['g-1', []],
  ['h-1', []],
])('%s reads the inventories with a role binding, and no name of another one: %j', async (person, expected) => {
  const { status, body, set } = await pageOf(person);
  expect(status).toBe(200);
  expect(listed(body)).toEqual(expected.map(([name, role]) => [name, `https://${name!}.example.com/`, role]));
  const names = expected.map(([name]) => name);
  for (const name of ['acme', 'umbrella', 'elsewhere'])
    expect([name, body.includes(name)]).toEqual([name, names.includes(name)]);
  expect(body.includes('No inventory has a role for you.')).toBe(expected.length === 0);
  // The log-in has ended in the browser.
  expect(set).toEqual([expect.stringMatching(/^__Host-log-in=; Max-Age=0;/)]);
  expect(logged).toEqual([]);
});

test('a binding that is removed, and a user who is disabled at an inventory, end the entry at once', async () => {
  server.person = 'd-1';
  const { back, cookies } = await authorized();
  const { code, iss } = Object.fromEntries(back.searchParams);
  const { nonce, code_verifier } = pendingIn(cookies)!;
  const proof = { method: 'oidc', provider: 'corporate', nonce, code_verifier, redirect_uri: ADDRESS, code, iss };
  const { status, body: session } = await logIn(acme, proof);
  expect(status).toBe(201);
  expect(listed((await pageOf('d-1')).body)).toHaveLength(2);
  const disabled = await acme.request('PATCH', `/v1/users/${encodeURIComponent(session.user_id)}`, {
    body: { disabled: true },
  });
  expect(disabled.status).toBe(200);
  expect(listed((await pageOf('d-1')).body).map(([name]) => name)).toEqual(['umbrella']);
  expect((await umbrella.request('DELETE', '/v1/role-bindings/dba')).status).toBe(204);
  expect(listed((await pageOf('d-1')).body)).toEqual([]);
  await bind(umbrella, 'dba', 'Viewer');
});

test('the log-in leaves with PKCE, state and nonce for the provider, without a refresh token', async () => {
  const { leave, set } = await authorized();
  const parameters = Object.fromEntries(leave.searchParams);
  expect(parameters).toMatchObject({ redirect_uri: ADDRESS, code_challenge_method: 'S256', response_type: 'code' });
  expect(parameters['scope']).toBe('openid profile email');
  const [cookie] = set;
  expect(cookie).toMatch(/^__Host-log-in=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
  expect(pendingIn(sent(set))).toMatchObject({ state: parameters['state'], nonce: parameters['nonce'] });
});

test('a redirect of another browser, with another state or without the cookie, is not redeemed', async () => {
  const [own, foreign] = [await authorized(), await authorized()];
  const before = server.requests.length;
  for (const cookies of [[], foreign.cookies, ['__Host-log-in=invented']]) {
    const { status, body } = await get(own.back.href, { cookies });
    expect([status, body.includes('did not begin in this browser'), body.includes('acme')]).toEqual([401, true, false]);
  }
  expect(server.requests).toHaveLength(before);
});

test('a code works once, and a code of another log-in is refused', async () => {
  const [own, foreign] = [await authorized(), await authorized()];
  expect((await get(own.back.href, { cookies: own.cookies })).status).toBe(200);
  expect((await get(own.back.href, { cookies: own.cookies })).status).toBe(401);
  const mixed = new URL(foreign.back);
  mixed.searchParams.set('state', own.back.searchParams.get('state')!);
  const { status, body } = await get(mixed.href, { cookies: own.cookies });
  expect([status, listed(body)]).toEqual([401, []]);
});

test('a person who cancels reads it', async () => {
  const { set } = await get('/');
  const { state } = pendingIn(sent(set))!;
  const { status, body } = await get(`/?error=access_denied&state=${state}`, { cookies: sent(set) });
  expect([status, body.includes('or you cancelled it')]).toEqual([401, true]);
});

test('an inventory that cannot be read is left out with a sentence, and logged', async () => {
  const all = await dependencies.inventories();
  const broken = { ...acme.table, name: 'gone' };
  dependencies = {
    ...dependencies,
    inventories: () => Promise.resolve(all.map((one) => (one.name === 'acme' ? { ...one, table: broken } : one))),
  };
  const { status, body } = await pageOf('m-1');
  expect([status, listed(body).map(([name]) => name)]).toEqual([200, ['umbrella']]);
  expect(body).toContain('the list may be incomplete');
  expect(logged.map(({ message }) => message)).toEqual(['an inventory cannot be read']);
});

test('of several providers, the person chooses one', async () => {
  const other = { ...provider, name: 'another', displayName: 'A <b> & "C"' };
  dependencies = { ...dependencies, providers: [provider, other] };
  const { status, body } = await get('/');
  expect(status).toBe(200);
  expect(body).toContain('<a href="/?provider=another">A &lt;b&gt; &amp; &quot;C&quot;</a>');
  expect((await get('/?provider=corporate')).status).toBe(302);
  expect((await get('/?provider=invented')).status).toBe(200);
});

test('while the provider does not answer, the page says so, and the log has the reason', async () => {
  const { back, cookies } = await authorized();
  server.fault = (path) => (path === '/token' ? { status: 500, body: '{}' } : undefined);
  const { status, body } = await get(back.href, { cookies });
  expect([status, body.includes('does not work at the moment')]).toEqual([503, true]);
  expect(logged.map(({ message }) => message)).toEqual(['identity provider cannot be used']);
});

test('a page loads nothing, runs no script, is not kept, and nothing else has a page', async () => {
  for (const reply of [await pageOf('m-1'), await get('/other'), await get('/', { method: 'POST' })]) {
    expect(reply.headers['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
    expect(reply.headers).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    expect(reply.body).not.toMatch(/<script|src=|style="/);
  }
  expect((await get('/other')).status).toBe(404);
  expect((await get('/', { method: 'POST' })).status).toBe(404);
});
