import { endAfter } from '../../../shared/core/seconds.ts';
import { equals, stale } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { additionsKey, TTL_ATTRIBUTE } from './keys.ts';
import { readItem } from './read.ts';

/** How long a count of additions is kept: far longer than a request takes, which alone compares two of them. */
const KEPT_SECONDS = 86_400;

/**
 * Makes the additions to a limited collection follow one another: a step of the transaction that adds fails if anybody
 * has added since this read, and the attempt is repeated. So the count of a collection that is read after this read is exact.
 * A stored counter would be wrong, because items also end by their time to live.
 *
 * One strongly consistent read. Call it in each attempt, before the collection is read.
 *
 * @param collection its partition.
 */
export async function additionStep(table: Table, collection: string, now: Date): Promise<TransactItem> {
  const key = additionsKey(collection);
  const count = (await readItem(table, key))?.['additions'];
  return {
    update: key,
    add: { additions: 1 },
    set: { [TTL_ATTRIBUTE]: endAfter(now, KEPT_SECONDS) },
    condition: equals('additions', count),
    onConditionFailed: stale,
  };
}
