import { dirname } from 'node:path';
import type { TestSource } from '../../tests/support/test-sources.ts';

type Sources = ReadonlyMap<string, Pick<TestSource, 'imports'>>;

/** Of many tests that import a module, most are not about it. */
const MAX_TESTS = 8;

/** Suites outside of `npm test`. */
const OTHER_SUITES =
  /^tests\/(ansible|browser|deploy|discovery|opamp-programs|python-client|terraform)\/|\.long\.test\.ts/;

const TEST = /\.test\.tsx?$/;

const isTest = (path: string) => TEST.test(path) && !OTHER_SUITES.test(path);

/** How many folders two paths have in common at their start. */
function closeness(left: string, right: string): number {
  const [folders, others] = [dirname(left).split('/'), dirname(right).split('/')];
  const differs = folders.findIndex((folder, index) => folder !== others[index]);
  return differs < 0 ? folders.length : differs;
}

/** The tests about a module itself: beside it, or in its folder. */
function testsOf(path: string, sources: Sources): string[] {
  const inFolder = [...sources.keys()].filter((name) => isTest(name) && dirname(name) === dirname(path));
  const beside = inFolder.filter((name) => name.replace(TEST, '') === path.replace(/\.tsx?$/, ''));
  if (beside.length > 0) return beside;
  // The tests of an endpoint send requests, and need not import it.
  return path.startsWith('functions/api/')
    ? inFolder
    : inFolder.filter((name) => sources.get(name)?.imports.includes(path));
}

/**
 * The tests that should notice a defect in a file: those about it; otherwise those that import it; otherwise those about the
 * files that import it, or that import these, and so on.
 *
 * @param sources of all folders with tests, by their paths.
 */
export function nearestTests(path: string, sources: Sources): string[] {
  const seen = new Set([path]);
  for (let level = [path]; level.length > 0;) {
    const own = level.flatMap((one) => testsOf(one, sources));
    const importers = [...sources].flatMap(([name, { imports }]) =>
      level.some((one) => imports.includes(one)) ? [name] : [],
    );
    const found = own.length > 0 ? own : importers.filter(isTest);
    if (found.length > 0)
      return [...new Set(found)]
        .sort((left, right) => closeness(path, right) - closeness(path, left) || (left < right ? -1 : 1))
        .slice(0, MAX_TESTS);
    level = importers.filter((name) => !TEST.test(name) && !seen.has(name));
    for (const name of level) seen.add(name);
  }
  return [];
}
