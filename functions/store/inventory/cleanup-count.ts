import type { Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { indexes, listPartition } from '../table/keys.ts';
import { queryCount } from '../table/read.ts';
import type { DueNode } from './cleanup-due.ts';
import { forEach } from './for-each.ts';
import { countCascade } from './remove.ts';

/**
 * Whether the inventory contains at least this many objects. Counts only that far, so that the cost depends on the size
 * of the removal and not on the size of the inventory.
 */
async function hasAtLeast(table: Table, wanted: number): Promise<boolean> {
  let count = 0;
  for (const kind of ['agent', 'service', 'node'] as const) {
    if (count >= wanted) break;
    count += await queryCount(table, { index: indexes.byName, partition: listPartition(kind) }, wanted - count);
  }
  return count >= wanted;
}

/** Counts the objects that a cleanup removes, and stops when they exceed the safety threshold. */
export interface Counter {
  /** Number of objects so far. */
  objects: number;
  /** Adds the removal of these nodes. Resolves to whether the threshold is exceeded. */
  add: (due: readonly DueNode[]) => Promise<boolean>;
  /** Whether the number exceeds the threshold. */
  isTooMany: () => Promise<boolean>;
}

/**
 * @param objects what was counted before.
 * @param maxRemovalsPercent the safety threshold: the largest share of the inventory.
 */
export function newCounter(table: Table, objects: number, maxRemovalsPercent: number): Counter {
  let looked = 0;
  const isTooManyOf = async (number: number) => {
    looked = number;
    return maxRemovalsPercent === 0 || !(await hasAtLeast(table, Math.ceil((number * 100) / maxRemovalsPercent)));
  };
  const counter: Counter = {
    objects,
    isTooMany: () => isTooManyOf(counter.objects),
    async add(due) {
      // Checked again only when the number has doubled: each check queries that share of the lists.
      if (counter.objects + due.length >= 2 * looked && (await isTooManyOf(counter.objects + due.length))) {
        counter.objects += due.length;
        return true;
      }
      return forEach(due, async ({ nodeId }) => {
        const cascadeSize = await countCascade(table, nodeId).catch((error: unknown) => {
          if (error instanceof ApiError && error.kind === 'notFound') return 0;
          throw error;
        });
        counter.objects += cascadeSize;
        if (counter.objects < 2 * looked) return 'go on';
        return (await counter.isTooMany()) ? 'stop' : 'go on';
      });
    },
  };
  return counter;
}
