import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { backOff } from '../../../shared/core/monotonic-clock.ts';
import { and, type Condition, equals, isAtLeast, isBetween, startsWith } from '../../../shared/db/conditions.ts';
import { Contention } from '../../../shared/db/contention.ts';
import { Expressions } from '../../../shared/db/expressions.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { type indexes, nameOfKey, tableKey } from './keys.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_BATCH_GET = 100;

/** How often unprocessed keys of a batch are requested again before the read fails with Contention. */
const MAX_BATCH_ROUNDS = 8;

async function batch(table: Table, keys: readonly Key[], isConsistent: boolean): Promise<Item[]> {
  const items: Item[] = [];
  let wanted: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
  for (let round = 0; wanted.length > 0; round += 1) {
    if (round === MAX_BATCH_ROUNDS) throw new Contention('unprocessed keys of a batch');
    if (round > 0) await backOff(table, Math.random() * 25 * 2 ** round);
    const reply = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: wanted, ConsistentRead: isConsistent } } }),
    );
    items.push(...(reply.Responses?.[table.name] ?? []));
    wanted = reply.UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
  return items;
}

/**
 * The items with these keys, in no order. Missing items are left out.
 *
 * @param isConsistent false: eventually consistent, at half the price.
 */
export async function readItems(table: Table, keys: readonly Key[], isConsistent = true): Promise<Item[]> {
  if (keys.length <= MAX_BATCH_GET) return batch(table, keys, isConsistent);
  const batches = Array.from({ length: Math.ceil(keys.length / MAX_BATCH_GET) }, (_, index) =>
    batch(table, keys.slice(index * MAX_BATCH_GET, (index + 1) * MAX_BATCH_GET), isConsistent),
  );
  return (await Promise.all(batches)).flat();
}

/** Batches that are requested together before the size of their items is known: a batch has up to 16 MB. */
const FIRST_BATCHES = 4;

/** Batches that are requested together later, as far as their JSON has at most this number of bytes. */
const MOST_BATCHES = 50;
const MAX_BYTES_TOGETHER = 16_000_000;

/** The size of objects in stored items. */
const jsonBytesIn = (items: readonly Item[]) =>
  items.reduce((sum, { json }) => sum + (typeof json === 'string' ? json.length : 0), 0);

/**
 * As `readItems`, a few batches at a time, in the order of the keys: a caller that keeps little of each item never holds all of
 * them.
 */
export async function* readInParts(table: Table, keys: readonly Key[], isConsistent = true): AsyncGenerator<Item[]> {
  let batches = FIRST_BATCHES;
  for (let start = 0; start < keys.length;) {
    const part = keys.slice(start, start + batches * MAX_BATCH_GET);
    const items = await readItems(table, part, isConsistent);
    start += part.length;
    const bytesOfBatch = (jsonBytesIn(items) / part.length) * MAX_BATCH_GET;
    batches = Math.max(1, Math.min(MOST_BATCHES, Math.floor(MAX_BYTES_TOGETHER / bytesOfBatch)));
    yield items;
  }
}

/** The item with this key; strongly consistent by default. */
export async function readItem({ client, name }: Table, Key: Key, isConsistent = true): Promise<Item | undefined> {
  return (await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: isConsistent }))).Item;
}

/** A second item that the caller can use, read in the same call. */
export interface Companion {
  key: Key;
  take: (item: Item | undefined) => void;
}

/** Reads one item, strongly consistent. A companion may be read in the same call. */
export type ItemReader = (key: Key, companion?: Companion) => Promise<Item | undefined>;

export function readFrom(table: Table): ItemReader {
  return async (key, companion) => {
    if (companion === undefined) return readItem(table, key);
    const items = await readAhead(table, [key, companion.key]);
    companion.take(items.get(nameOfKey(companion.key)));
    return items.get(nameOfKey(key));
  };
}

/** Reads many items at once, by `nameOfKey`; the value of a missing item is undefined. Duplicate keys are read once. */
export async function readAhead(table: Table, keys: readonly Key[]): Promise<Map<string, Item | undefined>> {
  const wanted = new Map<string, Key>(keys.map((key) => [nameOfKey(key), key]));
  const itemsByName = new Map<string, Item | undefined>([...wanted.keys()].map((name) => [name, undefined]));
  for (const item of await readItems(table, [...wanted.values()])) itemsByName.set(nameOfKey(item), item);
  return itemsByName;
}

