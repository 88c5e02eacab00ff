import type { Item, Table } from '../../../shared/db/table.ts';
import { indexes, nameClaims, tableKey } from '../table/keys.ts';
import { queryUpTo } from '../table/read.ts';

/** A partition whose items refer to objects, in the order of their list. */
export interface Collection {
  pk: string;
  /** The prefix of its sort keys before the order: `AGENT#` for a relation, empty for label index entries. */
  before: string;
  /** For a partition of the index by_name: the kind whose names its items claim. */
  claims?: keyof typeof nameClaims | undefined;
}

export interface Reference {
  order: string;
  id: string;
}

/** References in order. The list is complete up to `reach`; undefined: it is complete. */
export interface TruncatedList {
  references: Reference[];
  reach: Reference | undefined;
}

export interface Range {
  /** Prefix of the order. */
  prefix: string;
  /** The order after which the range begins. */
  after: string | undefined;
  /** The most references to read from a collection. */
  size: number;
}

/**
 * Compares as DynamoDB sorts: by UTF-8 bytes. JavaScript compares UTF-16 code units, which differs for surrogate pairs.
 */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** The references of a collection. One query, strongly consistent unless it is that of an index. */
export async function readReferences(
  table: Table,
  { pk, before, claims }: Collection,
  { prefix, after, size }: Range,
): Promise<TruncatedList> {
  const index = claims && indexes.byName;
  const { partitionKey, sortKey } = index ?? tableKey;
  const { items, more } = await queryUpTo(table, {
    index,
    partition: pk,
    sort: before + prefix,
    ConsistentRead: claims === undefined,
    size,
    ExclusiveStartKey:
      after === undefined
        ? undefined
        : { ...(claims && nameClaims[claims](after)), [partitionKey]: pk, [sortKey]: before + after },
  });
  const references = items.map((item: Item) => ({
    order: String(item[sortKey]).slice(before.length),
    id: String(item['object_id'] ?? item['owner_id']),
  }));
  return { references, reach: more ? references.at(-1) : undefined };
}

/** The references of all lists, complete up to the smallest `reach` of them. */
export function union(parts: readonly TruncatedList[], size: number): TruncatedList {
  const reaches = parts.flatMap(({ reach }) => reach ?? []).sort((left, right) => byBytes(left.order, right.order));
  const [reach] = reaches;
  const byOrder = new Map(
    parts.flatMap(({ references }) => references).map((reference) => [reference.order, reference]),
  );
  const references = [...byOrder.values()]
    .filter(({ order }) => reach === undefined || byBytes(order, reach.order) <= 0)
    .sort((left, right) => byBytes(left.order, right.order));
  if (references.length <= size) return { references, reach };
  const first = references.slice(0, size);
  return { references: first, reach: first.at(-1) };
}

function reachesFurther(list: TruncatedList, other: TruncatedList): boolean {
  if (list.reach === undefined || other.reach === undefined) return list.reach === undefined;
  return byBytes(list.reach.order, other.reach.order) > 0;
}

/**
 * Intersection of sorted id lists that may be truncated. The list that covers the widest key range is the most
 * selective and drives the page; the others only exclude ids inside the range they cover.
 */
export function intersection([first, ...more]: readonly [TruncatedList, ...TruncatedList[]]): TruncatedList {
  const rarest = more.reduce((best, list) => (reachesFurther(list, best) ? list : best), first);
  const others = [first, ...more]
    .filter((list) => list !== rarest)
    .map(({ references, reach }) => ({ orders: new Set(references.map(({ order }) => order)), reach }));
  const mayBeIn = ({ order }: Reference) =>
    others.every(({ orders, reach }) => orders.has(order) || (reach !== undefined && byBytes(order, reach.order) > 0));
  return { references: rarest.references.filter(mayBeIn), reach: rarest.reach };
}
