/** The files of `npm test` depend on nothing that a busy machine delays: no other process, no clock, no timer. */
import { readFile } from 'node:fs/promises';
import { type ProcessUse, processUses } from './support/process-uses.ts';
import { testSources } from './support/test-sources.ts';

const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};
const [, ignored = ''] = /--testPathIgnorePatterns (.*) -w/.exec(scripts['jest:unit'] ?? '') ?? [];
const others = ignored.split(' ').map((pattern) => new RegExp(pattern.replaceAll("'", '')));

const sources = await testSources();
const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const gateFiles = [...sources.keys()].filter(
  (path) => isTest(path) && !others.some((pattern) => pattern.test(`/${path}`)),
);

/** Support of tests. Other modules are those of the product, whose timers and clocks tests replace. */
const isSupport = (path: string) => /^(tests|(shared|console)\/testing)\//.test(path);

/** Files that may use something, and why. A folder stands for its files. */
const exceptions: Readonly<Record<string, string>> = {
  // Modules of the product that can start a process; the tests do not make them do so, except for the engine.
  'clients/cli/src/core/processes.ts': 'commands of the user that run with a key',
  'clients/cli/src/connection/settings.ts': 'a command of the user that prints a key',
  'console/testing/': 'replaces the clock and the timers of the process by those of a page',
  'console/build-when-stale.ts': 'builds the console when a server begins to listen',
  'console/documents/scripts.ts': 'bundles the scripts of the documents when the console is built',
};

const exceptionOf = (path: string) => Object.keys(exceptions).find((name) => path.startsWith(name));

const usesOf = new Map<string, readonly ProcessUse[]>(
  [...sources].map(([path, { text }]) => [path, isTest(path) || isSupport(path) ? processUses(text) : []]),
);
for (const [path, { text }] of sources)
  if (!isTest(path) && !isSupport(path))
    usesOf.set(
      path,
      processUses(text).filter(({ kind }) => kind === 'starts a process'),
    );

/** The files that a test loads, directly or through others, itself included. */
function loadedBy(test: string): Set<string> {
  const loaded = new Set([test]);
  for (const path of loaded) for (const next of sources.get(path)?.imports ?? []) loaded.add(next);
  return loaded;
}

/** For each file that uses something, a test that loads it. */
const usedBy = new Map<string, string>();
for (const test of gateFiles)
  for (const path of loadedBy(test)) if ((usesOf.get(path) ?? []).length > 0) usedBy.set(path, test);

test('no file of `npm test`, with its imports, starts a process, reads the process clock or sets a timer', () => {
  expect(gateFiles.length).toBeGreaterThan(400);
  const wrong = [...usedBy]
    .filter(([path]) => exceptionOf(path) === undefined)
    .flatMap(([path, test]) =>
      (usesOf.get(path) ?? []).map(
        ({ line, kind, what }) => `${path}:${line} ${kind}: ${what}${path === test ? '' : ` (loaded by ${test})`}`,
      ),
    );
  // Such a test can use the process itself and a manual clock instead, or is named *.long.test.ts.
  expect(wrong).toEqual([]);
});

test('each exception is a file that needs it', () => {
  const needed = new Set([...usedBy.keys()].map(exceptionOf));
  expect(Object.keys(exceptions).filter((name) => !needed.has(name))).toEqual([]);
});

test.each<[ProcessUse['kind'], string]>([
  ['starts a process', "import { spawn } from 'node:child_process';"],
  ['starts a process', "const { chromium } = await import('playwright-core');"],
  ['starts a process', "export { build } from 'esbuild';"],
  ['sets a timer', "import { setTimeout as sleep } from 'node:timers/promises';"],
  ['sets a timer', 'setInterval(work, 100);'],
  ['sets a timer', 'await new Promise((resolve) => globalThis.setTimeout(resolve, 5));'],
  ['sets a timer', 'fetch(url, { signal: AbortSignal.timeout(1000) });'],
  ['sets a timer', 'Atomics.wait(cells, 0, 0, 100);'],
  ['reads the clock', 'const now = Date.now;'],
  ['reads the clock', 'const now = new Date();'],
  ['reads the clock', 'const now = new globalThis.Date;'],
  ['reads the clock', 'while (performance.now() < end) turn();'],
  ['reads the clock', 'const [seconds] = process.hrtime();'],
])('%s: %s', (kind, text) => {
  expect(processUses(`const first = 1;\n${text}\n`)).toMatchObject([{ line: 2, kind }]);
});

test.each([
  "import type { ChildProcess } from 'node:child_process';",
  "import { setImmediate as turn } from 'node:timers/promises';",
  'const later = new Date(at + 1000);',
  'clock.now();',
  'socket.setTimeout(1000);',
  "const apis = { setTimeout: 'setTimeout', text: 'Date.now() new Date()' }; // Date.now()",
])('accepts other code: %s', (text) => {
  expect(processUses(text)).toEqual([]);
});
