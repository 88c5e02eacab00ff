import { randomBytes } from 'node:crypto';
import { hashApiKeySecret, isApiKeySecret, newApiKeySecret } from './api-key-text.ts';
import { nextApiKeySecret, openSealedText, sealText } from './secret-bound.ts';

const [secret, other] = [newApiKeySecret(randomBytes), newApiKeySecret(randomBytes)];

test('a sealed text opens only with its secret and context', () => {
  const sealed = sealText('refresh token ä', secret, 'session-1', randomBytes);
  expect(openSealedText(sealed, secret, 'session-1')).toBe('refresh token ä');
  expect(openSealedText(sealed, other, 'session-1')).toBeUndefined();
  expect(openSealedText(sealed, hashApiKeySecret(secret), 'session-1')).toBeUndefined();
  expect(openSealedText(sealed, secret, 'session-2')).toBeUndefined();
});

test('a sealed text with any byte changed, or cut, does not open', () => {
  const sealed = Buffer.from(sealText('token', secret, 'session-1', randomBytes), 'base64url');
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    expect(openSealedText(changed.toString('base64url'), secret, 'session-1')).toBeUndefined();
    expect(openSealedText(sealed.subarray(0, index).toString('base64url'), secret, 'session-1')).toBeUndefined();
  }
});

test('sealing a text twice gives two results', () => {
  const seal = () => sealText('token', secret, 'session-1', randomBytes);
  expect(seal()).not.toBe(seal());
});

test('the next secret is a key, and depends only on the secret and the salt', () => {
  const next = nextApiKeySecret(secret, 'salt');
  expect(isApiKeySecret(next)).toBe(true);
  expect(nextApiKeySecret(secret, 'salt')).toBe(next);
  expect(new Set([next, secret, nextApiKeySecret(other, 'salt'), nextApiKeySecret(secret, 'other')]).size).toBe(4);
});
