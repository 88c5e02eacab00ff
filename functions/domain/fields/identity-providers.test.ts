import { isIssuer, parseIdentityProviders, readIdentityProviders } from './identity-providers.ts';

const github = {
  name: 'github',
  kind: 'jwt',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://inventory.example.com',
};
const company = {
  name: 'company',
  kind: 'oidc',
  issuer: 'https://id.example.com',
  clientId: 'inventory',
  redirectUris: ['https://inventory.example.com/'],
};
const rsa = { kty: 'RSA', kid: 'a', n: 'AQAB', e: 'AQAB' };

const problemsOf = (...list: unknown[]) => {
  const read = readIdentityProviders(list);
  return 'problems' in read ? read.problems : [];
};

test('valid providers are unchanged', () => {
  const cluster = {
    ...github,
    name: 'cluster',
    issuer: 'https://kubernetes.default.svc',
    oneTimeUse: false,
    keys: { keys: [rsa] },
  };
  const list = [github, cluster, { ...company, scopes: ['openid', 'groups'] }];
  expect(readIdentityProviders(list)).toEqual({ providers: list });
  expect(parseIdentityProviders(JSON.stringify(list))).toEqual({ providers: list });
  expect(parseIdentityProviders(' ')).toEqual({ providers: [] });
});

test.each([
  ['no object', 7, /^Provider 1 must be an object\.$/],
  ['no kind', { ...github, kind: 'saml' }, /^Provider "github": kind must be jwt or oidc\.$/],
  ['a missing field', { ...github, audience: undefined }, /^Provider "github" lacks audience: 1 to 256 characters\.$/],
  ['http', { ...github, issuer: 'http://id.example.com' }, /^Provider "github": issuer must be an https URL/],
  ['a name for local users', { ...github, name: 'local' }, /^Provider "local": name must be a lower-case letter/],
  [
    'a field of another kind',
    { ...github, clientId: 'x' },
    /^Provider "github" has the unknown field "clientId"\. Fields: /,
  ],
  [
    'a private key',
    { ...github, keys: { keys: [{ ...rsa, d: 'AQAB' }] } },
    /^Provider "github": keys must be a JSON Web Key Set/,
  ],
  ['a symmetric key', { ...github, keys: { keys: [{ kty: 'oct', k: 'AQAB' }] } }, /public keys/],
  [
    'a long life of keys',
    { ...github, keySeconds: 3601 },
    /^Provider "github": keySeconds must be a whole number of seconds from 60 to 3600\.$/,
  ],
  ['a secret itself', { ...company, clientSecret: 'x' }, /^Provider "company" has the unknown field "clientSecret"/],
])('%s has one clear error', (_, provider, sentence) => {
  const problems = problemsOf(provider);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(sentence);
});

test('names and issuers are unique', () => {
  expect(problemsOf(github, { ...github, issuer: 'https://other.example.com' })).toEqual([
    'Two providers have the name "github".',
  ]);
  expect(problemsOf(github, { ...github, name: 'again' })).toEqual([
    `Provider "again" has the issuer ${github.issuer} of another one.`,
  ]);
});

test('text that is no JSON, no list, too long or has too many providers is refused', () => {
  const problem = (text: string) => (parseIdentityProviders(text) as { problems: string[] }).problems;
  expect(problem('[')).toEqual(['Identity providers must be valid JSON.']);
  expect(problem('{}')).toEqual(['Identity providers must be a list.']);
  expect(problemsOf(...Array.from({ length: 11 }, () => github))[0]).toMatch(/at most 10/);
  const long = { ...github, keys: { keys: [{ ...rsa, n: 'A'.repeat(3000) }] } };
  expect(problemsOf(long)[0]).toMatch(/more than 2800 characters/);
});

test.each([
  ['https://id.example.com', true],
  ['https://id.example.com/realms/a', true],
  ['http://localhost:8080', true],
  ['http://127.0.0.1:8080/dex', true],
  ['http://127.0.0.1.example.com', false],
  ['https://id.example.com?x=1', false],
  ['https://id.example.com#', false],
  ['https://user:pass@id.example.com', false],
  ['file:///etc/passwd', false],
  ['id.example.com', false],
])('the issuer %s: %j', (issuer, isValid) => {
  expect(isIssuer(issuer)).toBe(isValid);
});
