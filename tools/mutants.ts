/*
 * Draws small defects in production code, and runs the tests nearest to each: a defect that neither a test nor the type check
 * notices is a rule without a proof. Works in a copy of the sources: the files of this folder never change.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import * as z from 'zod/mini';
import { Random } from '../tests/consistency/random.ts';
import { testSources } from '../tests/support/test-sources.ts';
import { allAreas, filesOfAreas } from './mutants/areas.ts';
import { drawMutants, type DrawnMutant } from './mutants/draw-mutants.ts';
import { equivalentMutants } from './mutants/equivalent-mutants.ts';
import { withMutant } from './mutants/mutants-in.ts';
import { nearestTests } from './mutants/nearest-tests.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Processor time of the tests of a mutant. */
const MAX_SECONDS = 120;

/** Tests without an end: their time without the mutant by this factor, and the time of a start on a busy machine. */
const HANG_FACTOR = 10;
const START_MS = 30_000;

const resultSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** @returns the first test that fails, or what ended the tests; undefined if all pass. */
async function failureOf(folder: string, tests: readonly string[], maxMs?: number): Promise<string | undefined> {
  const report = join(folder, 'mutants.json');
  await rm(report, { force: true });
  const jest = [process.execPath, 'node_modules/jest/bin/jest.js', '-w', '1', '--json', '--outputFile', report];
  const command = ['-c', `ulimit -t ${MAX_SECONDS}; exec "$@"`, 'sh', ...jest, '--runTestsByPath', ...tests];
  const child = spawn('/bin/sh', command, { cwd: folder, stdio: 'ignore', detached: true });
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = maxMs === undefined ? undefined : setTimeout(stop, maxMs);
  ends.add(stop);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  ends.delete(stop);
  clearTimeout(timer);
  if (code === 0) return undefined;
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return 'no end within the limits';
  const { testResults } = z.parse(resultSchema, JSON.parse(text));
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map((assertion) => `${name}: ${assertion.fullName}`),
  );
  return (failed[0] ?? 'a test file that does not load').replace(folder, '').replace(/^\//, '');
}

/** Whether the type check accepts the sources of the project with this file. A name that is no longer used is no wrong type. */
async function hasTypes(folder: string, path: string): Promise<boolean> {
  const project = path.startsWith('console/') ? 'console' : '.';
  const options = ['-p', project, '--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
  const check = spawn(join(folder, 'node_modules/.bin/tsc'), options, { cwd: folder, stdio: 'ignore' });
  const stop = () => check.kill('SIGKILL');
  ends.add(stop);
  const code = await new Promise<number | null>((resolve) => check.once('exit', resolve));
  ends.delete(stop);
  return code === 0;
}

/** End the programs that run at this moment. */
const ends = new Set<() => void>();

/** Copies all files that are not ignored. @returns the folder of the copy, and the paths in it. */
async function copySources(): Promise<{ folder: string; paths: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 1e8 });
  // A file that was removed can still be in the index.
  const paths = stdout.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
  for (const path of paths) await cp(join(root, path), join(folder, path));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, paths };
}

const verdicts = ['noticed', 'no type', 'SURVIVED', 'RED BEFORE'] as const;

type Verdict = (typeof verdicts)[number];

/** The failure of tests without a mutant, if any, and their time: each group of tests runs once. */
const unchanged = new Map<string, { failure: string | undefined; milliseconds: number }>();

async function withoutMutant(folder: string, tests: readonly string[]) {
  const key = tests.join(' ');
  const start = performance.now();
  const result = unchanged.get(key) ?? {
    failure: tests.length === 0 ? undefined : await failureOf(folder, tests),
    milliseconds: performance.now() - start,
  };
  unchanged.set(key, result);
  return result;
}

/** Runs the nearest tests without the mutant and with it; and the type check, if they pass with it. */
async function verdictOf(
  mutant: DrawnMutant,
  folder: string,
  tests: readonly string[],
): Promise<[verdict: Verdict, by: string]> {
  const before = await withoutMutant(folder, tests);
  if (before.failure !== undefined) return ['RED BEFORE', before.failure];
  const maxMs = START_MS + HANG_FACTOR * before.milliseconds;
  const path = join(folder, mutant.path);
  const text = await readFile(path, 'utf8');
  await writeFile(path, withMutant(text, mutant));
  const failure = tests.length === 0 ? undefined : await failureOf(folder, tests, maxMs);
  const isTyped = failure !== undefined || (await hasTypes(folder, mutant.path));
  await writeFile(path, text);
  if (failure !== undefined) return ['noticed', failure];
  const names = tests.length === 0 ? 'no test is near' : tests.join(' ');
  if (isTyped) return ['SURVIVED', names];
  return (await hasTypes(folder, mutant.path)) ? ['no type', names] : ['RED BEFORE', 'the type check'];
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60);

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    over: { type: 'string', default: allAreas },
  },
});

const { folder, paths } = await copySources();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const end of ends) end();
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
try {
  const sources = await testSources();
  const textsOf = async (files: readonly string[]) =>
    new Map(await Promise.all(files.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)));
  const drawn = drawMutants(
    await Promise.all(filesOfAreas(values.over, paths).map(textsOf)),
    Number(values.count),
    new Random(Number(values.seed)),
    equivalentMutants,
  );
  const counts = new Map<Verdict, number>();
  for (const mutant of drawn) {
    const [verdict, by] = await verdictOf(mutant, folder, nearestTests(mutant.path, sources));
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const change = `${short(mutant.before)} -> ${short(mutant.replacement)}`;
    print(`${verdict}  ${mutant.path}:${mutant.line}  ${mutant.kind}  ${change}  (${by})`);
  }
  print(`seed ${values.seed}: ${verdicts.map((verdict) => `${counts.get(verdict) ?? 0} ${verdict}`).join(', ')}`);
  const isProven = (counts.get('noticed') ?? 0) + (counts.get('no type') ?? 0) === drawn.length;
  process.exitCode = isProven ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
