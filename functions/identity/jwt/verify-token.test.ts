import { createHmac } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { exportSPKI, importJWK, type JWTPayload } from 'jose';
import type { Inventory } from '../../../tests/support/inventory.ts';
import type { Issuer } from '../../../tests/support/issuer.ts';
import { logInProgram, programClaims as claims, useProgramLogins } from '../../../tests/support/program-logins.ts';
import { refusalsFor } from '../../../tests/support/refusals.ts';
import type { LogInRefusal } from '../../contract/refusal.ts';
import type { JwtProvider } from './issuer-keys.ts';
import { signedClaims, type TokenRules, verifyToken } from './verify-token.ts';
import { AUDIENCE, newSigningKey, signedBy } from '../../../tests/support/program-tokens.ts';
import { inFull } from '../../../shared/testing/extent.ts';
import fc from '../../../shared/testing/fast-check.ts';
import { TEST_TIME } from '../../../tests/support/test-time.ts';

let issuer: Issuer;
let inventory: Inventory;
useProgramLogins((started) => ({ issuer, inventory } = started));

const logIn = (token: string, provider?: string) => logInProgram(inventory, token, provider);
const items = async () =>
  (await inventory.table.client.send(new ScanCommand({ TableName: inventory.table.name, ConsistentRead: true })))
    .Items!;
const keyItems = async () => (await items()).filter(({ sk }) => sk === 'SESSION').length;

