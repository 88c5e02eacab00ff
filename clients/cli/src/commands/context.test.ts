import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandCall, quietWorld } from '../../../../tests/support/command-call.ts';
import { readConfig } from '../config.ts';
import { set } from './context.ts';

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
