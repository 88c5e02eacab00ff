import type { Account } from '../../store/credentials/accounts.ts';
import { createAccountSecrets } from './account-secret.ts';

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);

const time = '2026-01-01T00:00:00Z';
const admin: Account = { name: 'admin', role: 'Admin', created_at: time, updated_at: time, secret_arn: 'arn' };

/** A secret that can be changed, with the number of its reads. */
function secretManager(initial: string) {
  const state = { text: initial, setAt: at(-100), reads: 0, broken: false };
  const { check: checkPassword, versionOf } = createAccountSecrets(() => {
    state.reads += 1;
    return state.broken
      ? Promise.reject(new Error('cut off'))
      : Promise.resolve({ text: state.text, setAt: state.setAt });
  });
  const check = (password: string, account: Account | undefined, now: Date) =>
    checkPassword({ account, user: account?.name ?? 'nobody', password, sourceIp: '192.0.2.1', now });
  return { state, check, versionOf };
}

test('the password must equal the secret exactly', async () => {
  const { check } = secretManager('right');
  for (const [password, good] of [
    ['right', true],
    ['Right', false],
    ['right ', false],
    ['', false],
  ] as const)
    expect(await check(password, admin, at(0))).toBe(good);
});

test('a changed secret applies after a minute at most, and then the old one is refused', async () => {
  const { state, check } = secretManager('old');
  await check('old', admin, at(0));
  state.text = 'new';
  expect(await check('new', admin, at(59))).toBe(false);
  expect(await check('new', admin, at(60))).toBe(true);
  expect(await check('old', admin, at(60))).toBe(false);
});

test('an account is as old as its secret value, without additional reads', async () => {
  const { state, check, versionOf } = secretManager('old');
  expect(await versionOf(admin, at(0))).toBe(at(-100).toISOString());
  Object.assign(state, { text: 'new', setAt: at(10) });
  expect(await versionOf(admin, at(59))).toBe(at(-100).toISOString());
  expect(await versionOf(admin, at(60))).toBe(at(10).toISOString());
  expect(await check('new', admin, at(61))).toBe(true);
  expect(state.reads).toBe(2);
});

test('an account with an old secret is as new as its assignment', async () => {
  const { versionOf } = secretManager('old');
  const pointedAt = at(5).toISOString();
  expect(await versionOf({ ...admin, updated_at: pointedAt }, at(6))).toBe(pointedAt);
});

test('any number of guesses costs one read a minute', async () => {
  const { state, check } = secretManager('right');
  for (let guess = 0; guess < 50; guess += 1) await check(`guess ${guess}`, admin, at(guess));
  expect(state.reads).toBe(1);
});

test('an unreadable secret admits nobody, and is read again at the next attempt', async () => {
  const { state, check } = secretManager('right');
  state.broken = true;
  await expect(check('right', admin, at(0))).rejects.toThrow('cut off');
  state.broken = false;
  expect(await check('right', admin, at(1))).toBe(true);
});

test('an unknown user name costs the same reads at the same times as a wrong password, and no entry', async () => {
  const readsOf = async (account: Account | undefined) => {
    const { state, check } = secretManager('right');
    await check('right', admin, at(0));
    const reads: number[] = [];
    for (const seconds of [1, 59, 60, 61, 200]) {
      expect(await check(account === undefined ? 'right' : 'wrong', account, at(seconds))).toBe(false);
      reads.push(state.reads);
    }
    return reads;
  };
  expect(await readsOf(undefined)).toEqual(await readsOf(admin));
  const { state, check } = secretManager('');
  expect(await check('', undefined, at(0))).toBe(false);
  expect(state.reads).toBe(0);
});
