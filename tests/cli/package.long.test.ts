/** The package of the command line as users install it, with the Node of the system, which may be the oldest that it takes. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { commands } from '../../clients/cli/src/table.ts';
import { buildCommandLine, buildCommandLinePackage } from '../../tools/package-cli.ts';
import { systemNode } from './system-node.ts';

const run = promisify(execFile);

/** Published by npm in any case. */
const npmFiles = ['LICENSE', 'README.md', 'package.json'];

let folder: string;
let program: string;
/** The names in the folder of the package. */
let built: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-cli-'));
  program = join(folder, 'start.cjs');
  process.env['SOURCE_DATE_EPOCH'] = String(Date.parse('2026-02-03') / 1000);
  try {
    await buildCommandLinePackage(folder);
  } finally {
    delete process.env['SOURCE_DATE_EPOCH'];
  }
  built = await readdir(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const env = () => ({ PATH: process.env['PATH'], HOME: folder });

test('the package runs without other packages', async () => {
  const { version, dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { stdout, stderr } = await run(systemNode(), [program, 'version', '-o', 'json'], { env: env(), cwd: folder });
  expect([dependencies, JSON.parse(stdout), stderr]).toEqual([undefined, { inventory: version }, '']);
});

test('the starter is executable, pages have the build date, and licences of bundled packages are included', async () => {
  expect((await stat(program)).mode & 0o111).toBe(0o111);
  expect(await readFile(join(folder, 'man/inventory.1'), 'utf8')).toContain('1 2026-02-03 "inventory ');
  const licences = (await readFile(join(folder, 'LICENCES'), 'utf8')).match(/(?<=^|\n-{80}\n\n)\S+(?=\n)/g);
  expect(licences).toEqual(['commander', 'papaparse', 'yaml', 'zod']);
});

test('the whole package is published', async () => {
  const { files } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(files.toSorted()).toEqual(built.filter((name) => !npmFiles.includes(name)).toSorted());
});

test("the program's file also runs alone", async () => {
  const alone = join(folder, 'alone.cjs');
  await copyFile(join(folder, 'inventory.cjs'), alone);
  expect((await run(systemNode(), [alone, '--help'], { env: env() })).stdout).toContain('Usage: inventory');
});

describe('help', () => {
  const prepared = async () =>
    JSON.parse(await readFile(join(folder, 'help.json'), 'utf8')) as Partial<Record<string, string>>;

  test('the package contains the help of each command, with its options and examples', async () => {
    const texts = await prepared();
    for (const { name, load, examples = [] } of commands) {
      const { options = [] } = await load();
      const shown = options.filter(({ isHidden }) => isHidden !== true);
      const parts = [`Usage: inventory ${name} `, ...shown.map(({ flags }) => flags), ...examples];
      expect([name, parts.filter((part) => texts[name]?.includes(part) !== true)]).toEqual([name, []]);
    }
  });

  test.each(['', 'key', 'key add', 'get'])('"%s --help" is printed as the program prints it', async (name) => {
    const words = name.split(' ').filter(Boolean);
    const program = await run(systemNode(), [join(folder, 'inventory.cjs'), ...words, '--help'], { env: env() });
    const starter = await run(systemNode(), [join(folder, 'start.cjs'), ...words, '-h'], { env: env() });
    expect([starter.stdout, starter.stderr]).toEqual([program.stdout, '']);
  });

  test('is printed without loading the program, and other arguments load it', async () => {
    const apart = join(folder, 'apart');
    await mkdir(apart);
    for (const name of ['start.cjs', 'help.json']) await copyFile(join(folder, name), join(apart, name));
    const start = (...argv: string[]) => run(systemNode(), [join(apart, 'start.cjs'), ...argv], { env: env() });
    expect((await start('--help')).stdout).toContain('Usage: inventory [options] [command]');
    for (const argv of [[], ['unknown', '--help'], ['get', 'nodes', '-h'], ['toString', '-h'], ['help', 'get']])
      await expect(start(...argv)).rejects.toThrow('inventory.cjs');
  });
});

/** The modules of the program that run before the command does: those that the given ones import at the start. */
function evaluatedWith(modules: readonly string[], { inputs }: Metafile): Set<string> {
  const evaluated = new Set<string>();
  const add = (path: string) => {
    if (evaluated.has(path)) return;
    evaluated.add(path);
    for (const { path: imported, kind } of inputs[path]?.imports ?? [])
      if (kind !== 'dynamic-import' && imported in inputs) add(imported);
  };
  for (const name of modules) add(`clients/cli/src/${name}.ts`);
  return evaluated;
}

test('a list evaluates at most 100 kB of the program, without YAML and the schemas', async () => {
  const metafile = await buildCommandLine(join(folder, 'measured.cjs'));
  const evaluated = evaluatedWith(['main', 'settings', 'commands/get'], metafile);
  expect([...evaluated].filter((path) => /yaml|zod|papaparse|functions|node-fetch/.test(path))).toEqual([]);
  const sizes = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).map(([path, { bytesInOutput }]) => (evaluated.has(path) ? bytesInOutput : 0)),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(100_000);
});

test('the second run of a command starts from the code cache of the first', async () => {
  const home = await mkdtemp(join(folder, 'home-'));
  const version = () => run(systemNode(), [program, 'version', '-o', 'json'], { env: { ...env(), HOME: home } });
  const { stdout } = await version();
  const cache = join(home, '.cache/monitoring-inventory');
  const [name = ''] = await readdir(cache);
  const { ino } = await stat(join(cache, name));
  expect([(await version()).stdout, await readdir(cache)]).toEqual([stdout, [name]]);
  // A cache that V8 refuses is replaced.
  expect((await stat(join(cache, name))).ino).toBe(ino);
});

test('a usage error sets the exit code, and a closed pipe is no error', async () => {
  const wrong = await run(systemNode(), [program, 'get', 'things'], { env: env() }).catch((error: unknown) => error);
  expect(wrong).toMatchObject({ code: 64, stdout: '' });
  const piped = `'${systemNode()}' '${program}' --help | true; exit \${PIPESTATUS[0]}`;
  expect((await run('bash', ['-c', piped], { env: env() })).stderr).toBe('');
});

test('every command has a manual page without empty lines and unknown requests', async () => {
  const { man } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(man).toHaveLength(commands.filter(({ isHidden }) => isHidden !== true).length + 1);
  for (const path of man) {
    const lines = (await readFile(join(folder, path), 'utf8')).trimEnd().split('\n');
    expect([path, lines.filter((line) => !/^(?:[^.']|\.(?:TH|SH|TP|B|BR|nf|fi)\b)/.test(line))]).toEqual([path, []]);
  }
});

describe('a signal', () => {
  let server: Server;
  let address: string;
  /** Resolves when the next request has arrived. It gets no reply. */
  let arrived: () => void;
  beforeAll(async () => {
    server = createServer(() => arrived()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each([
    ['SIGINT', 130, ['get', 'nodes']],
    ['SIGTERM', 143, ['watch']],
    ['SIGINT', 130, ['login', '--key-stdin']],
  ] as const)('%s ends with %i and one line: %j', async (signal, code, argv) => {
    const request = new Promise<void>((resolve) => (arrived = resolve));
    const more = argv[0] === 'login' ? [address] : [];
    const child = spawn(systemNode(), [program, ...argv, ...more], {
      env: { ...env(), INVENTORY_URL: address, INVENTORY_KEY: 'minv_x' },
    });
    child.stdin.end('minv_x');
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const ended = once(child, 'close');
    await request;
    child.kill(signal);
    expect([await ended, err.trimEnd().split('\n')]).toEqual([
      [code, null],
      [expect.stringMatching(/^Error: (Interrupted|Terminated)\.$/)],
    ]);
    expect(await readdir(folder)).not.toContain('.config');
  });
});
