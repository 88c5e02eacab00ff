import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWithCodeCache } from './code-cache.ts';

/** What the program has said, in the order of its runs. */
const said: string[] = [];
let folder: string;
let program: string;
let caches: string;
beforeEach(async () => {
  said.length = 0;
  Object.assign(globalThis, { said });
  folder = await mkdtemp(join(tmpdir(), 'code-cache-'));
  program = join(folder, 'inventory.cjs');
  caches = join(folder, '.cache/monitoring-inventory');
  await writeProgram('one');
});
afterEach(async () => {
  Reflect.deleteProperty(globalThis, 'said');
  await rm(folder, { recursive: true });
});

/** All words have the same length: V8 compares the length of a program only. */
const writeProgram = (word: string) =>
  writeFile(program, `#!/usr/bin/env node\nfunction say() { said.push('${word}'); }\nsay();\nrequire('node:os');\n`);

/** Runs the program until it ends with a code. @returns whether it has a cache to write at its end. */
function run(
  command: string | undefined,
  { code = 0, env = { HOME: folder } }: { code?: number; env?: Record<string, string> } = {},
): boolean {
  const works: ((code: number) => void)[] = [];
  runWithCodeCache(program, command, { env, atExit: (work) => works.push(work) });
  for (const work of works) work(code);
  return works.length > 0;
}

const stored = () => readdir(caches).catch(() => []);
const pathOf = async () => join(caches, (await stored())[0]!);

test('the first run of a command writes the cache, and later runs use it; only the owner can read and write it', async () => {
  expect([run('get'), run('get'), run('plan'), run('plan')]).toEqual([true, false, true, false]);
  expect(said).toEqual(['one', 'one', 'one', 'one']);
  expect((await stored()).map((name) => name.split('-')[0]).sort()).toEqual(['get', 'plan']);
  const modes = await Promise.all([caches, await pathOf()].map(async (path) => (await stat(path)).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600]);
});

test('a command that fails writes no cache', async () => {
  expect(run('get', { code: 64 })).toBe(true);
  expect([await stored(), run('get')]).toEqual([[], true]);
});

test('a cache belongs to one program, and another program writes its own', async () => {
  run('get');
  await writeProgram('two');
  expect([run('get'), run('get'), said]).toEqual([true, false, ['one', 'two', 'two']]);
});

test.each<[string, () => Promise<unknown>]>([
  ['is damaged', async () => writeFile(await pathOf(), (await readFile(await pathOf())).fill(7, 40, 41))],
  ['was cut', async () => writeFile(await pathOf(), (await readFile(await pathOf())).subarray(0, 10))],
  ['others can write', async () => chmod(await pathOf(), 0o620)],
  ['is in a folder that others can write', () => chmod(caches, 0o702)],
  [
    'is a link',
    async () => {
      const path = await pathOf();
      await rename(path, `${path}.of-another`);
      await symlink(`${path}.of-another`, path);
    },
  ],
])('a cache that %s is not used, and the program runs without it', async (_, spoil) => {
  run('get');
  await spoil();
  expect([run('get'), said]).toEqual([true, ['one', 'one']]);
});

test('nothing is written into a folder that others can write', async () => {
  await mkdir(caches, { recursive: true });
  await chmod(caches, 0o770);
  expect([run('get'), await stored()]).toEqual([true, []]);
});

test("the user's cache folder has priority over the home folder", async () => {
  const base = join(folder, 'xdg');
  expect(run('get', { env: { HOME: folder, XDG_CACHE_HOME: base } })).toBe(true);
  expect([await readdir(join(base, 'monitoring-inventory')), await stored()]).toEqual([[expect.any(String)], []]);
});

test.each([
  ['no command', undefined, {}],
  ['an option', '--version', {}],
  ['a path', '../../get', {}],
  ['a long word', `g${'e'.repeat(31)}`, {}],
  ['no folder for caches', 'get', { env: {} }],
])('with %s the program runs without a cache', async (_, command, more) => {
  expect([run(command, more), run(command, more), await stored()]).toEqual([false, false, []]);
  expect(said).toEqual(['one', 'one']);
});

test('the longest command has a cache', () => {
  expect([run(`g${'e'.repeat(30)}`), run(`g${'e'.repeat(30)}`)]).toEqual([true, false]);
});
