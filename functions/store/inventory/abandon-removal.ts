import { PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type TransactItem, transact } from '../../../shared/db/transact.ts';
import { type Entity, idOf, keyOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { findForcedRemoval } from '../jobs/forced-removals.ts';
import { dependentsKey, forcedRemovalKey, type ObjectKind } from '../table/keys.ts';
import { cascadeOf } from './cascade.ts';

/** Reverts `markRemoving`. The revision stays: no field of the object changes. */
function unmarkSteps(entity: Entity): TransactItem[] {
  const unmark = { remove: ['removing'], condition: PRESENT, onConditionFailed: stale };
  return [
    { update: dependentsKey(entity.kind, idOf(entity)), ...unmark },
    { update: keyOf(entity), ...unmark },
  ];
}

/**
 * Ends a forced removal whose caller has owners, after it met an object of another owner: an Admin changed the owner of an
 * object, or added one, after the removal was checked as a whole. The remaining objects stay, and accept dependants again.
 * The target is the last: until then the removal is recorded, and its worker repeats this. A removal by a caller without
 * owners is not affected.
 */
export async function abandonRemoval(table: Table, kind: ObjectKind, id: string): Promise<void> {
  await retryOnContention(table, async () => {
    const begun = await findForcedRemoval(table, kind, id);
    if (begun?.limit === undefined) return;
    const target: Entity = await getObject(table, kind, id);
    const { removed } = await cascadeOf(table, target);
    const marked = removed.filter((entity) => entity !== target && entity.object.removing === true);
    for (const entity of marked) await transact(table, unmarkSteps(entity));
    const forget = { delete: forcedRemovalKey(kind, id), condition: PRESENT, onConditionFailed: stale };
    await transact(table, [...unmarkSteps(target), forget]);
  });
}