describe('a token gets the same 401 without a key, and the audit contains the reason:', () => {
  const seconds = (offset: number) => Math.floor(TEST_TIME / 1000) + offset;
  const forged = (header: object, payload: object, signature = '') =>
    [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
    `.${signature}`;
  const full = (more = {}) =>
    claims({ iss: issuer.issuer, aud: AUDIENCE, iat: seconds(0), exp: seconds(300), ...more });
  const signedWith = async (more: JWTPayload = {}, header = {}) => issuer.sign(claims(more), header);
  const foreign = async (header = {}) => signedBy(await newSigningKey(issuer.keys[0]!.kid), full(), header);

  const cases: [string, () => Promise<string> | string, string][] = [
    ['no token', () => 'x', 'invalid_identity'],
    ['two parts', async () => (await signedWith()).split('.').slice(0, 2).join('.'), 'invalid_identity'],
    ['five parts', () => 'a.b.c.d.e', 'invalid_identity'],
    ['the algorithm none', () => forged({ alg: 'none' }, full()), 'invalid_identity'],
    ['none in capitals', () => forged({ alg: 'NONE', typ: 'JWT' }, full()), 'invalid_identity'],
    [
      'a digest with the public key as secret',
      async () => {
        const { publicJwk, kid } = issuer.keys[0]!;
        const pem = await exportSPKI((await importJWK(publicJwk, 'ES256', { extractable: true })) as any);
        const unsigned = forged({ alg: 'HS256', typ: 'JWT', kid }, full()).replace(/\.$/, '');
        return `${unsigned}.${createHmac('sha256', pem).update(unsigned).digest('base64url')}`;
      },
      'invalid_identity',
    ],
    ['a foreign key under a known id', () => foreign(), 'invalid_identity'],
    [
      'a foreign key in the header',
      async () => foreign({ jwk: (await newSigningKey('x')).publicJwk }),
      'invalid_identity',
    ],
    ['an address of keys in the header', () => foreign({ jku: 'https://evil.example/keys' }), 'invalid_identity'],
    ['an address of a certificate in the header', () => foreign({ x5u: 'https://evil.example/c' }), 'invalid_identity'],
    [
      'an unknown critical extension',
      () => forged({ alg: 'ES256', kid: 'first', crit: ['x'], x: 1 }, full(), 'AA'),
      'invalid_identity',
    ],
    ['another audience', () => signedWith({ aud: 'https://other.example.com' }), 'wrong_audience'],
    ['an audience with one more character', () => signedWith({ aud: `${AUDIENCE}/` }), 'wrong_audience'],
    ['a second audience', () => signedWith({ aud: [AUDIENCE, 'https://other.example.com'] }), 'wrong_audience'],
    ['an issuer with a slash', () => signedWith({ iss: `${issuer.issuer}/` }), 'wrong_issuer'],
    ['no issuer', async () => signedBy(issuer.keys[0]!, claims()), 'wrong_issuer'],
    ['no subject', () => signedWith({ sub: undefined as never }), 'invalid_identity'],
    ['a subject that is no text', () => signedWith({ sub: 7 as never }), 'invalid_identity'],
    ['no end', () => signedWith({ exp: undefined as never }), 'invalid_identity'],
    ['an end 31 seconds ago', () => signedWith({ exp: seconds(-31) }), 'expired_identity'],
    ['a begin in a minute', () => signedWith({ nbf: seconds(60) }), 'invalid_identity'],
    ['an issue in a minute', () => signedWith({ iat: seconds(60) }), 'invalid_identity'],
    ['an issue two days ago', () => signedWith({ iat: seconds(-172_800) }), 'expired_identity'],
    ['null as the type', () => signedWith({}, { typ: null }), 'invalid_identity'],
    ['an end beyond all times', () => signedWith({ exp: 1e300 }), 'invalid_identity'],
    ['a token of another type', () => signedWith({}, { typ: 'logout+jwt' }), 'invalid_identity'],
    [
      'another repository of the same name',
      () => signedWith({ repository_id: '99', repository: 'octo-org/shop' }),
      'unbound_identity',
    ],
    ['an unknown provider', () => signedWith(), 'unknown_provider'],
    ['an unknown key', async () => signedBy(await newSigningKey('unknown'), full()), 'unknown_key'],
  ];
  const swapped = async (part: number) => {
    const [parts, other] = [(await signedWith()).split('.'), (await signedWith({ sub: 'other' })).split('.')];
    return parts.with(part, other[part]!).join('.');
  };
  const moreCases: typeof cases = [
    ['four parts', async () => `${await signedWith()}.x`, 'invalid_identity'],
    ['no signature', async () => (await signedWith()).replace(/[^.]*$/, ''), 'invalid_identity'],
    ['the claims of another token', () => swapped(1), 'invalid_identity'],
    ['the signature of another token', () => swapped(2), 'invalid_identity'],
    ['a space before the token', async () => ` ${await signedWith()}`, 'invalid_identity'],
    ['the word Bearer before the token', async () => `Bearer ${await signedWith()}`, 'invalid_identity'],
    ['a certificate in the header', () => foreign({ x5c: ['AAAA'] }), 'invalid_identity'],
    ['a path as the id of the key', () => foreign({ kid: '../../dev/null' }), 'invalid_identity'],
    ['the type of an access token', () => signedWith({}, { typ: 'at+jwt' }), 'invalid_identity'],
    [
      'an algorithm of another kind of key',
      () => forged({ alg: 'RS256', kid: 'first' }, full(), 'AA'),
      'invalid_identity',
    ],
    ['no algorithm', () => forged({ kid: 'first' }, full(), 'AA'), 'invalid_identity'],
    ['claims that are a list', () => forged({ alg: 'ES256', kid: 'first' }, [full()], 'AA'), 'invalid_identity'],
    ['an empty list of audiences', () => signedWith({ aud: [] }), 'wrong_audience'],
    ['no audience', () => signedWith({ aud: undefined as never }), 'invalid_identity'],
    ['the issuer in a list', () => signedWith({ iss: [issuer.issuer] as never }), 'wrong_issuer'],
    ['an end that is text', () => signedWith({ exp: String(seconds(300)) as never }), 'invalid_identity'],
    ['an end before 1970', () => signedWith({ exp: -1 }), 'expired_identity'],
    ['no time of issue', () => signedWith({ iat: undefined as never }), 'invalid_identity'],
    ['an empty subject', () => signedWith({ sub: '' }), 'invalid_identity'],
    ['half a character as subject', () => signedWith({ sub: '\ud800' }), 'invalid_identity'],
    ['a list of types', () => signedWith({}, { typ: ['JWT'] }), 'invalid_identity'],
    ['an end of 41 digits', () => signedWith({ exp: 10 ** 40 }), 'invalid_identity'],
  ];
  test.each(inFull([...cases, ...moreCases], cases))('%s', async (what, make, reason) => {
    const before = await keyItems();
    const refusals = await refusalsFor(inventory, 'sign_in.refused', reason);
    // Refusals are counted together for a second.
    inventory.passing.advance(1001);
    const token = await make();
    const provider = what === 'an unknown provider' ? 'other' : 'ci';
    const { status, body } = await logIn(token, provider);
    const { request_id: _id, ...rest } = body;
    expect([status, rest]).toEqual([401, expectedRefusal()]);
    expect(await keyItems()).toBe(before);
    expect(await refusalsFor(inventory, 'sign_in.refused', reason)).toBe(refusals + 1);
    // Also in a message of an error: no part of a token.
    const part = token.split('.')[1];
    if (part !== undefined && part.length > 20)
      expect(JSON.stringify([inventory.logged, await items()])).not.toContain(part);
  });

  let refusal: object | undefined;
  /** The reply to a wrong password: every refusal has the same. */
  beforeAll(async () => {
    const body = { method: 'password', user_name: 'nobody', password: 'x' };
    const { body: reply } = await inventory.request('POST', '/v1/logins', { as: null, body, sourceIp: '10.9.9.9' });
    const { request_id: _id, ...rest } = reply;
    refusal = rest;
  });
  const expectedRefusal = () => refusal;
});

describe('while the clock stands still', () => {
  const now = Math.floor(TEST_TIME / 1000);
  const at = (minutes: number) => (inventory.clock.now = new Date((now + minutes * 60) * 1000));
  const statusOf = async (times: JWTPayload) =>
    (await logIn(await issuer.sign(claims({ iat: now, nbf: now, exp: now + 300, ...times })))).status;

  const times: ['exp' | 'nbf' | 'iat', number, number][] = [
    ['exp', -31, 401],
    ['exp', -29, 201],
    ['exp', 29, 201],
    ['exp', 31, 201],
    ['nbf', -31, 201],
    ['nbf', -29, 201],
    ['nbf', 29, 201],
    ['nbf', 31, 401],
    ['iat', -31, 201],
    ['iat', -29, 201],
    ['iat', 29, 201],
    ['iat', 31, 401],
  ];
  test.each(inFull(times, times.slice(0, 2)))(
    '%s at %d seconds from it: %d, also after a wrong clock',
    async (name, offset, status) => {
      const changed = { [name]: now + offset };
      at(0);
      expect(await statusOf(changed)).toBe(status);
      for (const minutes of [-10, 10]) {
        at(minutes);
        expect(await statusOf({})).toBe(401);
        at(0);
        expect(await statusOf(changed)).toBe(status);
      }
    },
  );
});

test('a token with any changed character is refused', async () => {
  const token = await issuer.sign(claims());
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n';
  const position = fc.nat({ max: token.length - 1 });
  // The last character has bits that no signature contains: it may change without a change of the bytes.
  const mutation = fc
    .tuple(position, fc.constantFrom(...alphabet.split('')), fc.constantFrom('replace', 'insert', 'delete', 'cut'))
    .map(([at, sign, how]) => {
      if (how === 'cut') return token.slice(0, at);
      return token.slice(0, at) + (how === 'delete' ? '' : sign) + token.slice(at + (how === 'insert' ? 0 : 1));
    })
    .filter(
      (text) =>
        // An empty text is a wrong request.
        text !== '' &&
        (Buffer.from(text.split('.')[2] ?? '', 'base64url').compare(Buffer.from(token.split('.')[2]!, 'base64url')) !==
          0 ||
          text.slice(0, text.lastIndexOf('.')) !== token.slice(0, token.lastIndexOf('.'))),
    );
  await fc.assert(
    fc.asyncProperty(mutation, async (text) => {
      expect((await logIn(text)).status).toBe(401);
    }),
    { numRuns: 100 },
  );
  expect((await logIn(token)).status).toBe(201);
});

test('a token without the claim that names its program is refused', async () => {
  const settings = { name: 'ci', kind: 'jwt', issuer: issuer.issuer, audience: AUDIENCE, usernameClaim: 'actor' };
  const claimsWith = async (more: JWTPayload) =>
    verifyToken(await issuer.sign(claims(more)), settings as JwtProvider, inventory.dependencies);
  expect(await claimsWith({ actor: 'octo' })).toMatchObject({ actor: 'octo' });
  for (const more of [{}, { actor: '' }, { actor: 7 }])
    await expect(claimsWith(more)).rejects.toMatchObject({ reason: 'invalid_identity' });
});

test('only a token with an unknown key causes another read of the keys', async () => {
  const [known, next, foreign] = [await newSigningKey('known'), await newSigningKey('next'), await newSigningKey('x')];
  let reads = 0;
  const rules: TokenRules = {
    ...{ issuer: issuer.issuer, addressee: { audience: AUDIENCE, isClient: false }, types: ['jwt'] },
    ...{ requiredClaims: [], maxAge: '24h' },
    keys: () => Promise.resolve({ keys: [known.publicJwk] } as never),
    newerKeys: () => {
      reads += 1;
      return Promise.resolve({ keys: [known.publicJwk, next.publicJwk] } as never);
    },
  };
  const outcomeOf = async (key: typeof known, more: JWTPayload = {}) => {
    const token = await signedBy(key, claims({ iss: issuer.issuer, aud: AUDIENCE, ...more }));
    return signedClaims(token, rules, new Date(TEST_TIME)).then(
      ({ iss }) => iss,
      (error: unknown) => (error as LogInRefusal).reason,
    );
  };
  expect([await outcomeOf(known), reads]).toEqual([issuer.issuer, 0]);
  expect([await outcomeOf(known, { aud: 'other' }), reads]).toEqual(['wrong_audience', 0]);
  expect([await outcomeOf(next), reads]).toEqual([issuer.issuer, 1]);
  expect([await outcomeOf(next, { aud: 'other' }), reads]).toEqual(['wrong_audience', 2]);
  expect([await outcomeOf(foreign), reads]).toEqual(['unknown_key', 3]);
});
