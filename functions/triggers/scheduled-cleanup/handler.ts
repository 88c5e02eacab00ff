import { inTime } from '../../../shared/core/deadline.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { toCleanupReply } from '../../replies/cleanup-report.ts';
import { CLEANUP_WORK_SECONDS } from '../../domain/records/cleanup.ts';
import { MAX_REMOVALS_PERCENT } from '../../domain/fields/safety-threshold.ts';
import { type Dependencies, createDependencies } from '../../runtime/dependencies.ts';
import { jobContext } from '../../store/entities/write-context.ts';
import { upgradeOnSchedule } from './upgrade-objects.ts';
import { cleanUp, type CleanupPlace, cleanupPlace } from '../../store/inventory/cleanup.ts';
import { type ResumableJob, runPart } from '../../store/jobs/resumable-job.ts';

/** A call of the cleanup ends before this by itself, unless the table does not answer. */
const DEADLINE_MS = 25_000;

/** An older cleanup begins anew: in a restored table, or after the schedule was off, its count is of another inventory. */
const MAX_AGE_MS = 24 * 3_600_000;

export const cleanupJob: ResumableJob<CleanupPlace> = { name: 'cleanup', place: () => cleanupPlace };

const STOPPED = 'The cleanup removed nothing: the removals would exceed the safety threshold.';

type CleanupReply = ReturnType<typeof toCleanupReply>;

/** @param line what all lines contain. */
function logResult(log: Dependencies['log'], line: { request_id: string; level: 'info' }, reply: CleanupReply): void {
  const { threshold_exceeded: isStopped, objects, removed, kept } = reply;
  for (const node of removed) log({ ...line, message: 'removed by the cleanup', ...node });
  for (const node of kept) log({ ...line, message: 'kept by the cleanup', ...node });
  const totals = { threshold_exceeded: isStopped, objects, removed: removed.length, kept: kept.length };
  log({ ...line, level: isStopped ? 'error' : 'info', message: 'cleanup', ...totals });
}

/**
 * A scheduled cleanup with the default safety threshold. Logs every node that it removes or keeps. A run that has no time
 * left ends, and the next one continues.
 *
 * @param workSeconds how long a run begins further calls of the cleanup; it makes one at least.
 * @throws Error when the safety threshold stopped it: an operator must check that, and the alarm counts errors.
 */
export function cleanUpOnSchedule({ table, clock, log, newId }: Dependencies, workSeconds = CLEANUP_WORK_SECONDS) {
  return async (): Promise<void> => {
    const end = monotonicMs(table) + workSeconds * 1000;
    await upgradeOnSchedule({ table, clock, log }, () => monotonicMs(table) > end);
    const requestId = newId();
    const actor = { kind: 'system', id: 'cleanup', name: 'scheduled cleanup' } as const;
    const writeContext = jobContext({ actor, requestId, limit: undefined }, clock);
    const line = { request_id: requestId, level: 'info' } as const;
    const leaseMs = workSeconds * 1000 + DEADLINE_MS;
    const run = await runPart(table, cleanupJob, { clock, leaseMs }, async (place) => {
      let from = place === undefined || clock().getTime() - place.asOf > MAX_AGE_MS ? undefined : place;
      do {
        const options = { dryRun: false, maxRemovalsPercent: MAX_REMOVALS_PERCENT, writeContext, from };
        const result = await inTime(table, DEADLINE_MS, () => cleanUp(table, options));
        logResult(log, line, toCleanupReply(result));
        if (result.thresholdExceeded) return { state: 'stopped', place: undefined, reason: STOPPED };
        from = result.next;
      } while (from !== undefined && monotonicMs(table) < end);
      return { state: from === undefined ? 'done' : 'waiting', place: from };
    });
    if (run === undefined) log({ ...line, message: 'another cleanup is in progress' });
    if (run?.state === 'stopped') throw new Error(STOPPED);
  };
}

export const handler = () => cleanUpOnSchedule(createDependencies())();
