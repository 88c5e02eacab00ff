import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandCall, quietWorld } from '../../../../tests/support/command-call.ts';
import type { Action } from '../command/command.ts';
import { type Config, readConfig, readCredentials, storeCredential, writeConfig } from '../connection/config.ts';
import { list, remove, set, use } from './context.ts';

let home: string;
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'inventory-context-'))));
afterEach(() => rm(home, { recursive: true }));

/** The context after `context set` with the options. */
async function setWith(options: Record<string, unknown>) {
  await set.run(commandCall({ args: ['prod'], options, world: { env: { HOME: home } } }));
  return (await readConfig(quietWorld({ env: { HOME: home } }))).contexts['prod'];
}

test('files are stored with absolute paths: later commands run in other folders', async () => {
  expect(await setWith({ url: 'https://a', ca: 'ca.pem', keyFile: '../key' })).toEqual({
    ...{ url: 'https://a', ca: resolve('ca.pem'), key_file: resolve('../key') },
  });
});

test('the address is stored in its normal form', async () => {
  expect((await setWith({ url: 'HTTPS://A:443/v1/' }))?.url).toBe('https://a');
  await expect(setWith({ url: 'inventory.example' })).rejects.toThrow('--url must be such as');
});

describe('with two contexts', () => {
  const before: Config = {
    current: 'a',
    contexts: { a: { url: 'https://a' }, b: { url: 'https://b', key_command: 'pass show b' } },
  };
  const world = () => quietWorld({ env: { HOME: home } });
  beforeEach(async () => {
    await writeConfig(world(), before);
    for (const name of ['a', 'b']) await storeCredential(world(), name, { key: `minv_${name}` });
  });

  /** The command; its table, and the configuration and the keys after it. */
  async function after(action: Action, args: string[], options: object = {}) {
    const call = commandCall({ args, options: { ...options }, world: { env: { HOME: home } } });
    const failure: unknown = await action.run(call).catch((error: unknown) => error);
    const keys = [...(await readCredentials(world())).keys()];
    return { failure, out: call.out(), config: await readConfig(world()), keys };
  }

  test('list marks the current one; the wide table shows where the keys are', async () => {
    expect((await after(list, [], { output: 'markdown' })).out).toBe(
      '| name | current | url |\n| --- | --- | --- |\n| a | * | https://a |\n| b | - | https://b |\n',
    );
    const { out } = await after(list, [], { output: 'csv' });
    expect(out.split('\n')).toEqual([
      ...['name,current,url,ca,insecure,key_file,key_command', 'a,*,https://a,,,,', 'b,,https://b,,,,pass show b', ''],
    ]);
  });

  test('use makes another one the current one, and no absent one', async () => {
    expect((await after(use, ['b'])).config).toEqual({ ...before, current: 'b' });
    expect(await after(use, ['c'])).toMatchObject({ failure: { exit: 'usage' }, config: { current: 'b' } });
  });

  test.each([
    ['a', {}, ['b']],
    ['b', { current: 'a' }, ['a']],
  ])('remove %s forgets its key, and the current one if it was that', async (name, head, rest) => {
    const { config, keys } = await after(remove, [name]);
    expect([keys, config]).toEqual([
      rest,
      { ...head, contexts: Object.fromEntries(rest.map((contextName) => [contextName, before.contexts[contextName]])) },
    ]);
  });

  test('an absent context is not removed', async () => {
    expect(await after(remove, ['c'])).toMatchObject({ failure: { exit: 'usage' }, config: before, keys: ['a', 'b'] });
  });

  test('set changes only what is given, and not the current context', async () => {
    const { config, keys } = await after(set, ['b'], { insecure: true, keyCommand: 'pass b' });
    expect([config.current, config.contexts['b'], keys]).toEqual([
      'a',
      { url: 'https://b', insecure: true, key_command: 'pass b' },
      ['a', 'b'],
    ]);
  });

  test('changing the address of a context forgets its key, which is never sent there', async () => {
    const { config, keys } = await after(set, ['b'], { url: 'https://c' });
    expect([config.contexts['b']?.url, keys]).toEqual(['https://c', ['a']]);
  });
});

test('the first context is the current one, and needs an address', async () => {
  const message = 'A new context needs --url.';
  await expect(setWith({})).rejects.toMatchObject({ message, exit: 'usage' });
  await setWith({ url: 'https://a' });
  expect((await readConfig(quietWorld({ env: { HOME: home } }))).current).toBe('prod');
});
