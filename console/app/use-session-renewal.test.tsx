import { session } from '../api/session.tsx';
import type { Network } from '../testing/network.tsx';
import { pageTime, pass, textOf } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const MINUTE_MS = 60_000;

const site = openSite();

const after = (minutes: number, now = pageTime()) => new Date(now + minutes * MINUTE_MS).toISOString();

const renewals = (network: Network) => network.requests.filter((request) => request === 'POST /v1/logins').length;

/** A page whose key ends after some minutes, and is renewed until later, if at all. */
async function openFor(minutes: number, until?: number): Promise<Network> {
  const network = await site.at('quick-start');
  const state = session.state();
  if (state.kind !== 'in') throw new Error('nobody is logged in');
  const now = pageTime();
  const caller = { ...state.caller, expires_at: after(minutes, now) };
  session.renew(state.key, caller, until === undefined ? undefined : after(until, now));
  await pass(1000);
  return network;
}

test('a key is renewed two minutes before its end', async () => {
  const network = await openFor(20, 60);
  const { key } = await site.write('POST', '/v1/sessions');
  network.answer('POST /v1/logins', () => ({
    key,
    session_id: 's',
    name: 'admin',
    role: 'Admin',
    expires_at: after(99),
  }));
  await pass(17.5 * MINUTE_MS);
  expect(renewals(network)).toBe(0);
  await pass(MINUTE_MS);
  expect([renewals(network), session.key()]).toEqual([1, key]);
});

test('a key of few minutes is renewed at half of its time', async () => {
  const network = await openFor(3, 60);
  await pass(MINUTE_MS);
  expect(renewals(network)).toBe(0);
  network.refuseNext('POST /v1/logins', 401, 'Not today.');
  await pass(MINUTE_MS);
  expect(renewals(network)).toBe(1);
  expect(textOf()).toContain('Log in');
});

test('a renewal that a busy server refused is repeated', async () => {
  const network = await openFor(20, 60);
  for (let count = 0; count < 2; count += 1) network.refuseNext('POST /v1/logins', 503, 'Busy.');
  await pass(18.5 * MINUTE_MS);
  expect(renewals(network)).toBeGreaterThan(1);
});

test.each([
  ['that ends with its session', 20],
  ['of a session that is not renewed', undefined],
])('a key %s is not renewed', async (_, until) => {
  const network = await openFor(20, until);
  await pass(19 * MINUTE_MS);
  expect(renewals(network)).toBe(0);
});
