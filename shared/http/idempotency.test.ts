import { endpointWith, eventWith } from '../testing/event.ts';
import { IDEMPOTENCY_KEY } from './idempotency-key.ts';
import { idempotencyKeyIn, idempotencyOf } from './idempotency.ts';

const idempotent = endpointWith({ method: 'POST', idempotent: true });
const sent = (...keys: string[]) => eventWith({ headers: { 'idempotency-key': keys } });
const reasons = ({ wrong }: ReturnType<typeof idempotencyKeyIn>) => wrong.map(({ reason }) => reason);

test('a key has 1 to 255 visible ASCII characters', () => {
  for (const key of ['a', '!~', 'x'.repeat(255)])
    expect(idempotencyKeyIn(idempotent, sent(key))).toEqual({ key, wrong: [] });
  for (const key of ['', 'a b', 'é', 'x'.repeat(256)])
    expect(reasons(idempotencyKeyIn(idempotent, sent(key)))).toEqual(['invalid_format']);
  expect(idempotencyKeyIn(idempotent, eventWith())).toEqual({ key: undefined, wrong: [] });
});

test('a reply is kept for 24 hours', () => {
  expect(IDEMPOTENCY_KEY.seconds).toBe(86_400);
});

test('a repeated key header is ambiguous, even with equal values', () => {
  expect(reasons(idempotencyKeyIn(idempotent, sent('a', 'a')))).toEqual(['duplicate']);
});

test('an operation without support refuses it, and a GET ignores it', () => {
  const result = (method: 'GET' | 'POST') => idempotencyKeyIn(endpointWith({ method }), sent('a'));
  expect([reasons(result('POST')), result('POST').key]).toEqual([['not_allowed'], undefined]);
  expect(result('GET')).toEqual({ key: undefined, wrong: [] });
});

describe('the identity of a request', () => {
  const base = { key: 'k', callerId: 'c', params: { id: '1' }, query: {}, body: { a: 1, b: { c: [1, 2], d: 2 } } };
  const of = (more: Partial<typeof base> = {}, endpoint = idempotent) => idempotencyOf(endpoint, { ...base, ...more });

  test('does not depend on the order of fields', () => {
    expect(of({ body: { b: { d: 2, c: [1, 2] }, a: 1 } })).toEqual(of());
  });

  test('differs by operation, parameters, query and body', () => {
    const others = [
      of({ params: { id: '2' } }),
      of({ query: { x: '1' } }),
      of({ body: { ...base.body, a: 2 } }),
      of({ body: { a: 1, b: { c: [2, 1], d: 2 } } }),
      of({}, endpointWith({ method: 'PUT' })),
      of({}, endpointWith({ method: 'POST', path: '/v1/others' })),
    ];
    expect(new Set([of(), ...others].map(({ requestHash }) => requestHash)).size).toBe(7);
    expect(new Set(others.map(({ keyHash }) => keyHash))).toEqual(new Set([of().keyHash]));
  });

  test('contains the caller and a hash of the key, not the key', () => {
    expect(of()).toMatchObject({ callerId: 'c', keyHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(of({ key: 'other' }).keyHash).not.toBe(of().keyHash);
    expect(of({ key: 'other' }).requestHash).toBe(of().requestHash);
  });
});
