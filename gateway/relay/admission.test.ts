import { manualClock } from '../../tests/support/manual-clock.ts';
import { pause } from '../../shared/core/monotonic-clock.ts';
import { AdmissionGate, candidateOf, Refusal, refusalOf } from './admission.ts';
import { InventoryError } from './inventory.ts';

const open = new AbortController().signal;

test('few admissions run at once, some wait, and others end with a message to try later', async () => {
  const clock = manualClock();
  const gate = new AdmissionGate(10, clock);
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (running += 1));
    await pause({ monotonic: clock }, 5);
    running -= 1;
  };
  const outcomes = await clock.passUntil(Promise.allSettled(Array.from({ length: 300 }, () => gate.run(work, open))));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect([most, refused.length]).toEqual([10, 190]);
  for (const refusal of refused) expect(refusal).toMatchObject({ reason: { code: 14 } });
  await clock.passUntil(gate.run(work, open));
});

test('an admission that waited for 3 s is refused, and takes no turn', async () => {
  const clock = manualClock();
  const gate = new AdmissionGate(1, clock);
  const first = Promise.withResolvers<string>();
  const running = gate.run(() => first.promise, open);
  let refusal: unknown;
  gate.run(() => Promise.resolve('late'), open).catch((error: unknown) => (refusal = error));
  clock.advance(1);
  const next = gate.run(() => Promise.resolve('next'), open);
  await clock.pass(2998);
  expect(refusal).toBeUndefined();
  await clock.pass(1);
  expect(refusal).toMatchObject({ code: 14 });
  first.resolve('first');
  expect([await running, await next, gate.running]).toEqual(['first', 'next', 0]);
});

test('a stream that was closed while it waited costs no admission', async () => {
  const gate = new AdmissionGate(10, manualClock());
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const first = Array.from({ length: 10 }, () => gate.run(() => promise, open));
  const closing = new AbortController();
  let isAdmitted = false;
  const waiting = gate.run(() => Promise.resolve((isAdmitted = true)), closing.signal);
  closing.abort();
  await expect(waiting).rejects.toThrow(Refusal);
  resolve(undefined);
  await Promise.all(first);
  expect(isAdmitted).toBe(false);
});

test.each([
  [401, 16],
  [403, 7],
  [404, 7],
  [400, 7],
  [429, 14],
  [503, 14],
])("a reply with %i ends the stream with %i and the service's message", (status, code) => {
  const error = new InventoryError({ status, body: { message: 'Words.' } });
  expect(refusalOf(error)).toMatchObject({ code, message: 'Words.' });
});

test('other failures have no separate message', () => {
  expect(refusalOf(new Error('secret'))).toMatchObject({ code: 14, message: expect.not.stringContaining('secret') });
});

test('an agent states its id in either form, and a version', () => {
  const headers = { authorization: 'Bearer x', 'pmm-agent-id': '/agent_id/a', 'pmm-agent-version': '2.16.0-beta' };
  expect(candidateOf({ ...headers, ':path': '/agent.Agent/Connect' }, '192.0.2.1')).toEqual({
    pmmAgentId: 'a',
    generation: 2,
    version: '2.16.0',
    credential: { authorization: 'Bearer x', source: '192.0.2.1' },
  });
  expect(candidateOf({ ...headers, 'pmm-agent-version': '{{x}}' }, '')).toMatchObject({ version: '0.0.0' });
  expect(() => candidateOf({ 'pmm-agent-id': 'a' }, '')).toThrow(expect.objectContaining({ code: 16 }));
  expect(() => candidateOf({ authorization: 'Bearer x' }, '')).toThrow(expect.objectContaining({ code: 7 }));
});
