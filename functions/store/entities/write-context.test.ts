import type { Caller } from '../../contract/caller.ts';
import { writeContextOf } from './write-context.ts';

const clock = () => new Date(0);
const of = (caller: Partial<Caller>) =>
  writeContextOf(
    {
      caller: () => ({ kind: 'api_key', keyId: 'id', name: 'name', role: 'Editor', ...caller }),
      requestId: 'request',
      sourceIp: '192.0.2.7',
    },
    { clock },
  );

test('the actor is the caller, and the request and its source are recorded', () => {
  expect(of({})).toEqual({
    actor: { kind: 'api_key', id: 'id', name: 'name' },
    credential: undefined,
    requestId: 'request',
    sourceIp: '192.0.2.7',
    scope: undefined,
    addresses: undefined,
    now: clock(),
    clock,
    minTimestamp: 0,
  });
});

test('the credential is complete or absent', () => {
  const secret = { digest: 'd', keyId: 'id' };
  const account = { name: 'name', version: 'v' };
  const [digest, version] = [{ secretDigest: 'd' }, { accountVersion: 'v' }];
  expect(of({ ...digest }).credential).toEqual({ secret });
  expect(of({ kind: 'user', ...version }).credential).toEqual({ account });
  expect(of({ kind: 'user', ...digest }).credential).toBeUndefined();
  expect(of({ kind: 'session', ...digest, ...version }).credential).toEqual({ secret, account });
  for (const part of [digest, version, {}]) expect(of({ kind: 'session', ...part }).credential).toBeUndefined();
});

test('only a caller with a scope has address limits', () => {
  expect(of({ scope: 'n', allowedAddresses: 'a b' })).toMatchObject({
    scope: 'n',
    addresses: { source: '192.0.2.7', allowed: ['a', 'b'] },
  });
  expect(of({ scope: 'n' }).addresses).toEqual({ source: '192.0.2.7', allowed: [] });
  expect(of({ allowedAddresses: 'a' }).addresses).toBeUndefined();
});
