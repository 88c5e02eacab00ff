import { isPending, manualClock } from '../../tests/support/manual-clock.ts';
import type { ApiError } from '../../shared/core/errors.ts';
import type { ApiEvent } from '../../shared/http/api-request.ts';
import { endpointWith as contractWith, type EventOptions, eventWith } from '../../shared/testing/event.ts';
import { type AdmittedCall, admission, admit, admitBody, type ConsumeRateLimit } from './admission.ts';
import { type Caller, callerToContext } from './caller.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { Refusal, type RefusalCause } from './refusal.ts';

const NOW = Date.parse('2026-05-01T10:00:00Z');
const monotonic = manualClock();
const unlimited: ConsumeRateLimit = () => Promise.resolve(undefined);

const endpointWith = (more: Partial<Endpoint> = {}): Endpoint =>
  defineEndpoint({
    ...{ ...contractWith(), folder: 'things/test', role: 'Viewer', limit: 'unaffected', access: 'none' },
    ...more,
  });

/** A request by an Editor, or by another caller. */
const by = (caller: Partial<Caller>, sent: EventOptions = {}) => {
  const whole: Caller = { kind: 'api_key', keyId: 'key', name: 'name', role: 'Editor', ...caller };
  return eventWith({ ...sent, authorizer: callerToContext(whole) });
};

async function outcome(
  endpoint = endpointWith(),
  event: ApiEvent<Caller> = by({}),
  consumeRateLimit = unlimited,
): Promise<[string, RefusalCause | undefined]> {
  return admit(endpoint, event, { clock: () => new Date(NOW), monotonic, consumeRateLimit }).then(
    () => ['admitted', undefined],
    (error: unknown) => [(error as ApiError).kind, error instanceof Refusal ? error.refusal : undefined],
  );
}

test('a call without the context of the authorizer is refused', async () => {
  expect(await outcome(endpointWith(), eventWith())).toEqual(['unauthenticated', undefined]);
});

test('a key is refused from its end on', async () => {
  expect(await outcome(endpointWith(), by({ expiresAt: NOW / 1000 }))).toEqual(['unauthenticated', 'expired']);
  expect(await outcome(endpointWith(), by({ expiresAt: NOW / 1000 + 1 }))).toEqual(['admitted', undefined]);
});

test.each([
  ['Viewer', 'Viewer', 'admitted'],
  ['Viewer', 'Editor', 'permissionDenied'],
  ['Editor', 'Editor', 'admitted'],
  ['Editor', 'Admin', 'permissionDenied'],
  ['Admin', 'Viewer', 'admitted'],
  ['Viewer', 'none', 'admitted'],
] as const)('a %s on an endpoint for a %s: %s', async (mine, role, expected) => {
  expect((await outcome(endpointWith({ role }), by({ role: mine })))[0]).toBe(expected);
});

describe('a lower role for some bodies', () => {
  const endpoint = endpointWith({ role: 'Editor', lowerRole: { role: 'Viewer', field: 'mode', value: 'plan' } });
  const of = (role: Caller['role'], body: unknown) => () => {
    admitBody(endpoint, { body, caller: () => ({ kind: 'api_key', keyId: 'k', name: 'n', role }) });
  };

  test('suffices only for a body with the value', async () => {
    expect(await outcome(endpoint, by({ role: 'Viewer' }))).toEqual(['admitted', undefined]);
    expect(of('Viewer', { mode: 'plan' })).not.toThrow();
    for (const body of [{ mode: 'apply' }, {}, undefined, { mode: ['plan'] }, { nested: { mode: 'plan' } }])
      expect(of('Viewer', body)).toThrow(new Refusal('role', 'permissionDenied', 'Access denied.'));
    expect(of('Editor', { mode: 'apply' })).not.toThrow();
  });

  test('opens the endpoint to no role outside the order', async () => {
    for (const caller of [{ role: 'Relay' }, { role: 'Gateway' }, { role: 'Registrar', scope: 'n' }] as const)
      expect(await outcome(endpoint, by(caller))).toEqual(['permissionDenied', 'role']);
  });
});

test('a Registrar may call only endpoints for Registrars, whatever their role', async () => {
  const registrar = () => by({ role: 'Registrar', scope: 'n' });
  expect(await outcome(endpointWith(), registrar())).toEqual(['permissionDenied', 'role']);
  expect(await outcome(endpointWith({ scoped: true, role: 'Admin' }), registrar())).toEqual(['admitted', undefined]);
});

