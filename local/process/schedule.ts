import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { describeError } from '../../shared/core/log.ts';
import { type ClockSource, clockOf, every } from '../../shared/core/monotonic-clock.ts';

/** Runs that repeat until they are stopped. */
export interface Schedule {
  /** Resolves when a run in progress has ended. */
  stop: () => Promise<void>;
}

/**
 * Replaces a schedule of a deployment. Does not run at the start: while the server was down, no process could report, so
 * all have time until the first run. A run that fails is logged, and the next one takes place.
 *
 * @param minutes between two runs; 0: none.
 */
export function runEvery(
  minutes: number,
  work: () => Promise<void>,
  { log, message, ...timed }: ClockSource & { log: Dependencies['log']; message: string },
): Schedule {
  let running: Promise<void> | undefined;
  const run = () => {
    // One that takes longer than the interval: the next run is skipped.
    running ??= work()
      .catch((error: unknown) => log({ level: 'error', message, error: describeError(error) }))
      .finally(() => (running = undefined));
  };
  const end = minutes === 0 ? undefined : every(clockOf(timed), minutes * 60_000, run);
  return {
    stop: async () => {
      end?.();
      await running;
    },
  };
}
