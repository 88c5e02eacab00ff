/*
 * Prints the files of the long suites: those named `*.long.test.ts`, and those whose extent depends on TEST_EXTENT, which `npm test`
 * runs in a short form.
 */
import { testSources } from './support/test-sources.ts';

/** Suites with a script of their own. */
const OTHER_SUITES = /^tests\/(ansible|browser|deploy|discovery|generated-clients|opamp-programs|terraform)\//;

const EXTENTS = /\b(inFull|describeInFull|testInFull)\b.* from '.*extent\.ts'/;

/** The paths of the tests of the long suites, from the root, in order. */
export async function longSuites(): Promise<string[]> {
  const sources = [...(await testSources())];
  const withExtents = new Set(sources.filter(([, { text }]) => EXTENTS.test(text)).map(([path]) => path));
  const isLong = ([path, { imports }]: (typeof sources)[number]) =>
    path.endsWith('.long.test.ts') ||
    withExtents.has(path) ||
    // Helpers pass their extent to the tests that import them.
    imports.some((name) => withExtents.has(name));
  const tests = sources.filter(([path]) => path.endsWith('.test.ts') && !OTHER_SUITES.test(path));
  return tests
    .filter(isLong)
    .map(([path]) => path)
    .sort();
}

if (import.meta.main) process.stdout.write(`${(await longSuites()).join(' ')}\n`);
