import type { Table } from '../../../shared/db/table.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { objectsInParts } from '../entities/get.ts';
import { allPages } from './pages.ts';

/**
 * With fewer missing objects than this, a batch read, which takes half a unit for each, is cheaper than a page of a list,
 * which takes up to 128 units for 1 MB. With a few more, a full page costs more than the batch, but in a small inventory a
 * page costs a twelfth of it.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export const WORTH_A_PAGE = 128;

/**
 * The objects of a kind with these ids, some at a time; missing ones are left out. With `byList`, pages through the list of all
 * objects as long as that is cheaper, and reads the rest in batches.
 *
 * @param how.isConsistent of batches.
 */
export async function* objectsByListOrId(
  table: Table,
  kind: 'node' | 'service',
  ids: Iterable<string>,
  how: { byList: boolean; isConsistent: boolean },
): AsyncGenerator<Entity[]> {
  const missing = new Set(ids);
  if (missing.size > WORTH_A_PAGE && how.byList)
    for await (const page of allPages(table, kind)) {
      const before = missing.size;
      yield page.filter((entity) => missing.delete(idOf(entity)));
      if (missing.size <= WORTH_A_PAGE || before - missing.size < WORTH_A_PAGE) break;
    }
  const wanted = Array.from(missing, (id) => ({ kind, id }));
  yield* objectsInParts(table, wanted, how.isConsistent);
}
