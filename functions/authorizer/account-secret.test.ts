import { createSecretCheck } from './account-secret.ts';

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);

/** A secret that can be changed, and how often it was read. */
function secretManager(initial: string) {
  const state = { text: initial, reads: 0, broken: false };
  const check = createSecretCheck(() => {
    state.reads += 1;
    return state.broken ? Promise.reject(new Error('cut off')) : Promise.resolve(state.text);
  });
  return { state, check };
}

test('the password is what the secret holds, to the letter', async () => {
  const { check } = secretManager('right');
  for (const [password, good] of [
    ['right', true],
    ['Right', false],
    ['right ', false],
    ['', false],
  ] as const)
    expect(await check(password, 'arn', at(0))).toBe(good);
});

test('a changed secret counts after a minute at the latest, and the old one no longer', async () => {
  const { state, check } = secretManager('old');
  await check('old', 'arn', at(0));
  state.text = 'new';
  expect(await check('new', 'arn', at(59))).toBe(false);
  expect(await check('new', 'arn', at(60))).toBe(true);
  expect(await check('old', 'arn', at(60))).toBe(false);
});

test('guessing costs one read a minute, however often', async () => {
  const { state, check } = secretManager('right');
  for (let guess = 0; guess < 50; guess += 1) await check(`guess ${guess}`, 'arn', at(guess));
  expect(state.reads).toBe(1);
});

test('a secret that cannot be read lets nobody in, and is read again at the next attempt', async () => {
  const { state, check } = secretManager('right');
  state.broken = true;
  await expect(check('right', 'arn', at(0))).rejects.toThrow('cut off');
  state.broken = false;
  expect(await check('right', 'arn', at(1))).toBe(true);
});
