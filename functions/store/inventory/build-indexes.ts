import { stale } from '../../../shared/db/conditions.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact, type TransactItem } from '../../../shared/db/transact.ts';
import { isAsRead } from '../entities/as-read.ts';
import { derivedItemsOf } from '../entities/derived-items.ts';
import { type Entity, idOf, keyOf } from '../entities/entity.ts';
import { findObjects } from '../entities/get.ts';
import { indexes } from '../table/keys.ts';
import { searchOnce } from './search-once.ts';

/** Objects in one transaction of at most 100 steps: a check of each, the claim of its name and the entry of its cluster. */
const AT_ONCE = 33;

/** Writes the derived items that an index contains: older versions wrote them without its attributes. */
function stepsOf(entity: Entity): TransactItem[] {
  const listed = derivedItemsOf(entity).filter(({ attributes }) => indexes.byName.partitionKey in attributes);
  if (listed.length === 0) return [];
  return [
    { check: keyOf(entity), condition: isAsRead(entity), onConditionFailed: stale },
    ...listed.map(({ key, attributes }) => ({ put: { ...attributes, ...key } })),
  ];
}

/** Writes the entries of an object as it is now, unless it was removed. */
async function rewrite(table: Table, entity: Entity): Promise<void> {
  await retryOnContention(table, async () => {
    const [present] = await findObjects(table, [{ kind: entity.kind, id: idOf(entity) }]);
    const steps = present === undefined ? [] : stepsOf(present);
    if (steps.length > 0) await transact(table, steps);
  });
}

/**
 * Writes the index entries that objects of older versions lack, once for an inventory. The index may show an older object than there is:
 * then each object of the transaction is read again.
 */
export async function buildIndexes(table: Table, options: { clock: () => Date; isLate: () => boolean }): Promise<void> {
  await searchOnce(table, 'indexing', options, async (objects) => {
    for (let start = 0; start < objects.length; start += AT_ONCE) {
      const some = objects.slice(start, start + AT_ONCE);
      const steps = some.flatMap(stepsOf);
      if (steps.length === 0) continue;
      try {
        await retryOnContention(table, () =>
          transact(table, steps).catch((error: unknown) => {
            throw error instanceof StaleRead ? new OutdatedPage() : error;
          }),
        );
      } catch (error) {
        if (!(error instanceof OutdatedPage)) throw error;
        for (const entity of some) await rewrite(table, entity);
      }
    }
  });
}

/** An object of the page has changed since the index showed it. */
class OutdatedPage extends Error {}
