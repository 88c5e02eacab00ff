/** The bodies about credentials: api-key.ts and enrolment.ts. */
import * as z from 'zod/mini';
import { apiKeyAddition, apiKeyChange, rotation } from './api-key.ts';
import { enrolmentTokenAddition } from './enrolment.ts';
import { MAX_SESSIONS, SESSION_HOURS } from './session.ts';

const accepts = (schema: z.ZodMiniType, value: object) => z.safeParse(schema, value).success;
const key = (more: object = {}) => accepts(apiKeyAddition, { name: 'k', role: 'Viewer', ...more });

test('a key has a name of up to 128 characters, and a permitted role', () => {
  expect([key(), key({ name: 'x'.repeat(128) }), key({ name: 'x'.repeat(129) }), key({ name: '' })]).toEqual([
    ...[true, true, false, false],
  ]);
  expect([key({ role: 'Admin' }), key({ role: 'Registrar' }), key({ role: 'admin' })]).toEqual([true, false, false]);
});

test('a rate limit is 1 to 30,000 requests per minute; a change may remove it', () => {
  for (const [limit, isValid] of [
    [0, false],
    [1, true],
    [30_000, true],
    [30_001, false],
    [1.5, false],
  ] as const) {
    expect(key({ rate_limit_per_minute: limit })).toBe(isValid);
    expect(accepts(apiKeyChange, { rate_limit_per_minute: limit })).toBe(isValid);
  }
  expect([key({ rate_limit_per_minute: null }), accepts(apiKeyChange, { rate_limit_per_minute: null })]).toEqual([
    false,
    true,
  ]);
});

test('the overlap of a rotation is at most 30 days', () => {
  expect(z.parse(rotation, { overlap: '30d' })).toEqual({ overlap: 2_592_000 });
  expect(z.parse(rotation, { overlap: '0s' })).toEqual({ overlap: 0 });
  expect([accepts(rotation, { overlap: '31d' }), accepts(rotation, {})]).toEqual([false, false]);
});

test('an enrolment token lives at most 24 hours', () => {
  const token = (time_to_live: string) => accepts(enrolmentTokenAddition, { name: 't', time_to_live });
  expect([token('1s'), token('24h'), token('86401s'), token('0')]).toEqual([true, true, false, false]);
});

test('a user has 100 sessions of 12 hours', () => {
  expect([MAX_SESSIONS, SESSION_HOURS]).toEqual([100, 12]);
});
