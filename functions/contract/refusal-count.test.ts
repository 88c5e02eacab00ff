import { ApiError, type ErrorKind } from '../../shared/core/errors.ts';
import { eventWith, endpointWith as contractWith } from '../../shared/testing/event.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { Refusal, type RefusalCause, SupersededSecret } from './refusal.ts';
import { causeOf, type RefusedCall, refusalCount } from './refusal-count.ts';

const endpointWith = (more: Partial<Endpoint> = {}): Endpoint =>
  defineEndpoint({
    ...{ ...contractWith(), folder: 'things/test', role: 'Viewer', limit: 'unaffected', access: 'none' },
    ...more,
  });

test.each<[ErrorKind, RefusalCause | undefined, 'none' | 'Viewer', RefusalCause | undefined]>([
  ['unauthenticated', 'expired', 'Viewer', 'expired'],
  ['resourceExhausted', 'rate', 'Viewer', 'rate'],
  ['permissionDenied', 'role', 'Viewer', 'role'],
  ['resourceExhausted', undefined, 'Viewer', undefined],
  ['unavailable', undefined, 'Viewer', undefined],
  ['invalidArgument', undefined, 'Viewer', undefined],
  ['permissionDenied', undefined, 'Viewer', 'object'],
  ['unauthenticated', undefined, 'Viewer', 'credential'],
  ['unauthenticated', undefined, 'none', 'token'],
  ['notFound', undefined, 'Viewer', undefined],
])('%s by the check of %s on an endpoint for %s is recorded as %s', (kind, check, role, expected) => {
  const error = check === undefined ? new ApiError(kind, 'x') : new Refusal(check, kind, 'x');
  expect(causeOf(endpointWith({ role }), error)).toBe(expected);
});

test('a superseded secret is recorded as such', () => {
  expect(causeOf(endpointWith(), new SupersededSecret())).toBe('superseded');
});

test('a refused caller is recorded with its request within 500 ms, other errors are not', async () => {
  const refused: [RefusedCall, number][] = [];
  const { onError } = refusalCount((call, milliseconds) => {
    refused.push([call, milliseconds]);
    return Promise.resolve();
  });
  const endpoint = endpointWith({ role: 'Admin' });
  const caller = { kind: 'api_key', keyId: 'key', name: 'name', role: 'Editor' } as const;
  const fail = async (error: Error) => {
    const event = { ...eventWith(), caller, call: { contract: endpoint } };
    expect(await onError?.({ event, error } as Parameters<typeof onError>[0])).toBeUndefined();
  };
  await fail(new ApiError('notFound', 'x'));
  await fail(new Error('a defect'));
  await fail(new Refusal('role', 'permissionDenied', 'x'));
  expect(refused).toEqual([[{ endpoint, caller, cause: 'role', sourceIp: '192.0.2.7', requestId: 'request' }, 500]]);
});

test('the reply waits until the refusal is counted', async () => {
  const counted = Promise.withResolvers<undefined>();
  const { onError } = refusalCount(() => counted.promise);
  const request = {
    event: { ...eventWith(), call: { contract: endpointWith() } },
    error: new Refusal('role', 'permissionDenied', 'x'),
  };
  let hasReplied = false;
  const reply = Promise.resolve(onError?.(request as never)).then(() => {
    hasReplied = true;
  });
  await new Promise(setImmediate);
  expect(hasReplied).toBe(false);
  counted.resolve(undefined);
  await reply;
});
