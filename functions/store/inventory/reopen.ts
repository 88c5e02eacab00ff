import { absent, and, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import { dependentsTypeOf, type Entity, idOf, keyOf } from '../entities/entity.ts';
import { dependentsKey } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { searchOnce } from './search-once.ts';

export interface ReopenedObject {
  kind: ObjectKind;
  id: string;
}

/** The objects whose dependents counter is closed, also those whose removal is in progress. Eventually consistent. */
async function closedIn(table: Table, objects: readonly Entity[]): Promise<Entity[]> {
  const candidates = objects.filter((entity) => dependentsTypeOf(entity) !== undefined);
  const keys = candidates.map((entity) => dependentsKey(entity.kind, idOf(entity)));
  const counters = await readItems(table, keys, false);
  const closed = new Set(counters.flatMap(({ pk, removing }) => (removing === true ? [pk] : [])));
  return candidates.filter((entity) => closed.has(keyOf(entity).pk));
}

/**
 * Reopens an object without the mark of a removal in progress. Versions before that mark left such objects when a forced
 * removal was interrupted, and nothing finishes it.
 * @returns whether the object was reopened; not if it is being removed, or was removed.
 */
async function reopen(table: Table, entity: Entity): Promise<boolean> {
  try {
    await transact(table, [
      {
        update: dependentsKey(entity.kind, idOf(entity)),
        remove: ['removing'],
        condition: equals('removing', true),
        onConditionFailed: stale,
      },
      { check: keyOf(entity), condition: and(PRESENT, absent('removing')), onConditionFailed: stale },
    ]);
    return true;
  } catch (error) {
    if (error instanceof StaleRead) return false;
    throw error;
  }
}

/**
 * Reopens the objects that an older version left closed: they accept dependants again, and nothing that exists is
 * removed. Searches the whole inventory once; a search that has no time left is continued by the next call. After it, a
 * call costs one read.
 */
export async function reopenClosed(
  table: Table,
  options: { clock: () => Date; isLate: () => boolean },
): Promise<ReopenedObject[]> {
  const reopened: ReopenedObject[] = [];
  await searchOnce(table, 'reopening', options, async (objects, kind) => {
    for (const entity of await closedIn(table, objects))
      if (await reopen(table, entity)) reopened.push({ kind, id: idOf(entity) });
  });
  return reopened;
}
