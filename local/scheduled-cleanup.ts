import { cleanUpOnSchedule } from '../functions/triggers/scheduled-cleanup/handler.ts';
import type { Dependencies } from '../functions/runtime/dependencies.ts';
import { describeError } from '../shared/http/log.ts';

/** One call of the cleanup for a run: the server waits for a run in progress when it stops. */
const ONE_CALL = 0;

/**
 * Replaces the schedule of a deployment. Does not run at the start: while the server was down, no process could report,
 * so all have time until the first run.
 *
 * @param minutes between two runs; 0: none.
 */
export function startCleanup(dependencies: Dependencies, minutes: number): { stop: () => Promise<void> } {
  const cleanUp = cleanUpOnSchedule(dependencies, ONE_CALL);
  let running = Promise.resolve();
  const run = () => {
    running = cleanUp().catch((error: unknown) => {
      dependencies.log({ level: 'error', message: 'cleanup failed', error: describeError(error) });
    });
  };
  const timer = minutes === 0 ? undefined : setInterval(run, minutes * 60_000);
  return {
    /** Resolves when a run in progress has ended. */
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
