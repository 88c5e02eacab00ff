import { createHash, randomBytes } from 'node:crypto';
import fc from '../testing/fast-check.ts';
import { apiKeyPattern, apiKeyPrefix, secretPattern } from '../core/api-key-pattern.ts';
import {
  hashApiKeySecret,
  hashEnrolmentTokenSecret,
  hashInvitationSecret,
  isApiKeySecret,
  isEnrolmentTokenSecret,
  isInvitationSecret,
  newApiKeySecret,
  newEnrolmentTokenSecret,
  newInvitationSecret,
} from './api-key-text.ts';
import { redact } from '../core/redact.ts';

/** Any possible secret: the bytes of the draw are arbitrary, and random ones replace the discarded ones. */
const anyText = (newText: typeof newApiKeySecret) =>
  fc.uint8Array({ minLength: 43, maxLength: 43 }).map((bytes) => {
    let first = true;
    return newText((size) => {
      if (!first) return randomBytes(size);
      first = false;
      return bytes;
    });
  });

const anyKey = anyText(newApiKeySecret);
const anyToken = anyText(newEnrolmentTokenSecret);

/** CRC-32 bit by bit from its definition, as a reference. */
function referenceCrc32(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}

test('a key is the brand, 43 random characters and the CRC-32 of both', () => {
  expect(referenceCrc32('123456789')).toBe('cbf43926'); // the standard check value of CRC-32
  fc.assert(
    fc.property(anyKey, (key) => {
      expect(key).toMatch(/^minv_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
      expect(key.slice(-8)).toBe(referenceCrc32(key.slice(0, -9)));
    }),
  );
});

test('the text of a key is constant for the same random bytes', () => {
  expect(newApiKeySecret((size) => new Uint8Array(size))).toBe(`minv_${'0'.repeat(43)}_e3d95303`);
});

test('a checksum with leading zeros keeps them', () => {
  const key = Array.from({ length: 5000 }, () => newApiKeySecret(randomBytes)).find((text) => text.at(-8) === '0')!;
  expect(key).toHaveLength(57);
  expect(isApiKeySecret(key)).toBe(true);
});

test('every generated key is recognised', () => {
  fc.assert(fc.property(anyKey, (key) => isApiKeySecret(key)));
});

test('no two random inputs give the same key', () => {
  const keys = Array.from({ length: 1000 }, () => newApiKeySecret(randomBytes));
  expect(new Set(keys).size).toBe(1000);
});

test('a key with any changed character is refused', () => {
  const characters = fc.oneof(
    fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'.split('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(anyKey, fc.nat({ max: 56 }), characters, (key, position, character) => {
      fc.pre(key[position] !== character);
      return !isApiKeySecret(key.slice(0, position) + character + key.slice(position + 1));
    }),
    { numRuns: 2000 },
  );
});

test('a key with two neighbouring characters swapped is refused', () => {
  fc.assert(
    fc.property(anyKey, fc.nat({ max: 55 }), (key, position) => {
      const [left, right] = [key.charAt(position), key.charAt(position + 1)];
      fc.pre(left !== right);
      return !isApiKeySecret(key.slice(0, position) + right + left + key.slice(position + 2));
    }),
  );
});

const key = `minv_${'0'.repeat(43)}_e3d95303`;

test.each([
  ['nothing', ''],
  ['a line break after the key', `${key}\n`],
  ['a line before the key', `x\n${key}`],
  ['a space before the key', ` ${key}`],
  ['a digit too many', `${key}0`],
  ['a digit missing', key.slice(0, -1)],
  ['a checksum in upper case', key.slice(0, -8) + key.slice(-8).toUpperCase()],
  ['no checksum', key.slice(0, -9)],
  ['two keys', `${key}${key}`],
  ['a key and the right checksum of it', `${key}_${referenceCrc32(key)}`],
  ['another brand with its right checksum', `ginv_${'0'.repeat(43)}_${referenceCrc32(`ginv_${'0'.repeat(43)}`)}`],
  ['a short secret with its right checksum', `minv_${'0'.repeat(42)}_${referenceCrc32(`minv_${'0'.repeat(42)}`)}`],
  ['a dash in the secret, right checksum', `minv_-${'0'.repeat(42)}_${referenceCrc32(`minv_-${'0'.repeat(42)}`)}`],
])('%s is not a key', (_, text) => {
  expect(isApiKeySecret(text)).toBe(false);
});

test('100 kB of noise is refused (a pattern that is not linear would exceed the time limit of the test)', () => {
  for (const noise of ['1'.repeat(100_000), 'minv_'.repeat(20_000), `minv_${'0'.repeat(100_000)}_`]) {
    expect(isApiKeySecret(noise)).toBe(false);
  }
});

test('the stored hash is the SHA-256 of the tagged key, so that stored keys stay valid', () => {
  expect(hashApiKeySecret(key)).toBe(createHash('sha256').update('apikey:v1:').update(key).digest('hex'));
  expect(hashApiKeySecret(key)).toMatch(/^[0-9a-f]{64}$/);
});

test('the displayed prefix is the brand and four characters of the secret', () => {
  expect(apiKeyPrefix('minv_aB3x567')).toBe('minv_aB3x');
});

test('the pattern for secret scanners finds every key inside other text', () => {
  fc.assert(
    fc.property(anyKey, (text) => {
      expect(new RegExp(apiKeyPattern).exec(`curl -u "api_key:${text}" https://x`)?.[0]).toBe(text);
    }),
  );
});

describe('an enrolment token', () => {
  test('is the brand, its mark, 43 random characters and the CRC-32 of all these', () => {
    fc.assert(
      fc.property(anyToken, (token) => {
        expect(token).toMatch(/^minv_enrol_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
        expect(token.slice(-8)).toBe(referenceCrc32(token.slice(0, -9)));
      }),
    );
  });

  test('is constant for the same random bytes', () => {
    const body = `minv_enrol_${'0'.repeat(43)}`;
    expect(newEnrolmentTokenSecret((size) => new Uint8Array(size))).toBe(`${body}_${referenceCrc32(body)}`);
  });

  test('is never the same for two random inputs', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newEnrolmentTokenSecret(randomBytes))).size).toBe(1000);
  });

  test('is recognised as a token and never as a key, nor a key as a token', () => {
    fc.assert(fc.property(anyToken, (token) => isEnrolmentTokenSecret(token) && !isApiKeySecret(token)));
    fc.assert(fc.property(anyKey, (text) => isApiKeySecret(text) && !isEnrolmentTokenSecret(text)));
  });

  test('with any changed character is refused', () => {
    const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(anyToken, fc.nat({ max: 62 }), character, (token, position, other) => {
        fc.pre(token[position] !== other);
        return !isEnrolmentTokenSecret(token.slice(0, position) + other + token.slice(position + 1));
      }),
      { numRuns: 2000 },
    );
  });

  const token = newEnrolmentTokenSecret((size) => new Uint8Array(size));

  test.each([
    ['nothing', ''],
    ['a line break after the token', `${token}\n`],
    ['a line before the token', `x\n${token}`],
    ['a digit missing', token.slice(0, -1)],
    ['a checksum in upper case', token.slice(0, -8) + token.slice(-8).toUpperCase()],
    ['two tokens', `${token}${token}`],
    ['a key', key],
    ['a key with the mark in front', `enrol_${key}`],
    ['100 kB of the mark', 'minv_enrol_'.repeat(10_000)],
  ])('is not %s', (_, text) => {
    expect(isEnrolmentTokenSecret(text)).toBe(false);
  });

  test('is stored under its own tag, and no key has the same hash', () => {
    const hash = createHash('sha256').update('enrolment:v1:').update(token).digest('hex');
    expect(hashEnrolmentTokenSecret(token)).toBe(hash);
    expect(hashApiKeySecret(token)).not.toBe(hash);
  });

  test('is found by the pattern for secret scanners, and redacted in any text, beside keys', () => {
    fc.assert(
      fc.property(anyToken, anyKey, (secret, text) => {
        const matches = [...`{"token":"${secret}"} x${text}y ${secret}`.matchAll(new RegExp(secretPattern, 'g'))];
        expect(matches.map(([match]) => match)).toEqual([secret, text, secret]);
        expect(redact(`{"token":"${secret}"} x${text}y`)).toBe(
          `{"token":"${secret.slice(0, 15)}..."} x${text.slice(0, 9)}...y`,
        );
      }),
    );
  });

  test('shows the brand, the mark and four characters of the secret', () => {
    expect(apiKeyPrefix('minv_enrol_aB3x567')).toBe('minv_enrol_aB3x');
  });
});

test('an invitation is no key and no token, has its own hash, and is shortened in any text', () => {
  fc.assert(
    fc.property(anyText(newInvitationSecret), (invitation) => {
      expect(isInvitationSecret(invitation)).toBe(true);
      expect([isApiKeySecret(invitation), isEnrolmentTokenSecret(invitation)]).toEqual([false, false]);
      expect(isInvitationSecret(invitation.slice(0, -1))).toBe(false);
      const hashes = [hashApiKeySecret, hashEnrolmentTokenSecret, hashInvitationSecret].map((of) => of(invitation));
      expect(new Set(hashes).size).toBe(3);
      expect(redact(`"${invitation}"`)).toBe(`"${invitation.slice(0, 16)}..."`);
      expect(apiKeyPrefix(invitation)).toBe(invitation.slice(0, 16));
    }),
  );
});
