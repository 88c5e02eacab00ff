import * as z from 'zod/mini';
import { absent, and, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { type ObjectKind, objectKinds } from '../../domain/fields/object-kind.ts';
import { dependentsTypeOf, type Entity, entityIn, idOf, keyOf } from '../entities/entity.ts';
import { readJobs, type ResumableJob, runPart } from '../jobs/resumable-job.ts';
import { dependentsKey, indexes, listPartition, tableKey } from '../table/keys.ts';
import { queryUpTo, readItems } from '../table/read.ts';

/** How far the search has come. */
const placeSchema = z.object({
  kind: z.enum(objectKinds),
  /** The key of the last object in the index. */
  after: z.optional(z.record(z.string(), z.string())),
});

type ReopeningPlace = z.output<typeof placeSchema>;

const reopeningJob: ResumableJob<ReopeningPlace> = { name: 'reopening', place: () => placeSchema };

/** After this, another process may repeat a search that was interrupted. */
const LEASE_MS = 600_000;

const PAGE_SIZE = 1000;

export interface ReopenedObject {
  kind: ObjectKind;
  id: string;
}

/** The objects whose dependents counter is closed, also those whose removal is in progress. Eventually consistent. */
async function closedIn(table: Table, objects: readonly Entity[]): Promise<Entity[]> {
  const candidates = objects.filter((one) => dependentsTypeOf(one) !== undefined);
  const keys = candidates.map((one) => dependentsKey(one.kind, idOf(one)));
  const counters = await readItems(table, keys, false);
  const closed = new Set(counters.flatMap(({ pk, removing }) => (removing === true ? [pk] : [])));
  return candidates.filter((one) => closed.has(keyOf(one).pk));
}

/** A page of all objects of a kind. @returns `after`: the start of the next page; undefined: none follows. */
async function readPage(table: Table, kind: ObjectKind, start: ReopeningPlace['after']) {
  const { partitionKey, sortKey } = indexes.byName;
  const { items, more } = await queryUpTo(table, {
    index: indexes.byName,
    partition: listPartition(kind),
    size: PAGE_SIZE,
    ExclusiveStartKey: start,
  });
  const last = more ? items.at(-1) : undefined;
  const names = [...Object.values(tableKey), partitionKey, sortKey];
  const after = last && Object.fromEntries(names.map((name) => [name, String(last[name])]));
  return { objects: items.map((item) => entityIn(kind, item)), after };
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
  { clock, isLate }: { clock: () => Date; isLate: () => boolean },
): Promise<ReopenedObject[]> {
  const [search] = await readJobs(table, ['reopening'], clock());
  if (search?.state === 'done') return [];
  const reopened: ReopenedObject[] = [];
  await runPart(table, reopeningJob, { clock, leaseMs: LEASE_MS }, async (begin) => {
    let place: ReopeningPlace | undefined = begin ?? { kind: objectKinds[0] };
    while (place !== undefined && !isLate()) {
      const { kind }: ReopeningPlace = place;
      const page = await readPage(table, kind, place.after);
      for (const one of await closedIn(table, page.objects))
        if (await reopen(table, one)) reopened.push({ kind, id: idOf(one) });
      const following = objectKinds[objectKinds.indexOf(kind) + 1];
      if (page.after !== undefined) place = { kind, after: page.after };
      else place = following && { kind: following };
    }
    return { state: place === undefined ? 'done' : 'waiting', place };
  });
  return reopened;
}
