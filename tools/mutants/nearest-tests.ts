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

/** The tests about a module itself: beside it, or in its folder. */
function testsOf(path: string, sources: Sources): string[] {
  const inFolder = testsInFolder(path, sources);
  const beside = inFolder.filter((name) => name.replace(TEST, '') === path.replace(/\.tsx?$/, ''));
  if (beside.length > 0) return beside;
  // The tests of an endpoint send requests, and need not import it. Its contract is also in the generated document.
  if (path.endsWith('/handler.ts')) return inFolder;
  if (path.endsWith('/endpoint.ts')) return [...inFolder, CONTRACTS];
  return inFolder.filter((name) => sources.get(name)?.imports.includes(path));
}

/** One list without repetitions: the nearest first. */
const ordered = (path: string, tests: readonly string[]) =>
  [...new Set(tests)]
    .sort((left, right) => closeness(path, right) - closeness(path, left) || (left < right ? -1 : 1))
    .slice(0, MAX_TESTS);

/**
 * The tests that should notice a defect in a file: those about it; otherwise those that import it, and those about the files
 * that import it; otherwise the same of these files, and so on.
 *
 * @param sources of all folders with tests, by their paths.
 */
export function nearestTests(path: string, sources: Sources): string[] {
  const own = testsOf(path, sources);
  // The tests in a folder of endpoints send requests to what they do not import.
  const around = path.startsWith('functions/api/') ? testsInFolder(path, sources) : [];
  const seen = new Set([path]);
  for (let level = [path], found = own; ;) {
    if (found.length > 0) return ordered(path, found);
    const importers = [...sources].flatMap(([name, { imports }]) =>
      !seen.has(name) && level.some((one) => imports.includes(one)) ? [name] : [],
    );
    if (importers.length === 0) return around;
    for (const name of importers) seen.add(name);
    level = importers.filter((name) => !TEST.test(name));
    found = [...around, ...importers.filter(isTest), ...level.flatMap((one) => testsOf(one, sources))];
  }
}
