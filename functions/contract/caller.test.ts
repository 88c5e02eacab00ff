import { type Caller, callerFromContext, callerToContext } from './caller.ts';

const key: Caller = { kind: 'api_key', keyId: 'k', name: 'n', role: 'Viewer' };

test.each<[string, Caller]>([
  ['a key', { ...key, expiresAt: 1_700_000_000, ratePerMinute: 5, secretDigest: 'd' }],
  ['a Registrar', { ...key, role: 'Registrar', scope: 'node', allowedAddresses: 'a b' }],
  ['an Editor with owners', { ...key, role: 'Editor', owners: ['a', 'b, "c"'] }],
  ['a Registrar with an owner', { ...key, role: 'Registrar', scope: 'node', owners: ['1'] }],
  ['a session', { ...key, kind: 'session', accountVersion: 'v', secretDigest: 'd' }],
  ['a user', { ...key, kind: 'user', accountVersion: 'v' }],
  ['a key with undefined fields', { ...key, scope: undefined, expiresAt: undefined }],
])('%s passes through the context of the authorizer, which has strings only', (_, caller) => {
  const context = callerToContext(caller);
  expect(new Set(Object.values(context).map((value) => typeof value))).toEqual(new Set(['string']));
  expect(callerFromContext(context)).toEqual(caller);
});

test.each<[string, unknown]>([
  ['no context', undefined],
  ['an empty one', {}],
  ['an unknown role', { ...key, role: 'Root' }],
  ['an unknown kind', { ...key, kind: 'robot' }],
  ['a Registrar without a node', { ...key, role: 'Registrar' }],
  ['a Registrar with an empty node', { ...key, role: 'Registrar', scope: '' }],
  ['another role with a node', { ...key, scope: 'node' }],
  ['a session without the version of its account', { ...key, kind: 'session' }],
  ['a user without the version of the account', { ...key, kind: 'user' }],
  ['a key with the version of an account', { ...key, accountVersion: 'v' }],
  ['an end that is no number', { ...key, expiresAt: '1e3' }],
  ['an empty end', { ...key, expiresAt: '' }],
  ['an end of too many digits', { ...key, expiresAt: '1'.repeat(16) }],
  ['an Admin with owners', { ...key, role: 'Admin', owners: '["a"]' }],
  ['owners that are no list', { ...key, role: 'Editor', owners: 'a' }],
  ['an empty list of owners', { ...key, role: 'Editor', owners: '[]' }],
  ['owners that are no texts', { ...key, role: 'Editor', owners: '[1]' }],
  ['a negative limit', { ...key, ratePerMinute: '-1' }],
])('%s is no caller', (_, context) => {
  expect(callerFromContext(context)).toBeUndefined();
});

test('numbers have up to 15 digits', () => {
  expect(callerFromContext({ ...key, expiresAt: '1'.repeat(15) })?.expiresAt).toBe(Number('1'.repeat(15)));
});
