import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { authorized, logIn, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';

// Tokens of the provider of people: what it has signed is not what it should be, or it has not signed it.

let provider: OidcServer;
let inventory: Inventory;
let trusting: Inventory;

const BOSS = 'boss@example.com';

beforeAll(async () => {
  provider = await startOidcServer({ time: testTime() });
  inventory = await startInventory({ identityProviders: [await settingsFor(provider)] });
  trusting = await startInventory({ identityProviders: [await settingsFor(provider, { emailIsVerified: true })] });
  for (const target of [inventory, trusting])
    for (const [name, claims, role] of [
      ['boss', { email: [BOSS] }, 'Admin'],
      ['dba', { groups: ['dba'] }, 'Editor'],
    ])
      await target.request('POST', '/v1/role-bindings', { body: { name, provider: 'corporate', claims, role } });
});
afterAll(async () => {
  await Promise.all([inventory.stop(), trusting.stop(), provider.stop()]);
});

const now = Math.floor(TEST_TIME / 1000);

interface ProviderAnswer {
  claims?: object;
  header?: Record<string, unknown>;
  /** Undefined: as usual. */
  info?: object | undefined;
  /** Replaces the ID token on its way. */
  forge?: (token: string) => string | Promise<string>;
}

let people = 0;

/** A log-in of another person each time, in which the provider says something else. */
async function logInWith(
  { claims = {}, header = {}, info = {}, forge = (token) => token }: ProviderAnswer,
  at = inventory,
) {
  const { body: proof } = await authorized(provider);
  const { nonce } = proof as any;
  const sub = `p-${(people += 1)}`;
  const standard = { sub, nonce, iat: now, exp: now + 300, groups: ['dba'] };
  const id_token = await forge(await provider.sign({ ...standard, ...claims }, { typ: 'JWT', ...header }));
  const tokens = JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token });
  const person = JSON.stringify({ sub, ...info });
  provider.fault = (path) => {
    if (path === '/token') return { status: 200, body: tokens };
    return path === '/me' ? { status: 200, body: person } : undefined;
  };
  try {
    return await logIn(at, proof);
  } finally {
    provider.fault = undefined;
  }
}

test('a person with correct claims logs in', async () => {
  const { status, body } = await logInWith({ claims: { preferred_username: 'maria' } });
  expect([status, body.name, body.role]).toEqual([201, 'corporate/maria', 'Editor']);
});

test.each<[string, ProviderAnswer, string, string]>([
  ['verified', { claims: { email: BOSS, email_verified: true } }, 'Admin', 'Admin'],
  ['not verified', { claims: { email: BOSS, email_verified: false } }, 'Editor', 'Editor'],
  ['without a word of it', { claims: { email: BOSS } }, 'Editor', 'Admin'],
  ['verified at UserInfo', { info: { email: BOSS, email_verified: 'true' } }, 'Admin', 'Admin'],
  ['not verified at UserInfo', { info: { email: BOSS, email_verified: 'false' } }, 'Editor', 'Editor'],
  [
    'that UserInfo says after a verified one of the token',
    { claims: { email_verified: true }, info: { email: BOSS } },
    'Editor',
    'Admin',
  ],
])('the address %s grants the right role, also with emailIsVerified', async (_what, said, role, trusted) => {
  expect((await logInWith(said)).body.role).toBe(role);
  expect((await logInWith(said, trusting)).body.role).toBe(trusted);
});

test('an unverified address cannot be a name', async () => {
  const { body } = await logInWith({ claims: { email: BOSS, email_verified: false, name: 'Eve' } });
  expect(body.name).toBe('corporate/Eve');
});

test('the preview of role bindings evaluates addresses as a log-in does', async () => {
  const preview = (claims: object, at = inventory) =>
    at.request('POST', '/v1/role-bindings/preview', { body: { provider: 'corporate', claims } });
  expect((await preview({ email: BOSS, email_verified: true })).body.role).toBe('Admin');
  const { body } = await preview({ email: BOSS });
  expect([body.role, body.bindings[0].missing_claims]).toEqual([undefined, ['email']]);
  expect((await preview({ email: BOSS }, trusting)).body.role).toBe('Admin');
});

test.each<[string, object]>([
  ['another authorised party', { azp: 'x' }],
  ['two audiences', { aud: ['inventory', 'x'] }],
  ['two audiences and this party', { aud: ['inventory', 'x'], azp: 'inventory' }],
])('an ID token for %s is refused', async (_what, claims) => {
  expect((await logInWith({ claims })).status).toBe(401);
});