/**
 * Sort keys: those with a prefix (an empty one: all), or those from the first to the second, both included (without a
 * second: to the end).
 */
export type SortRange = string | readonly [from: string, to?: string | undefined];

function sortConditions(sortKey: string, range: SortRange): Condition[] {
  if (range === '') return [];
  if (typeof range === 'string') return [startsWith(sortKey, range)];
  const [from, to] = range;
  return [to === undefined ? isAtLeast(sortKey, from) : isBetween(sortKey, from, to)];
}

/** The items of one partition, in the order of their sort keys. */
export interface PartitionQuery extends Pick<
  QueryCommandInput,
  'ConsistentRead' | 'ExclusiveStartKey' | 'Limit' | 'ScanIndexForward' | 'Select'
> {
  /** Undefined: the table. */
  index?: (typeof indexes)[keyof typeof indexes] | undefined;
  partition: string;
  /** Undefined: all. */
  sort?: SortRange | undefined;
  filter?: Condition | undefined;
  /** The attributes to read; undefined: all. They cost the same, and less time. */
  attributes?: readonly string[] | undefined;
}

function queryOf(
  { name: TableName }: Table,
  { index, partition, sort = '', filter, attributes, ...options }: PartitionQuery,
) {
  const { partitionKey, sortKey } = index ?? tableKey;
  const expressions = new Expressions();
  const key = and(equals(partitionKey, partition), ...sortConditions(sortKey, sort));
  return new QueryCommand({
    TableName,
    ...(index === undefined ? {} : { IndexName: index.name }),
    KeyConditionExpression: expressions.condition(key),
    ...(filter === undefined ? {} : { FilterExpression: expressions.condition(filter) }),
    ...(attributes === undefined
      ? {}
      : { ProjectionExpression: attributes.map((name) => expressions.path(name)).join(', ') }),
    ...expressions.attributes,
    ...options,
  });
}

/** @returns `reached`: the sort key (of the table) of the last item that the query evaluated; undefined at the end. */
export async function queryPage(
  table: Table,
  query: PartitionQuery,
): Promise<{ items: Item[]; more: boolean; reached: string | undefined }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(queryOf(table, query));
  const isAll = LastEvaluatedKey === undefined;
  return { items: Items, more: !isAll, reached: isAll ? undefined : String(LastEvaluatedKey['sk']) };
}

/**
 * The first `size` items of a query, and whether more exist. Reads one item more than it returns: after exactly `Limit`
 * items DynamoDB returns a LastEvaluatedKey even at the end of the partition.
 */
export async function queryUpTo(
  table: Table,
  { size, ...query }: Omit<PartitionQuery, 'Limit'> & { size: number },
): Promise<{ items: Item[]; more: boolean }> {
  const { items, more } = await queryPage(table, { ...query, Limit: size + 1 });
  return { items: items.slice(0, size), more: more || items.length > size };
}

/** All items of a partition whose sort key starts with `prefix`, strongly consistent by default. */
export async function readCollection(
  table: Table,
  partition: string,
  prefix = '',
  isConsistent = true,
): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const query = { partition, sort: prefix, ConsistentRead: isConsistent, ExclusiveStartKey: start };
    const page = await table.client.send(queryOf(table, query));
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

/** The number of items in a partition of the table or an index, counted up to `most`. */
export async function queryCount(
  table: Table,
  query: Pick<PartitionQuery, 'index' | 'partition' | 'ConsistentRead'>,
  most = Infinity,
): Promise<number> {
  let count = 0;
  let start: Item | undefined;
  do {
    const page = await table.client.send(
      queryOf(table, {
        ...{ ...query, Select: 'COUNT', ExclusiveStartKey: start },
        ...(most === Infinity ? {} : { Limit: most - count }),
      }),
    );
    count += page.Count ?? 0;
    start = page.LastEvaluatedKey;
  } while (start !== undefined && count < most);
  return count;
}
