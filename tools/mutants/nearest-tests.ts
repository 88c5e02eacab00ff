import { dirname } from 'node:path';
import type { TestSource } from '../../tests/support/test-sources.ts';

type Sources = ReadonlyMap<string, Pick<TestSource, 'imports'>>;

/** Of many tests that import a module, most are not about it. */
const MAX_TESTS = 8;

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
  return path.startsWith('console/') ? testsInFolder(path, sources).filter((name) => name.endsWith('.tsx')) : [];
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
    .slice(0, MAX_TESTS);

/**
 * The tests that should notice a defect in a file: those about it, beside it or in its folder, and those around it, in a
 * folder of endpoints or pages; without one about it, those that import it, and those about the files that import it;
 * otherwise the same of these files, and so on.
 *
 * @param sources of all folders with tests, by their paths.
 */
export function nearestTests(path: string, sources: Sources): string[] {
  const around = testsAround(path, sources);
  const own = testsOf(path, sources);
  if (own.length > 0) return ordered(path, [...own, ...around]);
  const seen = new Set([path]);
  for (let level = [path]; ;) {
    const importers = [...sources].flatMap(([name, { imports }]) =>
      !seen.has(name) && level.some((one) => imports.includes(one)) ? [name] : [],
    );
    for (const name of importers) seen.add(name);
    level = importers.filter((name) => !TEST.test(name));
    const found = [...around, ...importers.filter(isTest), ...level.flatMap((one) => testsOf(one, sources))];
    if (found.length > 0 || level.length === 0) return ordered(path, found);
  }
}
