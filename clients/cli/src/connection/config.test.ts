import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietWorld } from '../../../../tests/support/command-call.ts';
import { checkWritable, folderOf, readConfig, readCredentials, storeCredential, writeConfig } from './config.ts';
import type { World } from '../core/world.ts';

let home: string;
let world: World;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'inventory-config-'));
  world = quietWorld({ env: { HOME: home } });
});
afterEach(() => rm(home, { recursive: true }));

const at = (name: string) => join(home, '.config', 'inventory', name);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function write(name: string, text: string, mode = 0o600): Promise<void> {
  await mkdir(at('.'), { recursive: true });
  await writeFile(at(name), text);
  await chmod(at(name), mode);
}

describe('the folder of the configuration', () => {
  test('is below XDG_CONFIG_HOME, or below .config in HOME', () => {
    const of = (env: World['env']) => folderOf(quietWorld({ env }));
    expect(of({ XDG_CONFIG_HOME: '/x', HOME: '/h' })).toBe('/x/inventory');
    expect(of({ XDG_CONFIG_HOME: '', HOME: '/h' })).toBe('/h/.config/inventory');
    expect(of({ HOME: '/h' })).toBe('/h/.config/inventory');
    for (const env of [{}, { HOME: '' }]) expect(() => of(env)).toThrow(expect.objectContaining({ exit: 'failed' }));
  });
});

describe('credentials', () => {
  const stored = JSON.stringify({ here: { key: 'k', expires_at: '2026-05-01T10:00:00Z' }, wrong: { key: 1 }, none: 7 });

  test('are read from a file of their user', async () => {
    expect(await readCredentials(world)).toEqual(new Map());
    await write('credentials.json', stored);
    expect(await readCredentials(world)).toEqual(new Map([['here', { key: 'k', expires_at: '2026-05-01T10:00:00Z' }]]));
  });

  test.each(['640', '620', '610', '604', '602', '601'])('in a file of the mode %s are refused', async (mode) => {
    await write('credentials.json', stored, parseInt(mode, 8));
    await expect(readCredentials(world)).rejects.toMatchObject({
      exit: 'denied',
      message: expect.stringMatching(/can be read by other users: run chmod 600/),
    });
    await expect(storeCredential(world, 'here', { key: 'new' })).rejects.toMatchObject({ exit: 'denied' });
    expect(await readFile(at('credentials.json'), 'utf8')).toBe(stored);
  });

  test('that are no JSON are refused', async () => {
    await write('credentials.json', '{');
    await expect(readCredentials(world)).rejects.toMatchObject({ message: expect.stringContaining('is not JSON') });
  });

  test('are stored and removed by context, in a file and a folder for their user only', async () => {
    await storeCredential(world, 'a', { key: '1' });
    await storeCredential(world, 'b', { key: '2', expires_at: 't' });
    expect(await readCredentials(world)).toEqual(
      new Map([
        ['a', { key: '1' }],
        ['b', { key: '2', expires_at: 't' }],
      ]),
    );
    await storeCredential(world, 'a', undefined);
    expect([...(await readCredentials(world)).keys()]).toEqual(['b']);
    expect([await modeOf(at('credentials.json')), await modeOf(at('.'))]).toEqual([0o600, 0o700]);
    expect(await readdir(at('.'))).toEqual(['credentials.json']);
  });
});

describe('the configuration', () => {
  test('is read as it was written; without a file there is no context', async () => {
    expect(await readConfig(world)).toEqual({ contexts: {} });
    const config = {
      current: 'a',
      contexts: {
        a: { url: 'https://a', ca: '/ca.pem', insecure: true, key_file: '/key' },
        b: { url: 'https://b', key_command: 'pass show b' },
      },
    };
    await writeConfig(world, config);
    expect(await readConfig(world)).toEqual(config);
  });

  test('has a context that is insecure only if it says so', async () => {
    await write('config.yaml', 'contexts: { a: { url: u, insecure: false }, b: { url: u, insecure: "yes" } }');
    expect((await readConfig(world)).contexts).toEqual({ a: { url: 'u' }, b: { url: 'u' } });
  });

  test.each([
    ['contexts: [', /config\.yaml: .*at line 1/],
    ['contexts: 7', /contexts is no mapping/],
    ['contexts: { a: { ca: x } }', /the context a has no url/],
    ['contexts: { a: { url: x, key_file: 7 } }', /the context a has no url, or a field that is no text/],
    ['contexts: { a: text }', /the context a/],
  ])('%j is refused', async (text, message) => {
    await write('config.yaml', text);
    await expect(readConfig(world)).rejects.toMatchObject({ exit: 'usage', message: expect.stringMatching(message) });
  });

  test('that cannot be read is an error, not an empty configuration', async () => {
    await mkdir(at('config.yaml'), { recursive: true });
    await expect(readConfig(world)).rejects.toMatchObject({ exit: 'failed' });
  });
});

test('a file that cannot be written is refused before it is needed, and the check leaves nothing', async () => {
  expect(() => checkWritable(join(home, 'absent', 'file'))).toThrow(expect.objectContaining({ exit: 'usage' }));
  checkWritable(join(home, 'file'));
  expect(await readdir(home)).toEqual([]);
});