/** The same claims, signed by a key that is not of the provider, which has the id of its key. */
async function signedByAnother(token: string): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT(decodeJwt(token))
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'ES256' })
    .sign(privateKey);
}

test.each<[string, (token: string) => string | Promise<string>]>([
  ['the signature of another key', signedByAnother],
  ['the signature of other claims', async (token) => token.replace(/[^.]*$/, (await provider.sign({})).split('.')[2]!)],
  ['an empty signature', (token) => token.replace(/[^.]*$/, '')],
  ['the algorithm "none"', (token) => new UnsecuredJWT(decodeJwt(token)).encode()],
])('an ID token with %s is refused', async (_what, forge) => {
  expect((await logInWith({ forge })).status).toBe(401);
});

test('a token with a new provider key is read by that key, and its signature is checked', async () => {
  await logInWith({});
  provider.rotateKeys();
  // The documents are read again at most once in five seconds.
  inventory.clock.now = testTime(5000);
  try {
    expect((await logInWith({ forge: signedByAnother })).status).toBe(401);
    expect((await logInWith({})).status).toBe(201);
  } finally {
    inventory.clock.now = undefined;
  }
});

test('a person without a name and with an unreadable or long subject gets a readable name', async () => {
  const subjects = ['a\nb', 'a\u202eb', 'x'.repeat(200), `${'x'.repeat(199)}y`];
  const names = [];
  for (const sub of subjects) names.push((await logInWith({ claims: { sub }, info: { sub } })).body.name);
  expect(new Set(names).size).toBe(subjects.length);
  for (const name of names) expect(name).toMatch(/^corporate\/[ab?x]+~[0-9a-f]{32}$/);
});

const shown = (value: unknown) => JSON.stringify(value).slice(0, 40);

const odd: readonly unknown[] = [
  ...[null, '', 'x', '\ud800', '\u0000', 'x'.repeat(10_000), 0, -1, 1e300, 10 ** 40, 0.5, true],
  ...[[], [null], [[]], {}, { a: { a: null } }, ['inventory', 'x']],
];

test.each(['sub', 'iss', 'aud', 'azp', 'exp', 'iat', 'nbf', 'nonce', 'sid', 'auth_time', 'acr'])(
  'an odd %s of an ID token causes no service error',
  async (name) => {
    for (const value of odd) {
      const { status } = await logInWith({ claims: { [name]: value }, info: name === 'sub' ? { sub: value } : {} });
      expect([shown(value), status]).toEqual([shown(value), status < 429 ? status : 401]);
    }
  },
);

test.each(['preferred_username', 'name', 'email', 'email_verified', 'groups', '_claim_names', 'hasgroups'])(
  'an odd %s of an ID token or of UserInfo causes no service error',
  async (name) => {
    for (const value of odd)
      for (const said of [{ claims: { [name]: value } }, { info: { [name]: value } }]) {
        const { status } = await logInWith(said);
        expect([shown(value), status]).toEqual([shown(value), status < 429 ? status : 401]);
      }
  },
);

test.each(['typ', 'kid', 'cty', 'crit', 'jku'])('an odd %s in the header causes no service error', async (name) => {
  for (const value of odd) {
    // The library that signs refuses some of them.
    const reply = await logInWith({ header: { [name]: value } }).catch(() => undefined);
    const { status = 401 } = reply ?? {};
    expect([shown(value), status]).toEqual([shown(value), status < 429 ? status : 401]);
  }
});

test.each(['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'end_session_endpoint', 'jwks_uri'])(
  'a provider whose %s is no https URL is not used, and its address is not shown',
  async (name) => {
    const { body: configuration } = await (async () => {
      const response = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
      return { body: (await response.json()) as object };
    })();
    for (const address of [
      'javascript:alert(1)',
      'http://169.254.169.254/',
      'https://a:b@id.example.com/',
      '//x',
      '',
      7,
    ]) {
      const apart = await startInventory({ identityProviders: [await settingsFor(provider)] });
      const body = JSON.stringify({ ...configuration, [name]: address });
      provider.fault = (path) => (path.startsWith('/.well-known') ? { status: 200, body } : undefined);
      const { body: offered } = await apart.request('GET', '/v1/logins', { as: null });
      provider.fault = undefined;
      await apart.stop();
      const [method] = offered.methods.filter(({ method: kind }: any) => kind === 'oidc');
      expect([address, method.authorization_endpoint, method.end_session_endpoint]).toEqual([
        address,
        undefined,
        undefined,
      ]);
      expect(apart.logged.map(({ reason }) => reason)).toEqual([
        expect.stringContaining('Identity provider "corporate"'),
      ]);
    }
  },
);
