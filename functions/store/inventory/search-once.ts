import * as z from 'zod/mini';
import type { Table } from '../../../shared/db/table.ts';
import { type ObjectKind, objectKinds } from '../../domain/fields/object-kind.ts';
import { type Entity, entityIn } from '../entities/entity.ts';
import { readJobs, type ResumableJob, runPart } from '../jobs/resumable-job.ts';
import { indexes, listPartition, type SingleJob, tableKey } from '../table/keys.ts';
import { queryUpTo } from '../table/read.ts';

/** How far the search has come. */
const placeSchema = z.object({
  kind: z.enum(objectKinds),
  /** The key of the last object in the index. */
  after: z.optional(z.record(z.string(), z.string())),
});

type SearchPlace = z.output<typeof placeSchema>;

/** After this, another process may repeat a search that was interrupted. */
const LEASE_MS = 600_000;

const PAGE_SIZE = 1000;

/** A page of all objects of a kind. @returns `after`: the start of the next page; undefined: none follows. */
async function readPage(table: Table, kind: ObjectKind, start: SearchPlace['after']) {
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
 * Looks at all objects once in the life of an inventory, page by page. A search that has no time left, or is interrupted, is continued by
 * the next call. After it, a call costs one read.
 */
export async function searchOnce(
  table: Table,
  name: SingleJob,
  { clock, isLate }: { clock: () => Date; isLate: () => boolean },
  look: (objects: readonly Entity[], kind: ObjectKind) => Promise<void>,
): Promise<void> {
  const [search] = await readJobs(table, [name], clock());
  if (search?.state === 'done') return;
  const job: ResumableJob<SearchPlace> = { name, place: () => placeSchema };
  await runPart(table, job, { clock, leaseMs: LEASE_MS }, async (begin) => {
    let place: SearchPlace | undefined = begin ?? { kind: objectKinds[0] };
    while (place !== undefined && !isLate()) {
      const { kind }: SearchPlace = place;
      const page = await readPage(table, kind, place.after);
      await look(page.objects, kind);
      const following: ObjectKind | undefined = objectKinds[objectKinds.indexOf(kind) + 1];
      if (page.after !== undefined) place = { kind, after: page.after };
      else place = following && { kind: following };
    }
    return { state: place === undefined ? 'done' : 'waiting', place };
  });
}
