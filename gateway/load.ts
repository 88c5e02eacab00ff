/**
 * The command of the container: reads the program, checks it, and runs it. From memory, because the file system is
 * read-only.
 */
import { processClock } from '../shared/core/monotonic-clock.ts';
import { timeOfDay } from '../shared/core/time-of-day.ts';
import { readBundle } from './container/bundle-loader.ts';

try {
  const bundle = await readBundle(process.env, { clock: timeOfDay, monotonic: processClock });
  await import(`data:text/javascript;base64,${bundle.toString('base64')}`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
