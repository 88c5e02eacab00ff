import type { Item, Table } from '../../../shared/db/table.ts';
import { queryByOrder } from '../table/read.ts';

/** A partition whose items each name an object of a list, in the order of that list. */
export interface Collection {
  pk: string;
  /** What stands before the order in its sort keys: `AGENT#` of a relation, nothing of a facet. */
  before: string;
}

export interface Reference {
  order: string;
  id: string;
}

/** References in order; up to `reach` there are no others. Without one they are all there are. */
export interface TruncatedList {
  references: Reference[];
  reach: Reference | undefined;
}

export interface Range {
  /** What the order starts with. */
  prefix: string;
  /** The order after which it begins. */
  after: string | undefined;
  /** Most references of a collection to read. */
  size: number;
}

/** As the table sorts: by the bytes of UTF-8, where JavaScript compares halves of characters. */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** One strongly consistent query. */
export async function readReferences(
  table: Table,
  { pk, before }: Collection,
  { prefix, after, size }: Range,
): Promise<TruncatedList> {
  const { items, more } = await queryByOrder(table, {
    partition: ['pk', pk],
    sort: ['sk', before + prefix],
    ConsistentRead: true,
    size,
    ...(after === undefined ? {} : { ExclusiveStartKey: { pk, sk: before + after } }),
  });
  const references = items.map(({ sk, object_id: id }: Item) => ({
    order: String(sk).slice(before.length),
    id: String(id),
  }));
  return { references, reach: more ? references.at(-1) : undefined };
}

/** What is named by any of them: complete as far as the one that reaches least. */
export function union(parts: readonly TruncatedList[], size: number): TruncatedList {
  const reaches = parts.flatMap(({ reach }) => reach ?? []).sort((left, right) => byBytes(left.order, right.order));
  const [reach] = reaches;
  const byOrder = new Map(parts.flatMap(({ references }) => references).map((one) => [one.order, one]));
  const references = [...byOrder.values()]
    .filter(({ order }) => reach === undefined || byBytes(order, reach.order) <= 0)
    .sort((left, right) => byBytes(left.order, right.order));
  if (references.length <= size) return { references, reach };
  const first = references.slice(0, size);
  return { references: first, reach: first.at(-1) };
}

function reachesFurther(one: TruncatedList, other: TruncatedList): boolean {
  if (one.reach === undefined && other.reach === undefined) return one.references.length < other.references.length;
  if (one.reach === undefined || other.reach === undefined) return one.reach === undefined;
  return byBytes(one.reach.order, other.reach.order) > 0;
}

/**
 * What is named by all of them, and perhaps others beyond where some end: whoever reaches furthest with as many
 * references is the rarest, and is followed; the others leave out what they would have named.
 */
export function intersection([first, ...more]: readonly [TruncatedList, ...TruncatedList[]]): TruncatedList {
  const rarest = more.reduce((best, one) => (reachesFurther(one, best) ? one : best), first);
  const others = [first, ...more]
    .filter((one) => one !== rarest)
    .map(({ references, reach }) => ({ orders: new Set(references.map(({ order }) => order)), reach }));
  const mayBeIn = ({ order }: Reference) =>
    others.every(({ orders, reach }) => orders.has(order) || (reach !== undefined && byBytes(order, reach.order) > 0));
  return { references: rarest.references.filter(mayBeIn), reach: rarest.reach };
}
