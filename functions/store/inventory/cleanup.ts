import type { Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { type Heartbeat, readAllHeartbeats, toHeartbeat } from '../heartbeats/heartbeat.ts';
import { heartbeatChange } from '../heartbeats/heartbeat-update.ts';
import { heartbeatKey, indexes, listPartition } from '../table/keys.ts';
import { getObject } from '../entities/get.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { commit, TransactionTooLarge } from './commit.ts';
import { queryCount, readItems } from '../table/read.ts';
import { countCascade, planForcedRemoval } from './remove.ts';
import { newRemovalId } from '../history/removal-record.ts';

/** How long one run works. The next run continues with the rest. */
const PATIENCE_MS = 15_000;

/** Number of nodes that are processed in parallel. */
const AT_ONCE = 8;

/** A node that is due for removal: ephemeral, and without a report for longer than its `remove_after`. */
export interface Due {
  nodeId: string;
  nodeName: string;
  /** The time of the last report; undefined when it never reported. */
  lastSeen: Date | undefined;
  /** The time since which it is due. */
  since: Date;
}

export type KeptReason = 'dry_run' | 'threshold_exceeded' | 'reported' | 'gone' | 'too_large' | 'no_time';

export interface CleanedUp {
  due: Due[];
  /** Number of objects that would be removed in total; a lower bound when the safety threshold stopped the count. */
  objects: number;
  thresholdExceeded: boolean;
  removed: { due: Due; removalId: string; objects: number }[];
  kept: { due: Due; reason: KeptReason }[];
}

export interface CleanupOptions {
  dryRun: boolean;
  /** The largest share of the inventory that one run may remove, in percent. */
  maxRemovalsPercent: number;
  writeContext: WriteContext;
}

function dueOf({ nodeId, nodeName, addedAt, life, processes }: Heartbeat, now: Date): Due | undefined {
  if (life.lifetime !== 'ephemeral') return undefined;
  const times = [...processes.values()].flatMap((report) => (report === undefined ? [] : [report.at]));
  const last = times.length === 0 ? undefined : Math.max(...times);
  const since = new Date((last ?? addedAt) + life.removeAfter * 1000);
  if (since > now) return undefined;
  return { nodeId, nodeName, lastSeen: last === undefined ? undefined : new Date(last), since };
}

/** Calls `work` for each element, AT_ONCE in parallel, until one call returns `stop`. Resolves to whether one did. */
async function forEach<T>(list: readonly T[], work: (one: T) => Promise<'go on' | 'stop'>): Promise<boolean> {
  const waiting = list.values();
  let isStopped = false;
  const turn = async () => {
    for (const one of waiting) {
      if (isStopped) return;
      if ((await work(one)) === 'stop') isStopped = true;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return isStopped;
}

/**
 * Whether the inventory contains at least this many objects. Counts only that far, so that the cost depends on the size
 * of the removal and not on the size of the inventory.
 */
async function hasAtLeast(table: Table, wanted: number): Promise<boolean> {
  const { name, partitionKey } = indexes.byName;
  let found = 0;
  for (const kind of ['agent', 'service', 'node'] as const) {
    if (found >= wanted) break;
    found += await queryCount(
      table,
      { IndexName: name, partition: [partitionKey, listPartition(kind)] },
      wanted - found,
    );
  }
  return found >= wanted;
}

/** The number of objects that the removal of these nodes removes; stops counting when `isTooMany`. */
async function countObjects(table: Table, due: readonly Due[], isTooMany: (objects: number) => Promise<boolean>) {
  const counted = { objects: 0, looked: due.length };
  if (await isTooMany(due.length)) return { objects: due.length, thresholdExceeded: true };
  const isStopped = await forEach(due, async ({ nodeId }) => {
    const found = await countCascade(table, nodeId).catch((error: unknown) => {
      if (error instanceof ApiError && error.kind === 'notFound') return 0;
      throw error;
    });
    counted.objects += found;
    // Checked again only when the number has doubled: each check queries that share of the lists.
    if (counted.objects < 2 * counted.looked) return 'go on';
    counted.looked = counted.objects;
    return (await isTooMany(counted.objects)) ? 'stop' : 'go on';
  });
  const { objects } = counted;
  return { objects, thresholdExceeded: isStopped || (await isTooMany(objects)) };
}

/**
 * Removes the ephemeral nodes that have not reported for too long, with their dependants, or with `dryRun` only lists
 * them. Removes nothing if that would exceed the safety threshold (`maxRemovalsPercent`). A node that reports in the meantime
 * stays.
 */
export async function cleanUp(
  table: Table,
  { dryRun, maxRemovalsPercent, writeContext }: CleanupOptions,
): Promise<CleanedUp> {
  const end = performance.now() + PATIENCE_MS;
  const now = writeContext.clock();
  const heartbeats = await readAllHeartbeats(table);
  const due = [...heartbeats.values()]
    .flatMap((heartbeat) => dueOf(heartbeat, now) ?? [])
    .sort((left, right) => left.since.getTime() - right.since.getTime());
  if (due.length === 0) return { due, objects: 0, thresholdExceeded: false, removed: [], kept: [] };
  const isTooMany = async (objects: number) =>
    maxRemovalsPercent === 0 || !(await hasAtLeast(table, Math.ceil((objects * 100) / maxRemovalsPercent)));
  const { objects, thresholdExceeded } = await countObjects(table, due, isTooMany);
  const found = { due, objects, thresholdExceeded };
  if (thresholdExceeded || dryRun) {
    const reason = thresholdExceeded ? 'threshold_exceeded' : 'dry_run';
    return { ...found, removed: [], kept: due.map((one) => ({ due: one, reason })) };
  }
  const removed: CleanedUp['removed'] = [];
  const kept: CleanedUp['kept'] = [];
  await forEach(due, async (one) => {
    const left = end - performance.now();
    const outcome = left <= 0 ? 'no_time' : await removeSilent(table, one, writeContext, left);
    if (typeof outcome === 'string') kept.push({ due: one, reason: outcome });
    else removed.push({ due: one, ...outcome });
    return 'go on';
  });
  return { ...found, removed, kept };
}

/**
 * Removes a node with its dependants, on condition that no process has reported for it since it was found to be due.
 * Must fit one transaction: a report could not stop a removal in several transactions.
 */
async function removeSilent(
  table: Table,
  { nodeId }: Due,
  writeContext: WriteContext,
  patienceMs: number,
): Promise<{ removalId: string; objects: number } | KeptReason> {
  try {
    return await commit(
      table,
      writeContext,
      async (plan) => {
        const [item] = await readItems(table, [heartbeatKey(nodeId)]);
        if (item === undefined) return 'gone';
        const heartbeat = toHeartbeat(item);
        if (dueOf(heartbeat, writeContext.clock()) === undefined) return 'reported';
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
