import * as z from 'zod/mini';
import type { Table } from '../../../shared/db/table.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { readHeartbeat, readHeartbeatRange } from '../heartbeats/heartbeat.ts';
import { heartbeatChange } from '../heartbeats/heartbeat-update.ts';
import { leaveGroups } from '../heartbeats/group-membership.ts';
import { getObject } from '../entities/get.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { newCounter } from './cleanup-count.ts';
import { type DueNode, dueOf } from './cleanup-due.ts';
import { commit, TransactionTooLarge } from './commit.ts';
import { forEach } from './for-each.ts';
import { planForcedRemoval } from './remove.ts';
import { newRemovalId } from '../history/removal-record.ts';

/** How long one call works. */
const PATIENCE_MS = 15_000;

/**
 * The numbers of heartbeats that one call reads: of each of 16 partitions at once, and in total (some 3,700 units). With fewer at once, more
 * of them are read twice: of random ids, with 500 some 8 %, with 2,000 some 4 %.
 */
export interface CleanupLimits {
  perPartition: number;
  heartbeats: number;
}

const cleanupLimits: CleanupLimits = { perPartition: 2000, heartbeats: 100_000 };

/**
 * How far a cleanup has come. It first counts the objects to be removed, in the whole inventory, then removes. Both
 * concern the nodes that were due when it began: it removes none that it has not counted, so the safety threshold holds
 * for the whole however many calls it takes.
 */
export const cleanupPlace = z.object({
  phase: z.enum(['count', 'remove']),
  /** When it began, in milliseconds since 1970. */
  asOf: z.number(),
  /** The node id up to which the heartbeats were read in this phase. */
  after: z.optional(z.string()),
  /** Number of objects counted so far. */
  objects: z.number(),
});

export type CleanupPlace = z.output<typeof cleanupPlace>;

export type KeptReason = 'dry_run' | 'threshold_exceeded' | 'reported' | 'gone' | 'too_large' | 'no_time';

export interface CleanupResult {
  /** The due nodes that this call found. */
  due: DueNode[];
  /** Number of objects that would be removed, as far as counted; a lower bound when the safety threshold stopped the count. */
  objects: number;
  thresholdExceeded: boolean;
  removed: { due: DueNode; removalId: string; objects: number }[];
  kept: { due: DueNode; reason: KeptReason }[];
  /** Where the next call continues; undefined: the cleanup is finished. */
  next: CleanupPlace | undefined;
}

export interface CleanupOptions {
  dryRun: boolean;
  /** The largest share of the inventory that one run may remove, in percent. */
  maxRemovalsPercent: number;
  writeContext: WriteContext;
  /** Where the previous call ended; undefined: a new cleanup begins. */
  from?: CleanupPlace | undefined;
  limits?: CleanupLimits;
}

/** A call, with its limits. */
interface CleanupRun {
  table: Table;
  options: CleanupOptions;
  limits: CleanupLimits;
  /** Whether the call has to end. */
  isLate: () => boolean;
  /** Milliseconds that are left. */
  left: () => number;
}

interface DueRange {
  due: DueNode[];
  /** The node id up to which the heartbeats were read; undefined: all were. */
  reach: string | undefined;
}

/**
 * Calls `work` with the due nodes of one range of heartbeats after the other, until a limit is reached or it returns
 * false. Resolves to whether it did.
 */
async function eachRange(
  { table, limits, isLate }: CleanupRun,
  { asOf, after }: CleanupPlace,
  work: (range: DueRange) => Promise<boolean>,
): Promise<{ isStopped: boolean }> {
  let read = 0;
  let reach = after;
  do {
    const range = await readHeartbeatRange(table, reach, limits.perPartition);
    read += range.heartbeats.length;
    reach = range.reach;
    const due = range.heartbeats.flatMap((heartbeat) => dueOf(heartbeat, new Date(asOf)) ?? []);
    if (!(await work({ due, reach }))) return { isStopped: true };
  } while (reach !== undefined && read < limits.heartbeats && !isLate());
  return { isStopped: false };
}

const keptBecause = (reason: KeptReason) => (due: DueNode) => ({ due, reason });

/** Removes these nodes as long as there is time. */
async function removeAll(
  { table, options: { writeContext }, left }: CleanupRun,
  due: readonly DueNode[],
): Promise<Pick<CleanupResult, 'removed' | 'kept'> & { isCut: boolean }> {
  const removed: CleanupResult['removed'] = [];
  const kept: CleanupResult['kept'] = [];
  let isCut = false;
  await forEach(due, async (dueNode) => {
    const patienceMs = left();
    const isLate = patienceMs <= 0;
    isCut ||= isLate;
    const outcome = isLate ? 'no_time' : await removeSilent(table, dueNode, writeContext, patienceMs);
    if (typeof outcome === 'string') kept.push({ due: dueNode, reason: outcome });
    else removed.push({ due: dueNode, ...outcome });
    return 'go on';
  });
  return { removed, kept, isCut };
}

