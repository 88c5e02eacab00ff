import type { Table } from '../../../shared/db/table.ts';
import { indexes, listPartition, objectKey, type ObjectKind, typePartition } from '../table/keys.ts';
import { queryByOrder, queryCount, readItems } from '../table/read.ts';
import { byBytes, type TruncatedList } from './merge-references.ts';
import { idOf, orderOf, type Entity, toEntity } from '../entities/entity.ts';
import { fitting, type Page, type PageOptions } from '../table/page.ts';

/** Which of the objects that were read belong into the list. */
type Filter = (entity: Entity) => boolean;

interface Listing {
  kind: ObjectKind;
  /** What the order of the objects starts with. */
  prefix: string;
  filter: Filter;
}

/** Which objects there are, or those of one type. One query of an index; what the filter leaves out makes the page short. */
export async function listByIndex(
  table: Table,
  { kind, type, prefix, filter }: Listing & { type: string | undefined },
  { size, after }: PageOptions,
): Promise<Page<Entity>> {
  const isByType = type !== undefined && kind !== 'agent';
  const index = isByType ? indexes.byType : indexes.byName;
  const partition = isByType ? typePartition(kind, type) : listPartition(kind);
  const { items, more } = await queryByOrder(table, {
    IndexName: index.name,
    partition: [index.partitionKey, partition],
    sort: [index.sortKey, prefix],
    size,
    ...(after === undefined
      ? {}
      : {
          ExclusiveStartKey: {
            ...objectKey(kind, after[1]),
            [index.partitionKey]: partition,
            [index.sortKey]: after[0],
          },
        }),
  });
  // A query answers with 1 MB at most, which a reply can carry.
  const { objects, next } = pageOf(
    items.map((item) => toEntity(kind, item)),
    more,
  );
  return { objects: objects.filter(filter), next };
}

/** No page of 1 MB holds more objects. */
const PAGE_SIZE = 10_000;

/** All objects of a kind, in the order of their list, one page of the index after the other. Eventually consistent. */
export async function* allPages(table: Table, kind: ObjectKind, prefix = ''): AsyncGenerator<Entity[]> {
  let after: PageOptions['after'];
  do {
    const page = await listByIndex(
      table,
      { kind, type: undefined, prefix, filter: () => true },
      { size: PAGE_SIZE, after },
    );
    yield page.objects;
    after = page.next;
  } while (after !== undefined);
}

export async function readById(table: Table, kind: ObjectKind, ids: readonly string[]): Promise<Map<string, Entity>> {
  const found = await readItems(
    table,
    ids.map((id) => objectKey(kind, id)),
  );
  return new Map(found.map((item) => toEntity(kind, item)).map((entity) => [idOf(entity), entity]));
}

/** Which of the objects that are named here? One round of strongly consistent batch reads. */
export async function listByReference(
  table: Table,
  { kind, filter }: Omit<Listing, 'prefix'>,
  { references, reach }: TruncatedList,
): Promise<Page<Entity>> {
  const ids = references.map(({ id }) => id);
  const byId = await readById(table, kind, ids);
  // An object that went between the two reads is left out, like one that went before.
  const objects = ids.flatMap((id) => byId.get(id) ?? []).filter(filter);
  const shown = fitting(objects.map(({ object }) => object));
  if (shown < objects.length) return pageOf(objects.slice(0, shown), true);
  // The next page goes on from the last reference, also when its object is gone.
  return { objects, next: reach === undefined ? undefined : [reach.order, reach.id] };
}

/** Which objects have one of these ids? All of them are read for each page: there are few. */
export async function listById(
  table: Table,
  { kind, prefix, filter }: Listing,
  ids: readonly string[],
  { size, after }: PageOptions,
): Promise<Page<Entity>> {
  const found = await readById(table, kind, [...new Set(ids)]);
  const objects = [...found.values()]
    .filter(filter)
    .filter((one) => orderOf(one).startsWith(prefix) && (after === undefined || byBytes(orderOf(one), after[0]) > 0))
    .sort((left, right) => byBytes(orderOf(left), orderOf(right)));
  const shown = Math.min(size, fitting(objects.map(({ object }) => object)));
  return pageOf(objects.slice(0, shown), shown < objects.length);
}

/** Is there any object of this type? One query that reads one key. */
export async function hasType(table: Table, kind: 'node' | 'service', type: string): Promise<boolean> {
  const { partitionKey, name: IndexName } = indexes.byType;
  return (await queryCount(table, { IndexName, partition: [partitionKey, typePartition(kind, type)] }, 1)) > 0;
}

function pageOf(objects: Entity[], more: boolean): Page<Entity> {
  const last = objects.at(-1);
  return { objects, next: more && last !== undefined ? [orderOf(last), idOf(last)] : undefined };
}
