import { PRESENT, stale } from '../../../shared/db/conditions.ts';
import { dependentsKey } from '../table/keys.ts';
import { type Entity, idOf, keyOf } from '../entities/entity.ts';
import type { TransactionPlan } from './transaction-plan.ts';

/**
 * Marks an object, as it was read, as being removed, so that no dependants can be added. The object stores the mark for
 * readers, and the dependents counter enforces it. The condition on the revision keeps a service that has moved to
 * other nodes in the meantime: it is neither marked nor removed.
 */
export function markRemoving(plan: TransactionPlan, entity: Entity): void {
  const values = { ':yes': true };
  plan.removalMarks.push(
    {
      Update: {
        Key: dependentsKey(entity.kind, idOf(entity)),
        UpdateExpression: 'SET removing = :yes',
        ConditionExpression: PRESENT,
        ExpressionAttributeValues: values,
      },
      onConditionFailed: stale,
    },
    {
      Update: {
        Key: keyOf(entity),
        UpdateExpression: 'SET removing = :yes',
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ...values, ':revision': entity.object.revision },
      },
      onConditionFailed: stale,
    },
  );
}