/** Continues counting; if that ends, and this call has counted all, also removes. */
async function count(run: CleanupRun, place: CleanupPlace): Promise<CleanupResult> {
  const { table, options } = run;
  const counter = newCounter(table, place.objects, options.maxRemovalsPercent);
  const due: DueNode[] = [];
  let reach: string | undefined;
  const { isStopped } = await eachRange(run, place, async (range) => {
    due.push(...range.due);
    reach = range.reach;
    return range.due.length === 0 || !(await counter.add(range.due));
  });
  due.sort((left, right) => left.since.getTime() - right.since.getTime());
  const isCounted = counter.objects > 0 && reach === undefined;
  const thresholdExceeded = isStopped || (isCounted && (await counter.isTooMany()));
  const { objects } = counter;
  const result = { due, objects, thresholdExceeded, removed: [], kept: [], next: undefined };
  if (thresholdExceeded) return { ...result, kept: due.map(keptBecause('threshold_exceeded')) };
  const next = reach === undefined ? undefined : { ...place, after: reach, objects };
  if (options.dryRun) return { ...result, kept: due.map(keptBecause('dry_run')), next };
  if (next !== undefined || objects === 0) return { ...result, next };
  const removal: CleanupPlace = { phase: 'remove', asOf: place.asOf, objects };
  // Earlier calls found some of the nodes.
  if (place.after !== undefined) return { ...result, next: removal };
  const { isCut, ...outcomes } = await removeAll(run, due);
  return { ...result, ...outcomes, next: isCut ? removal : undefined };
}

/** Continues removing what was counted. */
async function remove(run: CleanupRun, place: CleanupPlace): Promise<CleanupResult> {
  const result: CleanupResult = {
    ...{ due: [], removed: [], kept: [], thresholdExceeded: false, objects: place.objects },
    next: undefined,
  };
  let after = place.after;
  await eachRange(run, place, async ({ due, reach }) => {
    const { removed, kept, isCut } = await removeAll(run, due);
    const cut = new Set(kept.flatMap((entry) => (entry.reason === 'no_time' ? [entry.due.nodeId] : [])));
    result.due.push(...due);
    result.removed.push(...removed);
    result.kept.push(...kept);
    // Nodes are in the order of their ids. The next call begins with the first one without an outcome.
    if (isCut) after = due[due.findIndex(({ nodeId }) => cut.has(nodeId)) - 1]?.nodeId ?? after;
    else after = reach;
    result.next = isCut || reach !== undefined ? { ...place, after } : undefined;
    return !isCut;
  });
  return result;
}

/**
 * Removes the ephemeral nodes that have not reported for too long, with their dependants, or with `dryRun` only lists
 * them. Removes nothing if that would exceed the safety threshold (`maxRemovalsPercent`). A node that reports in the meantime
 * stays. A call reads a fixed number of heartbeats at most; `next` continues a cleanup that needs more.
 */
export function cleanUp(table: Table, options: CleanupOptions): Promise<CleanupResult> {
  const end = monotonicMs(table) + PATIENCE_MS;
  const left = () => end - monotonicMs(table);
  const { limits = cleanupLimits, from, writeContext } = options;
  const run: CleanupRun = { table, options, limits, left, isLate: () => left() <= 0 };
  const place = from ?? { phase: 'count', asOf: writeContext.clock().getTime(), objects: 0 };
  return place.phase === 'count' ? count(run, place) : remove(run, place);
}

/**
 * Removes a node with its dependants, on condition that no process has reported for it since it was found to be due.
 * Must fit one transaction: a report could not stop a removal in several transactions.
 */
async function removeSilent(
  table: Table,
  { nodeId }: DueNode,
  writeContext: WriteContext,
  patienceMs: number,
): Promise<{ removalId: string; objects: number } | KeptReason> {
  try {
    return await commit(
      table,
      writeContext,
      async (plan) => {
        const heartbeat = await readHeartbeat(table, nodeId);
        if (heartbeat === undefined) return 'gone';
        if (dueOf(heartbeat, writeContext.clock()) === undefined) return 'reported';
        if (heartbeat.group !== undefined) {
          await leaveGroups(table, [nodeId]);
          throw new StaleRead();
        }
        const target = await getObject(table, 'node', nodeId);
        plan.removalId = newRemovalId(writeContext.clock().getTime());
        const objects = await planForcedRemoval(plan, table, target);
        heartbeatChange(plan.heartbeats, nodeId).silentSince = heartbeat;
        return { removalId: plan.removalId, objects };
      },
      { patienceMs },
    );
  } catch (error) {
    if (error instanceof TransactionTooLarge) return 'too_large';
    if (error instanceof ApiError && error.kind === 'notFound') return 'gone';
    // Constant concurrent writes, or an unknown outcome: the next run checks again.
    if (error instanceof ApiError && error.kind === 'unavailable') return 'no_time';
    throw error;
  }
}
