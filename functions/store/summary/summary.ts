import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { TableFault } from '../../../shared/db/table-fault.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { backOff, monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { SUMMARY_SECONDS } from '../../domain/records/summary.ts';
import { countChanges, latestChanges } from './changes.ts';
import { countPart, type CountLimits, newCount } from './count.ts';
import { readFindings } from './findings.ts';
import { readJobStatuses } from './jobs.ts';
import { beginPart } from '../jobs/resumable-job.ts';
import { countJob, keepSummary, type KeptSummary, readKept, type Work } from './kept-summary.ts';
import { resultOf } from './tally.ts';

/** How long a request waits for the first summary, which another one computes. */
const WAIT_MS = 10_000;

const PAUSE_MS = 200;

/** The longest time that a request computes a part of the summary. Then another one may. */
const LEASE_MS = 30_000;

/** @param maxAge in seconds. */
function isFresh({ at, isPartial }: KeptSummary, now: Date, maxAge: number): boolean {
  return !isPartial && now.getTime() - at < maxAge * 1000;
}

/** Computes the summary, or of a large inventory a part: then the former count is kept until the new one has ended. */
async function compute(
  table: Table,
  kept: KeptSummary | undefined,
  work: Work,
  { now, limits }: { now: Date; limits: CountLimits | undefined },
): Promise<{ summary: KeptSummary; work: Work }> {
  const [{ progress, isDone }, changes, latest, { jobs, findings }] = await Promise.all([
    countPart(table, work.progress ?? newCount(now), now, limits),
    countChanges(table, work.changes, now),
    latestChanges(table),
    readJobStatuses(table, now).then(async (others) => ({
      jobs: others,
      findings: await readFindings(table, others, now),
    })),
  ]);
  const at = now.getTime();
  const former = isDone || kept?.isPartial !== false ? undefined : kept;
  const count = former ?? {
    count: resultOf(progress.tally),
    nodeStates: progress.nodeStates,
    propertyCounts: progress.propertyCounts,
    listBytes: progress.list?.bytes,
    countedAt: isDone ? at : progress.begunAt,
    isPartial: !isDone,
  };
  return {
    summary: {
      at,
      count: count.count,
      countedAt: count.countedAt,
      nodeStates: count.nodeStates,
      propertyCounts: count.propertyCounts,
      listBytes: count.listBytes,
      isPartial: count.isPartial,
      hasAllChanges: changes.isComplete,
      findings,
      jobs: [{ job: 'count', state: isDone ? 'done' : 'waiting', begunAt: progress.begunAt, updatedAt: at }, ...jobs],
      hours: changes.hours,
      latest,
    },
    work: { progress: isDone ? undefined : progress, changes: changes.count },
  };
}

/** The summary that another request is computing. */
async function waitForFirst(table: Table): Promise<KeptSummary> {
  const end = monotonicMs(table) + WAIT_MS;
  do {
    const kept = await readKept(table, true);
    if (kept !== undefined) return kept;
    await backOff(table, PAUSE_MS);
  } while (monotonicMs(table) < end);
  throw new ApiError('unavailable', 'Another request is computing the first summary. Try again.');
}

/** The fault itself: the caller continues without the write. */
function unlessFault(error: unknown): TableFault {
  if (error instanceof TableFault) return error;
  throw error;
}

/**
 * The last summary if it is younger than `maxAge`, or a new one. One request at a time computes it, and others get the former one.
 * Each request reads a bounded number of items: later requests continue the count of a large inventory.
 */
export async function getSummary(
  table: Table,
  clock: () => Date,
  { limits, maxAge = SUMMARY_SECONDS }: { limits?: CountLimits; maxAge?: number } = {},
): Promise<KeptSummary> {
  const kept = await readKept(table);
  if (kept !== undefined && isFresh(kept, clock(), maxAge)) return kept;
  const now = clock();
  // Without a summary that this version can read, and if the last count is not complete, the next part is due at once.
  const isDue = kept === undefined || kept.isPartial;
  const endedBefore = isDue ? undefined : now.getTime() - SUMMARY_SECONDS * 1000;
  const part = await beginPart(table, countJob, { now, leaseMs: LEASE_MS, endedBefore }).catch(unlessFault);
  if (part === undefined) return waitForFirst(table);
  // A table that cannot be written can still be read: the summary is computed and not stored.
  if (part instanceof TableFault) return (await compute(table, kept, {}, { now, limits })).summary;
  try {
    const { summary, work } = await compute(table, kept, part.place ?? {}, { now, limits });
    const state = work.progress === undefined ? 'done' : 'waiting';
    await retryOnContention(table, () => keepSummary(table, summary))
      .then(() => part.end({ state, place: work }, now))
      .catch(unlessFault);
    return summary;
  } catch (error) {
    // Otherwise nobody computes it until the lease ends. If this fails as well, the first error says why.
    await part.release().catch(() => undefined);
    throw error;
  }
}
