/** Whether the long suites run in full, as `.ci/full` runs them. `npm test` runs their short form. */
const isFull = process.env['TEST_EXTENT'] === 'full';

/** As `describe`, where the long suites run in full. The short form does not have these tests. */
export function describeInFull(name: string, tests: () => void): void {
  if (isFull) describe(name, tests);
}

/** As `test`, where the long suites run in full. */
export function testInFull(name: string, steps: () => Promise<void>): void {
  if (isFull) test(name, steps);
}

/** The first value where the long suites run in full, else the second. */
export const inFull = <Value>(full: Value, short: Value): Value => (isFull ? full : short);

/**
 * The seed of all random tests. It is fixed, so that `npm test` gives the same result everywhere. `.ci/full` sets a new one in
 * TEST_SEED and prints it.
 */
export const testSeed = Number(process.env['TEST_SEED'] || 1);
