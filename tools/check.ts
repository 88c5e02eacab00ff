/*
 * Checks what has changed since the last commit, in under a minute for a change in one file: types, lint, format, the parts of
 * endpoints, and the tests nearest to the changed files. `npm test` runs everything.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);

/** More test files than these take longer than a minute. */
const MAX_TEST_FILES = 8;

/** The tests of all endpoints that report what a new or changed contract lacks. */
const CONTRACT_TESTS = [
  'infra/permissions/permission-list.test.ts',
  'infra/synthesis/route-sheet.test.ts',
  'infra/data/table-access.test.ts',
  'tests/costs/costs.test.ts',
  'tests/last-page.test.ts',
  'tests/openapi.test.ts',
];

const isContract = (file: string) => /^functions\/api\/(.+\/endpoint|endpoint-table)\.ts$/.test(file);

/** Suites that take minutes, or need programs that only CI installs. */
const SLOW =
  /^tests\/(browser|deploy|ansible|discovery|keycloak|opamp-programs|python-client|smoke|terraform|consistency|faults|end-to-end)\/|\.long\.test\.ts$/;

async function linesOf(command: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await run(command, [...args], { cwd: root });
  return stdout.split('\n').filter((line) => line !== '');
}

async function changedFiles(): Promise<string[]> {
  const [changed, added] = await Promise.all([
    linesOf('git', ['diff', '--name-only', 'HEAD']),
    linesOf('git', ['ls-files', '--others', '--exclude-standard']),
  ]);
  return [...changed, ...added].filter((file) => existsSync(join(root, file)));
}

/** How many folders two paths have in common at their start. */
function closeness(left: string, right: string): number {
  const folders = dirname(right).split('/');
  const parts = dirname(left).split('/');
  const differs = parts.findIndex((part, index) => part !== folders[index]);
  return differs === -1 ? parts.length : differs;
}

/** The tests that import one of the files, directly or not, and those in the same folders: the nearest first. */
async function relatedTests(files: readonly string[]): Promise<string[]> {
  const sources = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
  if (sources.length === 0) return [];
  const jest = ['node_modules/jest/bin/jest.js', '--listTests', '--findRelatedTests'];
  const importing = await linesOf(process.execPath, [...jest, ...sources]);
  const beside = await Promise.all(
    [...new Set(sources.map((file) => dirname(file)))].map(async (folder) => {
      const names = await readdir(join(root, folder));
      return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name));
    }),
  );
  const distance = (test: string) => -Math.max(...sources.map((source) => closeness(source, test)));
  const ownFirst = (test: string) =>
    sources.some((source) => basename(test).startsWith(basename(source, '.ts'))) ? 0 : 1;
  return [...new Set([...importing.map((path) => relative(root, path)), ...beside.flat()])]
    .filter((test) => !SLOW.test(test) || files.includes(test))
    .sort((left, right) => distance(left) - distance(right) || ownFirst(left) - ownFirst(right));
}

/** Runs a program with its output as it is. */
async function succeeds(name: string, args: readonly string[]): Promise<boolean> {
  const start = performance.now();
  const child = spawn(process.execPath, [...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = z.parse(z.tuple([z.nullable(z.number()), z.unknown()]), await once(child, 'exit'));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'FAILED'}, ${seconds} s\n`);
  return code === 0;
}

const files = await changedFiles();
const lintable = files.filter((file) => /\.(ts|tsx|js|mjs)$/.test(file));
const tests = await relatedTests(files);
const ofContracts = files.some(isContract) ? CONTRACT_TESTS : [];
const nearest = tests.filter((test) => !ofContracts.includes(test)).slice(0, MAX_TEST_FILES - ofContracts.length);
const chosen = [...nearest, ...ofContracts];
process.stdout.write(`${files.length} changed files, ${chosen.length} of ${tests.length} related test files\n`);

const program = (name: string) => `node_modules/${name}`;
const results = await Promise.all([
  succeeds('parts of endpoints', ['tools/endpoint-parts.ts']),
  succeeds('types', [program('@typescript/native/bin/tsc'), '-p', '.']),
  files.some((file) => !file.endsWith('.md'))
    ? succeeds('types of the console', [program('@typescript/native/bin/tsc'), '-p', 'console'])
    : true,
  lintable.length === 0 || succeeds('lint', [program('oxlint/bin/oxlint'), ...lintable]),
  files.length === 0 ||
    succeeds('format', [program('oxfmt/bin/oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...files]),
]);
if (chosen.length > 0) results.push(await succeeds('tests', [program('jest/bin/jest.js'), ...chosen]));
if (tests.length > chosen.length)
  process.stdout.write(
    `Not run: ${tests.length - chosen.length} test files that are further away. \`npm test\` runs them.\n`,
  );
process.exitCode = results.every(Boolean) ? 0 : 1;
