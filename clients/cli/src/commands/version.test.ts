import { commandCall } from '../../../../tests/support/command-call.ts';
import { VERSION } from '../../../typescript/src/generated/version.ts';
import { CommandError } from '../core/exit-codes.ts';
import type { Settings } from '../connection/settings.ts';
import { run } from './version.ts';

/** `version -o json`, with these settings. */
async function version(settings: () => Promise<Settings>) {
  const call = commandCall({ options: { output: 'json' }, answer: () => ({ build: { version: '9.8.7' } }) });
  const failure: unknown = await run({ ...call, settings }).catch((error: unknown) => error);
  return { failure, shown: call.out() === '' ? undefined : (JSON.parse(call.out()) as unknown), sent: call.sent };
}

test('with a server it shows both versions', async () => {
  const { shown } = await version(() => Promise.resolve({} as Settings));
  expect(shown).toEqual({ inventory: VERSION, server: '9.8.7' });
});

test('without a server it shows its own version, and asks nobody', async () => {
  const { failure, shown, sent } = await version(() => Promise.reject(new CommandError('No server.')));
  expect([failure, shown, sent]).toEqual([undefined, { inventory: VERSION }, []]);
});

test('another failure of the settings is not hidden', async () => {
  const broken = new TypeError('broken');
  expect(await version(() => Promise.reject(broken))).toEqual({ failure: broken, shown: undefined, sent: [] });
});
