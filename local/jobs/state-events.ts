import { publishStatesOnSchedule } from '../../functions/triggers/state-events/handler.ts';
import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { runEvery, type Schedule } from '../process/schedule.ts';

/** The server waits for a run in progress when it stops. */
const WORK_SECONDS = 10;

/** @param minutes between two passes; 0: none. */
export function startStateEvents(dependencies: Dependencies, minutes: number): Schedule {
  const { log, table } = dependencies;
  return runEvery(minutes, publishStatesOnSchedule(dependencies, WORK_SECONDS), {
    log,
    monotonic: table.monotonic,
    message: 'state events failed',
  });
}
