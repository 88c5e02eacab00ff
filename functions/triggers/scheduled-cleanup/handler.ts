import { inTime } from '../../../shared/http/deadline.ts';
import { toCleanupReply } from '../../replies/cleanup-report.ts';
import { MAX_REMOVALS_PERCENT } from '../../domain/fields/safety-threshold.ts';
import { type Dependencies, createDependencies } from '../../runtime/dependencies.ts';
import { jobContext } from '../../store/entities/write-context.ts';
import { cleanUp } from '../../store/inventory/cleanup.ts';

/** A run ends before this by itself, unless the table does not answer. */
const DEADLINE_MS = 25_000;

/**
 * A scheduled cleanup with the default safety threshold. Logs every node that it removes or keeps.
 *
 * @throws Error when the safety threshold stopped it: an operator must check that, and the alarm counts errors.
 */
export function cleanUpOnSchedule({ table, clock, log, newId }: Dependencies) {
  return async (): Promise<void> => {
    const requestId = newId();
    const actor = { kind: 'system', id: 'cleanup', name: 'scheduled cleanup' } as const;
    const writeContext = jobContext({ actor, requestId }, clock);
    const result = await inTime(DEADLINE_MS, () =>
      cleanUp(table, { dryRun: false, maxRemovalsPercent: MAX_REMOVALS_PERCENT, writeContext }),
    );
    const { threshold_exceeded: thresholdExceeded, objects, removed, kept } = toCleanupReply(result);
    const line = { request_id: requestId, level: 'info' } as const;
    for (const node of removed) log({ ...line, message: 'removed by the cleanup', ...node });
    for (const node of kept) log({ ...line, message: 'kept by the cleanup', ...node });
    const totals = { threshold_exceeded: thresholdExceeded, objects, removed: removed.length, kept: kept.length };
    log({ ...line, level: thresholdExceeded ? 'error' : 'info', message: 'cleanup', ...totals });
    if (thresholdExceeded)
      throw new Error('The cleanup removed nothing: the removals would exceed the safety threshold.');
  };
}

export const handler = () => cleanUpOnSchedule(createDependencies())();
