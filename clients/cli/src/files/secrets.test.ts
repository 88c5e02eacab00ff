import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall } from '../../../../tests/support/command-call.ts';
import type { Settings } from '../connection/settings.ts';
import { checkOut, giveSecret, storeSecret } from './secrets.ts';
import { readCredentials } from '../connection/config.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-secrets-'))));
afterEach(() => rm(folder, { recursive: true }));

const usage = expect.objectContaining({ exit: 'usage' });
const give = async (options: Record<string, unknown>) => {
  const call = commandCall({ options });
  await giveSecret(call, { key: 'minv_k' }, { name: 'automation' });
  return call;
};

test('a file that the secret cannot be written to is refused before the secret is made', () => {
  expect(() => checkOut(commandCall({ options: { out: join(folder, 'absent', 'key') } }))).toThrow(usage);
  checkOut(commandCall({ options: { out: join(folder, 'key') } }));
  checkOut(commandCall({}));
});

test('a format that would lose the secret is refused before the secret is made', () => {
  for (const output of ['name', 'csv']) {
    expect(() => checkOut(commandCall({ options: { output } }))).toThrow(usage);
    checkOut(commandCall({ options: { output, out: join(folder, 'key') } }));
  }
});

test('a secret is written to the file, readable by its owner only, and not printed', async () => {
  const out = join(folder, 'key');
  const call = await give({ out });
  expect([await readFile(out, 'utf8'), (await stat(out)).mode & 0o777]).toEqual(['minv_k\n', 0o600]);
  expect(call.out()).toContain('automation');
  expect(`${call.out()}${call.err()}`).not.toContain('minv_k');
  expect((await give({ out, quiet: true })).out()).toBe('');
  expect(JSON.parse((await give({ out, quiet: true, output: 'json' })).out())).toEqual({ name: 'automation' });
});

test('without a file, people get the secret alone, and programs get it with the rest', async () => {
  const people = await give({});
  expect([people.out(), people.err()]).toEqual(['minv_k\n', 'The secret is shown only this once.\n']);
  const programs = await give({ output: 'json' });
  expect([JSON.parse(programs.out()), programs.err()]).toEqual([{ name: 'automation', key: 'minv_k' }, '']);
});

describe('a new key is stored where the key of the call is', () => {
  const store = async (settings: Partial<Settings>, options: Record<string, unknown> = {}) => {
    const call = commandCall({ options, world: { env: { HOME: folder } } });
    const write = await storeSecret({ ...call, settings: () => Promise.resolve(settings as Settings) });
    await write('minv_new');
    return readCredentials(call.world);
  };

  test('in its file, or in that of --out', async () => {
    const [keyFile, out] = [join(folder, 'key'), join(folder, 'other')];
    await store({ keyFile, keySource: keyFile });
    expect(await readFile(keyFile, 'utf8')).toBe('minv_new\n');
    await store({ keyFile, keySource: keyFile }, { out });
    expect(await readFile(out, 'utf8')).toBe('minv_new\n');
    expect((await readdir(folder)).sort()).toEqual(['key', 'other']);
  });

  test('among the credentials of the log-in', async () => {
    expect(await store({ keySource: 'inventory login', context: 'here' })).toEqual(
      new Map([['here', { key: 'minv_new' }]]),
    );
  });

  test('is refused before it exists if it cannot be stored', async () => {
    const refused = store({ keySource: 'INVENTORY_KEY', context: 'here' });
    await expect(refused).rejects.toMatchObject({ message: 'The key is from INVENTORY_KEY: give --out FILE.' });
    await expect(store({ keySource: 'inventory login' })).rejects.toMatchObject({ exit: 'usage' });
    await expect(store({ keyFile: join(folder, 'absent', 'key'), keySource: '' })).rejects.toMatchObject({
      exit: 'usage',
    });
  });
});