test('a Relay may call only endpoints for Relays, whatever their role', async () => {
  const relay = () => by({ role: 'Relay' });
  for (const endpoint of [endpointWith(), endpointWith({ role: 'Viewer' }), endpointWith({ scoped: true })])
    expect(await outcome(endpoint, relay())).toEqual(['permissionDenied', 'role']);
  expect(await outcome(endpointWith({ relay: true, role: 'Admin' }), relay())).toEqual(['admitted', undefined]);
  expect(await outcome(endpointWith({ role: 'none' }), relay())).toEqual(['admitted', undefined]);
  // What is open to a Relay is not open to a Registrar.
  const registrar = by({ role: 'Registrar', scope: 'n' });
  expect(await outcome(endpointWith({ relay: true }), registrar)).toEqual(['permissionDenied', 'role']);
});

test('a Gateway may call only endpoints for Gateways, whatever their role', async () => {
  const gateway = () => by({ role: 'Gateway' });
  for (const endpoint of [
    endpointWith(),
    endpointWith({ role: 'Viewer' }),
    endpointWith({ scoped: true, relay: true }),
  ])
    expect(await outcome(endpoint, gateway())).toEqual(['permissionDenied', 'role']);
  expect(await outcome(endpointWith({ gateway: true, role: 'Admin' }), gateway())).toEqual(['admitted', undefined]);
  expect(await outcome(endpointWith({ gateway: true }), by({ role: 'Relay' }))).toEqual(['permissionDenied', 'role']);
});

test('an endpoint may be limited to some kinds of callers', async () => {
  const endpoint = endpointWith({ callers: ['session'] });
  expect(await outcome(endpoint)).toEqual(['permissionDenied', 'role']);
  expect(await outcome(endpoint, by({ kind: 'session', accountVersion: 'v' }))).toEqual(['admitted', undefined]);
});

describe('a rate limit', () => {
  const costly = endpointWith({ cost: (body) => (body as { cost: number }).cost });
  const asked: unknown[] = [];
  beforeEach(() => (asked.length = 0));
  const counting =
    (seconds: number | undefined): ConsumeRateLimit =>
    (keyId, limits) => {
      asked.push([keyId, limits]);
      return Promise.resolve(seconds);
    };

  test('counts only keys with a limit', async () => {
    await outcome(endpointWith(), by({}), counting(undefined));
    expect(asked).toEqual([]);
    expect(await outcome(endpointWith(), by({ ratePerMinute: 5 }), counting(undefined))).toEqual([
      'admitted',
      undefined,
    ]);
    expect(asked).toEqual([['key', { ratePerMinute: 5, cost: 1 }]]);
  });

  test('is checked before the role, and the reply contains the time to wait', async () => {
    const event = by({ ratePerMinute: 5, role: 'Viewer' });
    const dependencies = { clock: () => new Date(NOW), consumeRateLimit: counting(13) };
    await expect(admit(endpointWith({ role: 'Admin' }), event, dependencies)).rejects.toMatchObject({
      ...{ kind: 'resourceExhausted', refusal: 'rate', headers: { 'Retry-After': '13' } },
      message: 'This key is limited to 5 requests per minute. Try again.',
    });
    const twice = by({ ratePerMinute: 5 }, { body: '{"cost": 2}' });
    await expect(admit(costly, twice, dependencies)).rejects.toThrow(
      'minute, and this request counts as 2. Try again.',
    );
  });

  test.each([
    ['{"cost": 3}', 3],
    ['{"cost": 0}', 1],
    ['{"cost": 5}', 5],
    ['not JSON', 1],
    ['null', 1],
  ])('counts the body %s as %d requests', async (body, cost) => {
    await outcome(costly, by({ ratePerMinute: 5 }, { body }), counting(undefined));
    expect(asked).toEqual([['key', { ratePerMinute: 5, cost }]]);
  });

  test('a request that could never succeed is refused without being counted', async () => {
    const event = by({ ratePerMinute: 5 }, { body: '{"cost": 6}' });
    expect((await outcome(costly, event, counting(undefined)))[0]).toBe('invalidArgument');
    expect(asked).toEqual([]);
  });

  test('a count that takes longer than 1.5 s refuses the request', async () => {
    const refused = outcome(endpointWith(), by({ ratePerMinute: 5 }), () => new Promise(() => undefined));
    monotonic.advance(1499);
    expect(await isPending(refused)).toBe(true);
    monotonic.advance(1);
    expect(await refused).toEqual(['unavailable', undefined]);
  });
});

test('the middleware admits only callers of calls that need credentials', async () => {
  const { before } = admission(() => ({ clock: () => new Date(NOW), consumeRateLimit: unlimited }));
  const attempt = async (role: 'Admin' | 'Viewer' | 'none') => {
    const event: ApiEvent<Caller> & { call: AdmittedCall } = { ...by({}), call: { contract: endpointWith({ role }) } };
    await before?.({ event } as Parameters<typeof before>[0]);
    return event.caller?.keyId;
  };
  await expect(attempt('Admin')).rejects.toMatchObject({ refusal: 'role' });
  expect(await attempt('Viewer')).toBe('key');
  expect(await attempt('none')).toBeUndefined();
});
