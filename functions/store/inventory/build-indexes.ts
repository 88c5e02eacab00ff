import { stale } from '../../../shared/db/conditions.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact, type TransactItem } from '../../../shared/db/transact.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { isAsRead } from '../entities/as-read.ts';
import { derivedItemsOf } from '../entities/derived-items.ts';
import { type Entity, idOf, keyOf } from '../entities/entity.ts';
import { findObjects } from '../entities/get.ts';
import { labelIndexPartition } from '../table/keys.ts';
import { searchOnce } from './search-once.ts';

/** Objects in one transaction: a check and an entry each, of at most 100 steps. */
const AT_ONCE = 50;

/** Writes the entry of the cluster of a service, which older versions did not add to the list of clusters. */
function stepsOf(entity: Entity): TransactItem[] {
  const cluster = entity.kind === 'service' ? labelOf('service', entity.object, 'cluster') : undefined;
  if (cluster === undefined) return [];
  const pk = labelIndexPartition('service', 'cluster', cluster);
  return [
    { check: keyOf(entity), condition: isAsRead(entity), onConditionFailed: stale },
    ...derivedItemsOf(entity)
      .filter(({ key }) => key.pk === pk)
      .map(({ key, attributes }) => ({ put: { ...attributes, ...key } })),
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
