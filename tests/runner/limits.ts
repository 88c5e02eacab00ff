import { relative } from 'node:path';
import type { Test } from '@jest/test-result';
import type { Limits } from './watch.ts';
import recorded from './usual-seconds.json' with { type: 'json' };

/** Most files that stand beside their modules take less. */
const DEFAULT_SECONDS = 10;

/** Most files of tests/, with processes of their own, or in the full extent take less. */
const DEFAULT_LONG_SECONDS = 60;

const isLong = (path: string) =>
  path.startsWith('tests/') || path.endsWith('.long.test.ts') || process.env['TEST_EXTENT'] === 'full';

const secondsByFile: Readonly<Record<string, number>> = recorded;

/** Files that take longer than most, from the root: wall time on two processors without other work, in the full extent. */
export const slowFiles = Object.keys(secondsByFile);

/** The path of a file from the root. */
export const pathOf = ({ path, context }: Test): string => relative(context.config.rootDir, path).replaceAll('\\', '/');

const DEFAULT_IDLE_SECONDS = 60;

/** The limits of a file. TEST_HANG_SECONDS replaces them, in the test of the limits themselves. */
export function limitsOf(test: Test): Limits {
  const hang = process.env['TEST_HANG_SECONDS'];
  if (hang !== undefined) return { usualSeconds: Number(hang), idleSeconds: Number(hang) };
  const path = pathOf(test);
  return {
    usualSeconds: secondsByFile[path] ?? (isLong(path) ? DEFAULT_LONG_SECONDS : DEFAULT_SECONDS),
    idleSeconds: DEFAULT_IDLE_SECONDS,
  };
}
