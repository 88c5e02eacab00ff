import { PRESENT, stale } from '../../../shared/db/conditions.ts';
import { isAsRead } from '../entities/as-read.ts';
import { dependentsKey } from '../table/keys.ts';
import { type Entity, idOf, keyOf } from '../entities/entity.ts';
import type { TransactionPlan } from './transaction-plan.ts';

/**
 * Marks an object, as it was read, as being removed, so that no dependants can be added. The object stores the mark for
 * readers, and the dependents counter enforces it. The condition keeps a service that has moved to
 * other nodes in the meantime: it is neither marked nor removed.
 */
export function markRemoving(plan: TransactionPlan, entity: Entity): void {
  const mark = { set: { removing: true }, onConditionFailed: stale };
  plan.removalMarks.push(
    { update: dependentsKey(entity.kind, idOf(entity)), condition: PRESENT, ...mark },
    { update: keyOf(entity), condition: isAsRead(entity), ...mark },
  );
}
