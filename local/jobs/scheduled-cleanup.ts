import { cleanUpOnSchedule } from '../../functions/triggers/scheduled-cleanup/handler.ts';
import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { runEvery, type Schedule } from '../process/schedule.ts';

/** One call of the cleanup for a run: the server waits for a run in progress when it stops. */
const ONE_CALL = 0;

/** @param minutes between two runs; 0: none. */
export function startCleanup(dependencies: Dependencies, minutes: number): Schedule {
  const { log, table } = dependencies;
  return runEvery(minutes, cleanUpOnSchedule(dependencies, ONE_CALL), {
    log,
    monotonic: table.monotonic,
    message: 'cleanup failed',
  });
}
