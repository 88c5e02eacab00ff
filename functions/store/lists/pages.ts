import type { Table } from '../../../shared/db/table.ts';
import { fitting, MAX_REPLY_BYTES } from '../../../shared/core/reply-size.ts';
import { indexes, listPartition, objectKey, type ObjectKind, typePartition } from '../table/keys.ts';
import { queryCount, queryUpTo, type SortRange } from '../table/read.ts';
import { byBytes, type TruncatedList } from './merge-references.ts';
import { objectsById, objectsInParts } from '../entities/get.ts';
import {
  idIn,
  idOf,
  isStoredAsJson,
  jsonOf,
  listedAttributes,
  orderOf,
  type Entity,
  entityIn,
} from '../entities/entity.ts';
import { withOnly } from '../entities/with-labels.ts';
import type { Page, PageOptions } from '../table/page.ts';

/** Whether an object that was read belongs to the list. */
type Filter = (entity: Entity) => boolean;

interface Listing {
  kind: ObjectKind;
  /** Prefix of the order of the objects. */
  prefix: string;
  filter: Filter;
}

/** All objects of a kind whose order is in a range, or those of one type. */
interface IndexListing extends Omit<Listing, 'prefix'> {
  type: string | undefined;
  range: SortRange;
  /** Only what replies contain is read: the objects cannot be written. */
  isForReply?: boolean | undefined;
}

/**
 * The objects of a kind, or of one type. One query of an index. Objects that the filter excludes make the page shorter.
 */
export async function listByIndex(
  table: Table,
  { kind, type, range, filter, isForReply = false }: IndexListing,
  { size, after }: PageOptions,
): Promise<Page<Entity>> {
  const isByType = type !== undefined && kind !== 'agent';
  const index = isByType ? indexes.byType : indexes.byName;
  const partition = isByType ? typePartition(kind, type) : listPartition(kind);
  const query = {
    index,
    partition,
    sort: range,
    size,
    ExclusiveStartKey: after && {
      ...objectKey(kind, after[1]),
      [index.partitionKey]: partition,
      [index.sortKey]: after[0],
    },
  };
  const listed = await queryUpTo(table, { ...query, attributes: isForReply ? listedAttributes(kind) : undefined });
  // Objects from before they were stored as JSON have other attributes.
  const isWhole = !isForReply || listed.items.every(isStoredAsJson);
  const { items, more } = isWhole ? listed : await queryUpTo(table, query);
  // A query returns at most 1 MB, which fits into a reply.
  const objects = items.map((item) => entityIn(kind, item)).filter(filter);
  const last = items.at(-1);
  return { objects, next: more && last !== undefined ? [String(last[index.sortKey]), idIn(kind, last)] : undefined };
}

/** No page of 1 MB contains more objects. */
const PAGE_SIZE = 10_000;

/** All objects of a kind, or those in a range, in the order of their list, one page of the index after the other. Eventually consistent. */
export async function* allPages(table: Table, kind: ObjectKind, range: SortRange = ''): AsyncGenerator<Entity[]> {
  let after: PageOptions['after'];
  do {
    const page = await listByIndex(
      table,
      { kind, type: undefined, range, filter: () => true },
      { size: PAGE_SIZE, after },
    );
    yield page.objects;
    after = page.next;
  } while (after !== undefined);
}

/**
 * The objects of a kind by their ids, without custom labels: all, or those of the first pages that together have `most`. Eventually
 * consistent.
 */
export async function listedById(table: Table, kind: ObjectKind, most = Infinity): Promise<Map<string, Entity>> {
  const byId = new Map<string, Entity>();
  for await (const page of allPages(table, kind)) {
    for (const entity of page) byId.set(idOf(entity), withOnly(entity, []));
    if (byId.size >= most) break;
  }
  return byId;
}

/**
 * Those of the objects with these ids that pass the filter, by id, until they are more than fit into a reply. Strongly consistent
 * batch reads, in one round for a usual page.
 */
export async function firstById(
  table: Table,
  kind: ObjectKind,
  ids: readonly string[],
  filter: Filter,
): Promise<Map<string, Entity>> {
  const byId = new Map<string, Entity>();
  let bytes = 0;
  const wanted = Array.from(new Set(ids), (id) => ({ kind, id }));
  for await (const part of objectsInParts(table, wanted)) {
    for (const entity of part.filter(filter)) {
      byId.set(idOf(entity), entity);
      bytes += jsonOf(entity).length;
    }
    if (bytes > MAX_REPLY_BYTES) break;
  }
  return byId;
}

/** The objects of these references that pass the filter. One round of strongly consistent batch reads. */
export async function listByReference(
  table: Table,
  { kind, filter }: Omit<Listing, 'prefix'>,
  { references, reach }: TruncatedList,
): Promise<Page<Entity>> {
  const ids = references.map(({ id }) => id);
  const byId = await firstById(table, kind, ids, filter);
  // An object that was removed between the two reads is left out.
  const objects = ids.flatMap((id) => byId.get(id) ?? []);
  const shown = fitting(objects.map(({ object }) => object));
  if (shown < objects.length) return pageOf(objects.slice(0, shown), true);
  // The next page continues after the last reference, even if its object was removed.
  return { objects, next: reach === undefined ? undefined : [reach.order, reach.id] };
}

/** The objects with these ids. Reads all of them for each page: they are few. */
export async function listById(
  table: Table,
  { kind, prefix, filter }: Listing,
  ids: readonly string[],
  { size, after }: PageOptions,
): Promise<Page<Entity>> {
  const byId = await objectsById(table, kind, ids);
  const objects = [...byId.values()]
    .filter(filter)
    .filter(
      (entity) => orderOf(entity).startsWith(prefix) && (after === undefined || byBytes(orderOf(entity), after[0]) > 0),
    )
    .sort((left, right) => byBytes(orderOf(left), orderOf(right)));
  const shown = Math.min(size, fitting(objects.map(({ object }) => object)));
  return pageOf(objects.slice(0, shown), shown < objects.length);
}

/** Whether any object of this type exists. One query of one key. */
export async function hasType(table: Table, kind: 'node' | 'service', type: string): Promise<boolean> {
  return (await queryCount(table, { index: indexes.byType, partition: typePartition(kind, type) }, 1)) > 0;
}

function pageOf(objects: Entity[], more: boolean): Page<Entity> {
  const last = objects.at(-1);
  return { objects, next: more && last !== undefined ? [orderOf(last), idOf(last)] : undefined };
}
