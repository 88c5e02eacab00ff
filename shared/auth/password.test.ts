import { argon2Sync, randomBytes, scryptSync } from 'node:crypto';
import fc from '../testing/fast-check.ts';
import {
  fakePasswordHash,
  fakeUserPasswordHash,
  hashPassword,
  hashUserPassword,
  newPassword,
  verifyPassword,
} from './password.ts';

const ascending = (size: number) => Uint8Array.from({ length: size }, (_, index) => index);

/** A hash with cheap parameters, made without the code under test. */
function cheapHash(password: string) {
  const hash = scryptSync(password, ascending(16), 32, { N: 16, r: 1, p: 1 });
  return `scrypt$16$1$1$${Buffer.from(ascending(16)).toString('base64url')}$${hash.toString('base64url')}`;
}

test('a stored hash is scrypt with N = 2^15, r = 8, p = 3 and its own salt, and verifies', async () => {
  const stored = await hashPassword('pässword', ascending);

  const hash = scryptSync('pässword', ascending(16), 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 });
  expect(stored).toBe(`scrypt$32768$8$3$AAECAwQFBgcICQoLDA0ODw$${hash.toString('base64url')}`);
  await expect(verifyPassword('pässword', stored)).resolves.toBe(true);
});

test('a password never gets the same hash twice', async () => {
  const [first, other] = await Promise.all([hashPassword('password'), hashPassword('password')]);
  expect(first.split('$')[4]).not.toBe(other.split('$')[4]);
  expect(first.split('$')[5]).not.toBe(other.split('$')[5]);
});

test('a hash verifies with its own parameters, so that they may be raised later', async () => {
  await expect(verifyPassword('password', cheapHash('password'))).resolves.toBe(true);
});

test('any password but the right one is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (password, other) => {
      const stored = cheapHash(password);
      expect(await verifyPassword(password, stored)).toBe(true);
      expect(await verifyPassword(other, stored)).toBe(other === password);
      expect(await verifyPassword(`${password} `, stored)).toBe(false);
    }),
  );
});

test('the hash of an unknown account costs as much as a real one, and matches no password', async () => {
  const parameters = (stored: string) => stored.split('$').slice(0, 4);
  expect(parameters(fakePasswordHash)).toEqual(parameters(await hashPassword('password')));
  await expect(verifyPassword('', fakePasswordHash)).resolves.toBe(false);
});

const salt = 'A'.repeat(22);
const hash = 'A'.repeat(43);

test.each([
  ['nothing', ''],
  ['a password in the clear', 'password'],
  ['another scheme', `bcrypt$16$1$1$${salt}$${hash}`],
  ['a part missing', `scrypt$16$1$1$${salt}`],
  ['a part too many', `scrypt$16$1$1$${salt}$${hash}$`],
  ['a short salt', `scrypt$16$1$1$${salt.slice(1)}$${hash}`],
  ['an empty hash', `scrypt$16$1$1$${salt}$`],
  ['a long hash', `scrypt$16$1$1$${salt}$${hash}A`],
  ['standard base64', `scrypt$16$1$1$${salt}$${hash.slice(1)}+`],
  ['a line break at the end', `scrypt$16$1$1$${salt}$${hash}\n`],
  ['something in front', ` scrypt$16$1$1$${salt}$${hash}`],
  ['parameters that are no numbers', `scrypt$x$1$1$${salt}$${hash}`],
  ['parameters of zero', `scrypt$0$1$1$${salt}$${hash}`],
  ['a cost that is no power of two', `scrypt$15$1$1$${salt}$${hash}`],
  ['a cost that takes more memory than allowed', `scrypt$1048576$8$1$${salt}$${hash}`],
  ['a cost that takes hours', `scrypt$16$1$100$${salt}$${hash}`], // the same rule with an affordable cost
])('a malformed stored hash is an error and no wrong password: %s', async (_, stored) => {
  await expect(verifyPassword('password', stored)).rejects.toThrow();
});

test('the message about a malformed hash does not contain it', async () => {
  await expect(verifyPassword('password', 'in-the-clear')).rejects.not.toThrow(/in-the-clear|password['"]/);
});

test('a new password is 24 characters of base62, different each time', () => {
  const passwords = Array.from({ length: 1000 }, () => newPassword(randomBytes));
  expect(new Set(passwords).size).toBe(1000);
  for (const password of passwords) expect(password).toMatch(/^[0-9A-Za-z]{24}$/);
});

describe("the hash of a user's password", () => {
  test('is Argon2id with 19 MiB, two passes and its own salt, and verifies only this password', async () => {
    const stored = await hashUserPassword('pässword', ascending);
    const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    const hash = argon2Sync('argon2id', { message: 'pässword', nonce: ascending(16), ...cost });
    expect(stored).toBe(`argon2id$19456$2$1$AAECAwQFBgcICQoLDA0ODw$${hash.toString('base64url')}`);
    expect(await verifyPassword('pässword', stored)).toBe(true);
    expect(await verifyPassword('passwörd', stored)).toBe(false);
  });

  test('without an owner verifies no password', async () => {
    expect(fakeUserPasswordHash).toMatch(/^argon2id\$19456\$2\$1\$/);
    for (const password of ['', 'password']) expect(await verifyPassword(password, fakeUserPasswordHash)).toBe(false);
  });

  test('with parameters beyond the range is damage, not a wrong password', async () => {
    const damaged = (await hashUserPassword('password')).replace('$19456$', '$9999999$');
    await expect(verifyPassword('password', damaged)).rejects.toThrow('malformed');
  });
});
