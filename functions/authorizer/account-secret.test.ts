import { createSecrets } from './account-secret.ts';

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);

/** A secret that can be changed, and how often it was read. */
function secretManager(initial: string) {
  const state = { text: initial, setAt: at(-100), reads: 0, broken: false };
  const { check, setAt } = createSecrets(() => {
    state.reads += 1;
    return state.broken
      ? Promise.reject(new Error('cut off'))
      : Promise.resolve({ text: state.text, setAt: state.setAt });
  });
  const isRight = async (password: string, arn: string, now: Date) => (await check(password, arn, now)) !== undefined;
  return { state, check, setAt, isRight };
}

test('the password is what the secret holds, to the letter', async () => {
  const { isRight } = secretManager('right');
  for (const [password, good] of [
    ['right', true],
    ['Right', false],
    ['right ', false],
    ['', false],
  ] as const)
    expect(await isRight(password, 'arn', at(0))).toBe(good);
});

test('a changed secret counts after a minute at the latest, and the old one no longer', async () => {
  const { state, isRight } = secretManager('old');
  await isRight('old', 'arn', at(0));
  state.text = 'new';
  expect(await isRight('new', 'arn', at(59))).toBe(false);
  expect(await isRight('new', 'arn', at(60))).toBe(true);
  expect(await isRight('old', 'arn', at(60))).toBe(false);
});

test('a password is as old as the value of the secret, which is read no more often for it', async () => {
  const { state, check, setAt } = secretManager('old');
  expect(await check('old', 'arn', at(0))).toEqual(at(-100));
  Object.assign(state, { text: 'new', setAt: at(10) });
  expect(await setAt('arn', at(59))).toEqual(at(-100));
  expect(await setAt('arn', at(60))).toEqual(at(10));
  expect(await check('new', 'arn', at(61))).toEqual(at(10));
  expect(state.reads).toBe(2);
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
  expect(await check('right', 'arn', at(1))).toEqual(at(-100));
});
