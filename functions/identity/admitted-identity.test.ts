import fc from '../../shared/testing/fast-check.ts';
import type { IdentityProvider } from '../domain/fields/identity-providers.ts';
import { admittedClaims, checkAddressee, hasPossibleTimes, identityName } from './admitted-identity.ts';

const provider: IdentityProvider = { name: 'ci', kind: 'jwt', issuer: 'https://i.example', audience: 'a' };
const counting = { ...provider, emailIsVerified: true };

/** The refusal; undefined for none. */
function reasonOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error: any) {
    return error.reason;
  }
}

test.each<[unknown, boolean, boolean]>([
  [true, true, true],
  ['true', true, true],
  [false, false, false],
  ['false', false, false],
  [null, false, false],
  [1, false, false],
  [['true', 'x'], false, false],
  [undefined, false, true],
])('with email_verified %j an address counts: %j; of a provider whose addresses are verified: %j', (...row) => {
  const [email_verified, byDefault, bySetting] = row;
  const claims = { sub: 's', email: 'boss@example.com', ...(email_verified === undefined ? {} : { email_verified }) };
  expect(Object.hasOwn(admittedClaims(claims, provider), 'email')).toBe(byDefault);
  expect(Object.hasOwn(admittedClaims(claims, counting), 'email')).toBe(bySetting);
});

test.each([1e300, -1e300, 10 ** 40, Infinity, NaN, '1', null, []])('a token with the time %j is refused', (time) => {
  for (const name of ['exp', 'iat', 'nbf'])
    expect(reasonOf(() => admittedClaims({ sub: 's', [name]: time }, provider))).toBe('invalid_identity');
});

test.each([undefined, null, '', 7, ['s'], '\ud800', 's'.repeat(1025)])('the subject %j is refused', (sub) => {
  expect(reasonOf(() => admittedClaims({ sub }, provider))).toBe('invalid_identity');
});

test('a subject of 1024 characters and a time until the end of the year 9999 are admitted', () => {
  const claims = { sub: '🙂'.repeat(1024), exp: 253_402_300_799, iat: -253_402_300_799 };
  expect(admittedClaims(claims, provider)).toMatchObject(claims);
  for (const exp of [253_402_300_800, -253_402_300_800])
    expect(reasonOf(() => admittedClaims({ sub: 's', exp }, provider))).toBe('invalid_identity');
});

test.each<[object | undefined, boolean]>([
  [{ iat: 1, exp: 2 }, true],
  [{ iat: 1, exp: 1 }, false],
  [{ iat: 2, exp: 1 }, false],
  [{ iat: 1, exp: 3, nbf: 2 }, true],
  [{ iat: 1, exp: 3, nbf: 3 }, false],
  [{ iat: 1, exp: 1e300 }, false],
  [{ iat: -1e300, exp: 1 }, false],
  [{ iat: 1, exp: 3, nbf: -1e300 }, false],
  [{ iat: 1 }, false],
  [{ exp: 1 }, false],
  [undefined, false],
])('the times %j of a token fit each other: %j', (claims, fit) => {
  expect(hasPossibleTimes(claims && { claims })).toBe(fit);
});

test.each<[object, string | undefined, string | undefined]>([
  [{ aud: 'a' }, undefined, undefined],
  [{ aud: ['a'] }, undefined, undefined],
  [{ aud: ['a', 'b'] }, 'wrong_audience', 'wrong_audience'],
  [{ aud: ['a', 'b'], azp: 'a' }, 'wrong_audience', 'wrong_audience'],
  [{ aud: [] }, 'wrong_audience', 'wrong_audience'],
  [{ aud: null }, 'wrong_audience', 'wrong_audience'],
  [{}, 'wrong_audience', 'wrong_audience'],
  [{ aud: 'a', azp: 'a' }, undefined, undefined],
  [{ aud: 'a', azp: 'b' }, 'wrong_audience', undefined],
  [{ aud: 'a', azp: null }, 'wrong_audience', undefined],
])('a token with %j: of a person %j, of a program %j', (claims, ofPerson, ofProgram) => {
  expect(reasonOf(() => checkAddressee(claims as any, { audience: 'a', isClient: true }))).toBe(ofPerson);
  expect(reasonOf(() => checkAddressee(claims as any, { audience: 'a', isClient: false }))).toBe(ofProgram);
});

test.each([
  ['repo:octo-org/shop:ref:refs/heads/main', 'ci/repo:octo-org/shop:ref:refs/heads/main'],
  ['Jürgen 名前 🙂', 'ci/Jürgen 名前 🙂'],
])('the name of %j is %j', (text, name) => {
  expect(identityName(provider, text, 128)).toBe(name);
});

test.each(['a\nb', 'a\u001b]0;x', 'a\u202eb', 'a\u2066b', 'a\u200bb', 'a\u00adb', 'a\u2028b', 'a\u3164b'])(
  'in the name of %j a question mark replaces the unreadable character',
  (text) => {
    expect(identityName(provider, text, 128)).toMatch(/^ci\/a\?(\]0;x|b)~[0-9a-f]{32}$/);
  },
);

test('names are readable, short enough, and different for different texts', () => {
  const names = new Map<string, string>();
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\u202e', '~'), minLength: 1, maxLength: 6 }),
    fc.string({ minLength: 1, maxLength: 5 }).map((end) => 'x'.repeat(130) + end),
  );
  const check = (subject: string) => {
    const name = identityName(provider, subject, 128);
    expect(name).toMatch(/^ci\/[\p{L}\p{N}\p{P}\p{S} ]+$/u);
    expect(Array.from(name).length).toBeLessThanOrEqual(128);
    expect(names.get(name) ?? subject).toBe(subject);
    names.set(name, subject);
    return name;
  };
  fc.assert(
    fc.property(text, (subject) => {
      // A subject that looks like the name of another one.
      check(check(subject).slice('ci/'.length));
    }),
  );
});
