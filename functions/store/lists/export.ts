import type { Table } from '../../../shared/db/table.ts';
import { everyObject, indexes, listPartition, objectKey } from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { queryUpTo } from '../table/read.ts';
import { idOf, type Entity, entityIn, jsonOf } from '../entities/entity.ts';

const { partitionKey, sortKey } = indexes.byName;

/** A page with this size ends before the next section: its query may return another megabyte. */
const ENOUGH_BYTES = 1_500_000;

/**
 * Between the number of the section and the sort key of the last object of a page, in the position at which it ended.
 */
const SEPARATOR = ' ';

function readPosition(after: PageOptions['after']): { start: number; last: readonly [string, string] | undefined } {
  if (after === undefined) return { start: 0, last: undefined };
  const [place, id] = after;
  const end = place.indexOf(SEPARATOR);
  return { start: Number(place.slice(0, end)), last: id === '' ? undefined : [place.slice(end + 1), id] };
}

/**
 * All objects, page by page, in an order in which no object precedes one that it refers to. One query of the index for
 * a page, and one more for each kind of object that begins in it or right after it. Eventually consistent; concurrent
 * writes may be contained or not.
 */
export async function exportPage(table: Table, { size, after }: PageOptions): Promise<Page<Entity>> {
  const { start, last } = readPosition(after);
  const objects: Entity[] = [];
  let bytes = 0;
  for (const [index, { kind, between }] of everyObject.entries()) {
    if (index < start) continue;
    // For a full page, the query only checks whether objects follow.
    const room = bytes > ENOUGH_BYTES ? 0 : size - objects.length;
    const { items, more } = await queryUpTo(table, {
      index: indexes.byName,
      partition: listPartition(kind),
      sort: between,
      size: room,
      ...(index > start || last === undefined
        ? {}
        : {
            ExclusiveStartKey: {
              ...objectKey(kind, last[1]),
              [partitionKey]: listPartition(kind),
              [sortKey]: last[0],
            },
          }),
    });
    if (room === 0 && more) return { objects, next: [`${index}${SEPARATOR}`, ''] };
    const end = items.at(-1);
    const pageObjects = items.map((item) => entityIn(kind, item));
    objects.push(...pageObjects);
    for (const entity of pageObjects) bytes += Buffer.byteLength(jsonOf(entity));
    const final = pageObjects.at(-1);
    if (more && end !== undefined && final !== undefined)
      return { objects, next: [`${index}${SEPARATOR}${String(end[sortKey])}`, idOf(final)] };
  }
  return { objects, next: undefined };
}
