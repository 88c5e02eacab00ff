import * as crypto from 'node:crypto';
import { randomBytes as systemRandomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { drawBase62, type RandomBytes } from './base62.ts';

// One of the settings that OWASP's Password Storage Cheat Sheet lists as equally strong, chosen for its low memory: 128
// x N x r bytes = 32 MiB at a time, and about 0.25 s of CPU. May be raised: a stored hash contains its own.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
const cost = { N: 2 ** 15, r: 8, p: 3 };

// In bytes. Node's default is exactly 32 MiB, and scrypt needs a few kilobytes more.
const maxmem = 2 * 128 * cost.N * cost.r;

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

const saltBytes = 16;
const hashBytes = 32;

// The lengths are those of 16 and 32 bytes in base64url. The digits are limited so that a damaged item cannot cause
// hours of work.
const storedForm = /^scrypt\$([1-9][0-9]{0,6})\$([1-9][0-9]?)\$([1-9][0-9]?)\$([\w-]{22})\$([\w-]{43})$/;

const derive: (password: string, salt: Uint8Array, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt);

// The first setting of Argon2id in the same list: 19 MiB, two passes, about 40 ms of CPU.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
const argonCost = { memory: 19 * 1024, passes: 2, parallelism: 1 };

// The ranges are limited for the same reason as above.
const argonForm = /^argon2id\$([1-9][0-9]{1,5})\$([1-9])\$([1-9])\$([\w-]{22})\$([\w-]{43})$/;

// Node has it since 24.7. A named import would prevent an earlier runtime from loading the function at all.
const argonIn = ({ argon2 }: Partial<Pick<typeof crypto, 'argon2'>>) => argon2;
const argon2 = argonIn(crypto);

function deriveArgon(parameters: crypto.Argon2Parameters): Promise<Buffer> {
  if (argon2 === undefined) throw new Error('This version of Node has no Argon2: use 24.7 or later.');
  return promisify(argon2)('argon2id', parameters);
}

/**
 * Hashes the password of a user for storage: `argon2id$memory$passes$parallelism$<salt>$<hash>`, memory in KiB; in a
 * runtime without Argon2, as hashPassword.
 */
export async function hashUserPassword(
  password: string,
  randomBytes: RandomBytes = systemRandomBytes,
): Promise<string> {
  if (argon2 === undefined) return hashPassword(password, randomBytes);
  const salt = randomBytes(saltBytes);
  const parameters = { ...argonCost, message: password, nonce: salt, tagLength: hashBytes };
  return argonText(salt, await deriveArgon(parameters));
}

/**
 * Hashes a password for storage: `scrypt$N$r$p$<salt>$<hash>`, salt (16 bytes) and hash (32) in base64url. Takes about
 * 0.25 s of CPU, off the main thread.
 */
export async function hashPassword(password: string, randomBytes: RandomBytes = systemRandomBytes): Promise<string> {
  const salt = randomBytes(saltBytes);
  return storedText(salt, await derive(password, salt, hashBytes, { ...cost, maxmem }));
}

/**
 * Whether the password matches `stored`, a result of hashPassword or hashUserPassword. Takes as long as hashing, whatever the result.
 * Throws if `stored` is malformed or its parameters are out of range, because that is damage and not a wrong password.
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const argon = argonForm.exec(stored);
  if (argon !== null) {
    const [, memory, passes, parallelism, salt = '', hash = ''] = argon;
    const numbers = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const given = { message: password, nonce: Buffer.from(salt, 'base64url'), tagLength: hashBytes };
    return timingSafeEqual(await deriveArgon({ ...numbers, ...given }), Buffer.from(hash, 'base64url'));
  }
  const match = storedForm.exec(stored);
  // The message must not contain the value, because messages are logged.
  if (match === null) throw new Error('The stored password hash is malformed.');
  const [, N, r, p, salt = '', hash = ''] = match;
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), hashBytes, options);
  return timingSafeEqual(actual, Buffer.from(hash, 'base64url'));
}

/**
 * A hash without a known password. Used for an unknown account, with the result ignored, so that the reply takes the
 * same time and does not reveal which accounts exist.
 */
export const fakePasswordHash = storedText(new Uint8Array(saltBytes), new Uint8Array(hashBytes));

/** The same among users. */
export const fakeUserPasswordHash =
  argon2 === undefined ? fakePasswordHash : argonText(new Uint8Array(saltBytes), new Uint8Array(hashBytes));

/** A password for a new account: 24 characters of `0-9A-Za-z`, 142 bits. */
export function newPassword(randomBytes: RandomBytes = systemRandomBytes): string {
  return drawBase62(24, randomBytes);
}

function argonText(salt: Uint8Array, hash: Uint8Array): string {
  const { memory, passes, parallelism } = argonCost;
  return ['argon2id', memory, passes, parallelism, base64url(salt), base64url(hash)].join('$');
}

function storedText(salt: Uint8Array, hash: Uint8Array): string {
  return ['scrypt', cost.N, cost.r, cost.p, base64url(salt), base64url(hash)].join('$');
}
