import { continueRemoval } from '../../functions/triggers/continue-jobs/removal.ts';
import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { upgradeOnSchedule } from '../../functions/triggers/scheduled-cleanup/upgrade-objects.ts';
import { listForcedRemovals } from '../../functions/store/jobs/forced-removals.ts';
import { faultOf } from '../../shared/core/errors.ts';
import { describeError } from '../../shared/core/log.ts';
import { clockOf, every } from '../../shared/core/monotonic-clock.ts';

/** Interval between the queries for forced removals that have begun: one small query each. */
const EVERY_MS = 30_000;

/**
 * Replaces the table's stream of the cloud: finishes forced removals that requests left unfinished, including those of
 * an earlier run.
 */
export function startForcedRemovals(dependencies: Dependencies): { stop: () => void } {
  let isStopped = false;
  let isRunning = false;
  // The engine stops after `stop`. A removal that this interrupts is resumed at the next start.
  const report = (error: unknown) => {
    if (isStopped) return;
    const message = 'a forced removal was not continued';
    dependencies.log({ level: 'error', message, fault: faultOf(error), error: describeError(error) });
  };
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    await upgradeOnSchedule(dependencies, () => isStopped).catch(report);
    const begun = await listForcedRemovals(dependencies.table).catch((error: unknown) => (report(error), []));
    for (const { kind, id } of begun) await continueRemoval(dependencies, kind, id).catch(report);
    isRunning = false;
  };
  void run();
  const end = every(clockOf(dependencies.table), EVERY_MS, () => void run());
  return {
    stop: () => {
      isStopped = true;
      end();
    },
  };
}
