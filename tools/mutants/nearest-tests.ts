import { dirname } from 'node:path';
import type { TestSource } from '../../tests/support/test-sources.ts';

type Sources = ReadonlyMap<string, Pick<TestSource, 'imports'>>;

/** Of many tests that import a module, most are not about it. */
const MAX_TESTS = 8;

/** A test of the console opens pages, which takes as long as several others. */
const MAX_PAGE_TESTS = 4;

const isOfConsole = (path: string) => path.startsWith('console/');

const maxTests = (path: string) => (isOfConsole(path) ? MAX_PAGE_TESTS : MAX_TESTS);

/** Suites outside of `npm test`. */
const OTHER_SUITES =
  /^tests\/(ansible|browser|deploy|discovery|opamp-programs|python-client|terraform)\/|\.long\.test\.ts/;

const CONTRACTS = 'tests/openapi.test.ts';

const TEST = /\.test\.tsx?$/;

const isTest = (path: string) => TEST.test(path) && !OTHER_SUITES.test(path);

/** How many folders two paths have in common at their start. */
function closeness(left: string, right: string): number {
  const [folders, others] = [dirname(left).split('/'), dirname(right).split('/')];
  const differs = folders.findIndex((folder, index) => folder !== others[index]);
  return differs < 0 ? folders.length : differs;
}

const testsInFolder = (path: string, sources: Sources) =>
  [...sources.keys()].filter((name) => isTest(name) && dirname(name) === dirname(path));

const isBeside = (path: string, test: string) => test.replace(TEST, '') === path.replace(/\.tsx?$/, '');

/** The tests in the folder of a module that send requests to endpoints, or open pages: they need not import it. */
function testsAround(path: string, sources: Sources): string[] {
  if (path.startsWith('functions/api/')) return testsInFolder(path, sources);
  return isOfConsole(path) ? testsInFolder(path, sources).filter((name) => name.endsWith('.tsx')) : [];
}

/** The tests about a module itself: beside it, or in its folder. */
function testsOf(path: string, sources: Sources): string[] {
  const inFolder = testsInFolder(path, sources);
  // An endpoint is proven by requests. Its contract is also in the generated document.
  if (path.endsWith('/handler.ts')) return inFolder;
  if (path.endsWith('/endpoint.ts')) return [...inFolder, CONTRACTS];
  return inFolder.filter((name) => isBeside(path, name) || sources.get(name)?.imports.includes(path));
}

/** One list without repetitions: the nearest first. */
const ordered = (path: string, tests: readonly string[]) =>
  [...new Set(tests)]
    .sort(
      (left, right) =>
        Number(isBeside(path, right)) - Number(isBeside(path, left)) ||
        closeness(path, right) - closeness(path, left) ||
        (left < right ? -1 : 1),
    )
    .slice(0, maxTests(path));

/** Whether the search ends at a module: a test beside it, or requests to it, are about its rules. */
const hasTestOfItsOwn = (path: string, tests: readonly string[]) =>
  tests.some((test) => isBeside(path, test) || /\/(handler|endpoint)\.ts$/.test(path));

/**
 * The tests that should notice a defect in a file: those about it, beside it or in its folder, and those around it, in a
 * folder of endpoints or pages. A file without a test beside it is proven by those that import it: their tests follow,
 * and so on along each importing file that has no test beside it either; in the console up to the first one with tests.
 *
 * @param sources of all folders with tests, by their paths.
 */
export function nearestTests(path: string, sources: Sources): string[] {
  const ownTests = testsOf(path, sources);
  const tests = ordered(path, [...ownTests, ...testsAround(path, sources)]);
  if (hasTestOfItsOwn(path, ownTests)) return tests;
  const seen = new Set([path]);
  for (let level = [path]; level.length > 0;) {
    const importers = [...sources].flatMap(([name, { imports }]) =>
      !seen.has(name) && level.some((imported) => imports.includes(imported)) ? [name] : [],
    );
    for (const name of importers) seen.add(name);
    const modules = importers.filter((name) => !TEST.test(name)).map((name) => [name, testsOf(name, sources)] as const);
    tests.push(...ordered(path, [...importers.filter(isTest), ...modules.flatMap(([, about]) => about)]));
    if (isOfConsole(path) && tests.length > 0) break;
    level = modules.filter(([name, about]) => !hasTestOfItsOwn(name, about)).map(([name]) => name);
  }
  return [...new Set(tests)].slice(0, maxTests(path));
}
