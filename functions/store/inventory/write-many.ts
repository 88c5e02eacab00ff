import { stale } from '../../../shared/db/conditions.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { claimsOf } from '../entities/derived-items.ts';
import { writePlan } from './commit.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { newPlan, planAdd, planChange, planRemoval, type TransactionPlan } from './transaction-plan.ts';
import type { Entity } from '../entities/entity.ts';

/** One object as it was read, and as it will be. Without `old` it is added; without `next` it is removed. */
export interface Write {
  old?: Entity | undefined;
  next?: Entity | undefined;
}

/**
 * Number of refusals after which the objects count as changed. A refusal may also be caused by clocks that differ, or
 * by concurrent writes to the same dependents counters.
 */
const MAX_STALE = 4;

function planWrite(plan: TransactionPlan, { old, next }: Write): void {
  if (next === undefined) {
    if (old !== undefined) planRemoval(plan, old, stale);
  } else if (old === undefined) planAdd(plan, next, { claimReadAsFree: claimsOf(next)[0] });
  else planChange(plan, old, next);
}

/**
 * The order of the changes in the feed: adds, changes, removals. A consumer that applies them one by one never finds a
 * reference to an object that does not exist.
 */
function placeOf({ old, next }: Write): number {
  const kind = objectKinds.indexOf((next ?? old)?.kind ?? 'node');
  if (next === undefined) return 3 * objectKinds.length - kind;
  return old === undefined ? kind : objectKinds.length;
}

/**
 * Writes several objects in one transaction, each on condition that it has the revision that was read. One object may
 * take a claim (an address, say) that another one gives up.
 *
 * @throws ApiError `revisionMismatch` when an object has changed since it was read, or a claim that was free is taken;
 *   also the errors of the constraints of the inventory.
 */
export async function writeAtomically(
  table: Table,
  writes: readonly Write[],
  writeContext: WriteContext,
): Promise<void> {
  const inFeedOrder = writes.toSorted((left, right) => placeOf(left) - placeOf(right));
  let refusals = 0;
  await retryOnContention(table, async () => {
    const plan = newPlan(writeContext, { isAtomic: true });
    for (const write of inFeedOrder) planWrite(plan, write);
    try {
      await writePlan(table, plan);
    } catch (error) {
      refusals += error instanceof StaleRead ? 1 : 0;
      if (refusals === MAX_STALE)
        throw new ApiError('revisionMismatch', 'The inventory has changed since it was read.', { cause: error });
      throw error;
    }
  });
}
