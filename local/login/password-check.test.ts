import { setImmediate as turn } from 'node:timers/promises';
import type { Account } from '../../functions/store/credentials/accounts.ts';
import { inTime } from '../../shared/core/deadline.ts';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { FREE_FAILURES, MAX_DELAY_SECONDS } from './failed-attempts.ts';
import { createPasswordCheck, MAX_RUNNING, MAX_WAITING } from './password-check.ts';
import { testTime } from '../../tests/support/test-time.ts';

const time = '2026-01-01T00:00:00Z';
const admin: Account = { name: 'admin', role: 'Admin', created_at: time, updated_at: time, password_hash: 'right' };

/** A check whose verifications the test ends; the hash is the password itself. */
function subject() {
  const clock = { now: 0 };
  const pending: (() => void)[] = [];
  const state = { running: 0, most: 0, verified: 0 };
  const check = createPasswordCheck({
    now: () => clock.now,
    verify: async (password, hash) => {
      state.running += 1;
      state.verified += 1;
      state.most = Math.max(state.most, state.running);
      await new Promise<void>((resolve) => pending.push(resolve));
      state.running -= 1;
      return password === hash;
    },
  });
  /** `true`, `false`, or the seconds to wait. */
  const attempt = (password: string, sourceIp = '192.0.2.1', account: Account | null = admin) =>
    check({
      account: account ?? undefined,
      user: account?.name ?? 'nobody',
      password,
      sourceIp,
      now: testTime(),
    }).catch((error: unknown) => Number((error as { headers: Record<string, string> }).headers['Retry-After']));
  /** Ends verifications one after the other, until none is left. */
  const finishAll = async () => {
    do {
      pending.shift()?.();
      // Twice: the end of one verification starts the next one.
      await turn();
      await turn();
    } while (pending.length > 0);
  };
  /** One complete attempt. */
  const now = async (...of: Parameters<typeof attempt>) => {
    const result = attempt(...of);
    await finishAll();
    return result;
  };
  return { clock, state, attempt, finishAll, now };
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index + 1}`);

test('of forty simultaneous attempts two are verified at a time, eight wait, and others are refused at once', async () => {
  const { state, attempt, finishAll } = subject();
  const results: unknown[] = [];
  const all = addresses(40).map((address) => attempt('wrong', address).then((result) => results.push(result)));
  await turn();
  // libuv's pool has four threads: the others remain free for files, compression and name lookups.
  expect([MAX_RUNNING, MAX_WAITING, state.running]).toEqual([2, 8, 2]);
  expect(results).toEqual(Array.from({ length: 30 }, () => 1));
  await finishAll();
  await Promise.all(all);
  expect(state).toEqual({ running: 0, most: MAX_RUNNING, verified: 10 });
  expect(results.filter((result) => result === false)).toHaveLength(10);
  expect(await Promise.all([attempt('right', '192.0.2.77'), finishAll()])).toEqual([true, undefined]);
});

test('equal attempts at once are one verification, and a good password is remembered for some seconds', async () => {
  const { clock, state, attempt, finishAll, now } = subject();
  const all = Promise.all(addresses(40).map(() => attempt('right')));
  await finishAll();
  expect(new Set(await all)).toEqual(new Set([true]));
  expect(state.verified).toBe(1);
  clock.now += 9000;
  expect(await attempt('right', '198.51.100.7')).toBe(true);
  expect(state.verified).toBe(1);
  // The password was changed: the cached result belongs to the old hash.
  expect(await now('right', '192.0.2.1', { ...admin, password_hash: 'changed' })).toBe(false);
  clock.now += 1000;
  expect(await now('right')).toBe(true);
  expect(state.verified).toBe(3);
});

test('after five failures an address waits, twice as long each time; others do not, and a success starts anew', async () => {
  const { clock, state, attempt, now } = subject();
  for (let failure = 0; failure < FREE_FAILURES; failure += 1) expect(await now(`guess ${failure}`)).toBe(false);
  const waits: unknown[] = [];
  for (let round = 0; round < 7; round += 1) {
    const wait = await attempt('never right');
    waits.push(wait);
    clock.now += Number(wait) * 1000;
    expect(await now(`another guess ${round}`)).toBe(false);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, MAX_DELAY_SECONDS, MAX_DELAY_SECONDS]);
  const verified = state.verified;
  expect(await attempt('right')).toBe(MAX_DELAY_SECONDS);
  expect(state.verified).toBe(verified);
  expect(await now('another right', '198.51.100.7', { ...admin, password_hash: 'another right' })).toBe(true);

  clock.now += MAX_DELAY_SECONDS * 1000;
  expect(await now('right')).toBe(true);
  clock.now += 60_000;
  for (let failure = 0; failure < FREE_FAILURES; failure += 1) expect(await now(`later ${failure}`)).toBe(false);
  expect(await attempt('never right')).toBe(1);
});

test('a wrong password that a program repeats is checked once, and a right one behind its address does not wait', async () => {
  const { state, now } = subject();
  for (let repetition = 0; repetition < 4 * FREE_FAILURES; repetition += 1) expect(await now('old')).toBe(false);
  expect(state.verified).toBe(1);
  // A right password that was not presented before: it does not pass as one that was right before.
  expect(await now('right')).toBe(true);
  // The same for a user that does not exist, so that the answers do not differ.
  for (let repetition = 0; repetition < 4 * FREE_FAILURES; repetition += 1)
    expect(await now('old', '192.0.2.1', null)).toBe(false);
  expect(state.verified).toBe(3);
  // Of an account that has it since, the password is right.
  expect(await now('old', '192.0.2.1', { ...admin, password_hash: 'old' })).toBe(true);
});

test('a repeated wrong password is refused as wrong during a delay, and another guess is not checked before its end', async () => {
  const { state, now } = subject();
  for (let failure = 0; failure < FREE_FAILURES; failure += 1) await now(`guess ${failure}`);
  expect([await now('guess 0'), await now('guess 5')]).toEqual([false, 1]);
  expect(state.verified).toBe(FREE_FAILURES);
});

test('a known right password gives the guesses of others behind the same address no further start', async () => {
  const { clock, now } = subject();
  expect(await now('right')).toBe(true);
  for (let failure = 0; failure <= FREE_FAILURES; failure += 1) {
    clock.now += 60_000;
    expect(await now('right')).toBe(true);
    expect(await now(`guess ${failure}`)).toBe(false);
  }
  expect(await now('another guess')).toBe(2);
});

test('a password that was right before does not wait for the failures of others behind the same address, and is verified', async () => {
  const { clock, state, attempt, now } = subject();
  expect(await now('right')).toBe(true);
  clock.now += 60_000;
  for (let failure = 0; failure <= FREE_FAILURES; failure += 1) await now(`guess ${failure}`);
  const verified = state.verified;
  expect(await attempt('never right')).toBeGreaterThan(0);
  expect(await now('right')).toBe(true);
  expect(state.verified).toBe(verified + 1);
  // Another password for the account: the one before is wrong, and waits.
  clock.now += 60_000;
  for (let failure = 0; failure <= FREE_FAILURES; failure += 1) await now(`another ${failure}`);
  expect(await attempt('right', '192.0.2.1', { ...admin, password_hash: 'changed' })).toBeGreaterThan(0);
});

test('a check that waits obeys the delay that its address has reached in the meantime', async () => {
  const { state, attempt, finishAll } = subject();
  const all = Promise.all(Array.from({ length: 10 }, (_, index) => attempt(`guess ${index}`)));
  await finishAll();
  const results = await all;
  // Two in parallel: one more may be in progress when the fifth fails.
  expect(state.verified).toBeLessThanOrEqual(FREE_FAILURES + MAX_RUNNING - 1);
  expect(results.filter((result) => typeof result === 'number')).toHaveLength(10 - state.verified);
});

test('addresses of one IPv6 network are one source, and an unknown user counts like a wrong password', async () => {
  const { attempt, now } = subject();
  for (let failure = 0; failure < FREE_FAILURES; failure += 1)
    expect(await now(`right ${failure}`, `2001:db8:1:2::${failure}`, null)).toBe(false);
  expect(await attempt('right', '2001:db8:1:2:ffff::1')).toBe(1);
  expect(await now('right', '2001:db8:1:3::1')).toBe(true);
  for (let failure = 0; failure < FREE_FAILURES; failure += 1)
    expect(await now(`guess ${failure}`, '::ffff:192.0.2.1')).toBe(false);
  expect(await now('right', '::ffff:192.0.2.2', { ...admin, name: 'other' })).toBe(true);
});

test('without a hash of its own an account has no password here', async () => {
  const { password_hash: _none, ...rest } = admin;
  const { now } = subject();
  expect(await now('right', '192.0.2.1', { ...rest, password_hash: undefined, secret_arn: 'arn' })).toBe(false);
});

test('a check that waited beyond the deadline of its request is refused without a verification', async () => {
  const { state, attempt, finishAll } = subject();
  const running = addresses(MAX_RUNNING).map((address) => attempt('wrong', address));
  await turn();
  const monotonic = manualClock();
  let waiting: ReturnType<typeof attempt> | undefined;
  const request = inTime({ monotonic }, 10, () => (waiting = attempt('right', '192.0.2.99')));
  await turn();
  monotonic.advance(10);
  await expect(request).rejects.toMatchObject({ fault: 'deadline' });
  await finishAll();
  expect(await waiting).toBe(1);
  await Promise.all(running);
  expect(state.verified).toBe(MAX_RUNNING);
});
