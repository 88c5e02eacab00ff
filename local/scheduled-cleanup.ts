import { cleanUpOnSchedule } from '../functions/triggers/scheduled-cleanup/handler.ts';
import type { Dependencies } from '../functions/runtime/dependencies.ts';
import { describeError } from '../shared/http/log.ts';

/**
 * What the clock of a deployment does. Not right away: while the server was down nobody could report, and whoever is there has
 * until the first run to do so.
 *
 * @param minutes between two runs; 0 for none at all.
 */
export function startCleanup(dependencies: Dependencies, minutes: number): { stop: () => Promise<void> } {
  const cleanUp = cleanUpOnSchedule(dependencies);
  let running = Promise.resolve();
  const run = () => {
    running = cleanUp().catch((error: unknown) => {
      dependencies.log({ level: 'error', message: 'cleanup failed', error: describeError(error) });
    });
  };
  const timer = minutes === 0 ? undefined : setInterval(run, minutes * 60_000);
  return {
    /** Resolves once a run that has begun is over. */
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
