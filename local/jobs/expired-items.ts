import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { runEvery, type Schedule } from '../process/schedule.ts';

/** An item is deleted within the hour after its time to live has ended. DynamoDB takes up to some days. */
const MINUTES = 10;

/** Of each table at a time, so that requests come in between. */
const ITEMS_AT_ONCE = 200;

/** Replaces the deletions by time to live that DynamoDB makes: changes, audit, removals, sessions and the like. */
export function startExpiry(
  engine: { deleteExpired: (now: Date, most: number) => Promise<boolean> },
  { clock, log }: Pick<Dependencies, 'clock' | 'log'>,
  minutes = MINUTES,
): Schedule {
  let isStopping = false;
  const deleteAll = async () => {
    // After a long stop of the server, there are many.
    while (!isStopping && (await engine.deleteExpired(clock(), ITEMS_AT_ONCE)));
  };
  const schedule = runEvery(minutes, deleteAll, {
    log,
    message: 'items whose time to live has ended were not deleted',
  });
  return {
    stop: () => {
      isStopping = true;
      return schedule.stop();
    },
  };
}
