/** The command line's code cache. The package's starter runs a small program with the system's Node. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildStarter } from '../../tools/package-cli.ts';
import { systemNode } from './system-node.ts';

const run = promisify(execFile);

const DIGEST_BYTES = 32;

let folder: string;
let program: string;
let home: string;
let cache: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-code-cache-'));
  program = join(folder, 'inventory.cjs');
  await buildStarter(join(folder, 'start.cjs'));
});
beforeEach(async () => {
  home = await mkdtemp(join(folder, 'home-'));
  cache = join(home, '.cache/monitoring-inventory');
  await writeProgram('mine');
});
afterAll(() => rm(folder, { recursive: true }));

/** All words have the same length: V8 compares the length of a program only. */
const writeProgram = (word: string) =>
  writeFile(
    program,
    `#!/usr/bin/env node\nfunction say() { process.stdout.write('${word}'); }\nsay();\n` +
      "process.exitCode = process.argv[3] === undefined ? 0 : 64;\nrequire('node:os');\n",
  );

async function start(...argv: string[]): Promise<string> {
  const environment = { PATH: process.env['PATH'], HOME: home };
  return (await run(systemNode(), [join(folder, 'start.cjs'), ...argv], { env: environment })).stdout;
}

async function cached(): Promise<string> {
  const [name = ''] = await readdir(cache);
  return join(cache, name);
}

/** A cache of the program, as the starter stores it. */
async function withDigest(code: Buffer): Promise<Buffer> {
  const digest = createHash('sha256').update(await readFile(program));
  return Buffer.concat([digest.update(code).digest(), code]);
}

/** Puts the code of another program into the cache of this one. @returns the file. */
async function forge(): Promise<string> {
  await writeProgram('evil');
  await start('get');
  const file = await cached();
  await writeProgram('mine');
  await writeFile(file, await withDigest((await readFile(file)).subarray(DIGEST_BYTES)));
  return file;
}

test('only the owner can read or write the cache, and each command has its own', async () => {
  expect([await start('get'), await start('plan')]).toEqual(['mine', 'mine']);
  const names = await readdir(cache);
  expect(names.map((name) => name.split('-')[0]).toSorted()).toEqual(['get', 'plan']);
  const modes = await Promise.all([cache, await cached()].map(async (path) => (await stat(path)).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600]);
});

test('the cached code is what runs', async () => {
  await forge();
  expect(await start('get')).toBe('evil');
});

test.each([
  ['a file that others can write', (file: string) => chmod(file, 0o620)],
  ['a folder that others can write', (file: string) => chmod(dirname(file), 0o770)],
  [
    'a link to a file',
    async (file: string) => {
      await rename(file, join(home, 'moved'));
      await symlink(join(home, 'moved'), file);
    },
  ],
  [
    'a link to a folder',
    async (file: string) => {
      await rename(dirname(file), join(home, 'moved'));
      await symlink(join(home, 'moved'), dirname(file));
    },
  ],
])('%s is not trusted', async (_, change) => {
  await change(await forge());
  expect(await start('get')).toBe('mine');
});

test('the cache of another program of the same length, and one that is damaged or cut, are replaced', async () => {
  await start('get');
  const file = await cached();
  const good = await readFile(file);
  await writeProgram('next');
  expect(await start('get')).toBe('next');
  await writeProgram('mine');
  for (const bad of [
    Buffer.from(good).fill(0, good.length - 200),
    good.subarray(0, good.length - 8),
    Buffer.alloc(0),
  ]) {
    await writeFile(file, bad);
    expect(await start('get')).toBe('mine');
    const stored = await readFile(file);
    expect(stored).toEqual(await withDigest(stored.subarray(DIGEST_BYTES)));
  }
});

test('a wrong command and a folder that cannot be written leave no cache', async () => {
  await expect(start('get', 'wrong')).rejects.toMatchObject({ code: 64 });
  for (const word of ['../get', '--url', 'Get']) expect(await start(word)).toBe('mine');
  await expect(readdir(cache)).rejects.toThrow('ENOENT');
  await mkdir(dirname(cache));
  await writeFile(cache, 'a file');
  expect(await start('get')).toBe('mine');
});
