import { apiKeyPrefix } from './api-key-pattern.ts';
import { newApiKeySecret, newEnrolmentTokenSecret } from '../auth/api-key-text.ts';
import { redact } from './redact.ts';

const bytes = (size: number) => Buffer.alloc(size, 7);
const [key, token] = [newApiKeySecret(bytes), newEnrolmentTokenSecret(bytes)];

test('a key and a token are shortened to the prefix that lists show', () => {
  expect([apiKeyPrefix(key), apiKeyPrefix(token)]).toEqual(['minv_7777', 'minv_enrol_7777']);
  expect(redact(`a ${key}, b ${token}; ${key}`)).toBe('a minv_7777..., b minv_enrol_7777...; minv_7777...');
});

test('a mistyped secret is shortened too, and other text is unchanged', () => {
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  expect(redact(mistyped)).toBe('minv_7777...');
  for (const text of ['', 'minv_', 'minv_7777', key.slice(0, -1), key.toUpperCase()]) expect(redact(text)).toBe(text);
});
