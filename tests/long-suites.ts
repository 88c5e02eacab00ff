/*
 * Prints the files of the long suites: those named `*.long.test.ts`, and those whose extent depends on TEST_EXTENT, which `npm test`
 * runs in a short form.
 */
import { testSources } from './support/test-sources.ts';

/** Suites with a script of their own. */
const OTHER_SUITES =
  /^tests\/(ansible|browser|deploy|discovery|keycloak|opamp-programs|python-client|release|smoke|terraform|ways)\//;

const EXTENTS = /\b(inFull|describeInFull|testInFull)\b.* from '.*extent\.ts'/;

/** The paths of the tests of the long suites, from the root, in order. */
export async function longSuites(): Promise<string[]> {
  const tests = [...(await testSources())].filter(([path]) => path.endsWith('.test.ts') && !OTHER_SUITES.test(path));
  return tests
    .filter(([path, { text }]) => path.endsWith('.long.test.ts') || EXTENTS.test(text))
    .map(([path]) => path)
    .sort();
}

if (import.meta.main) process.stdout.write(`${(await longSuites()).join(' ')}\n`);
