import type { Position } from '../../shared/db/page-token.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import {
  agentOrder,
  API_KEY_NAME_PREFIX,
  API_KEYS_PARTITION,
  apiKeyItemKey,
  indexes,
  listPartition,
  type ObjectKind,
  objectKey,
  type Relation,
  relations,
  typePartition,
} from './keys.ts';
import type { NodeType } from '../catalogue/node-types.ts';
import type { ServiceType } from '../catalogue/service-types.ts';
import { keyCondition, queryPage, readItems } from './read.ts';
import { idOf, type Stored, toStored } from './stored.ts';

/** A Lambda may answer with 6 MB; escaping and the envelope need some of it. */
const MAX_PAGE_BYTES = 5_500_000;

export interface PageOptions {
  size: number;
  /** Where the page before ended. */
  after: Position | undefined;
}

export interface Page<T> {
  objects: T[];
  /** Where this page ended; undefined at the end of the list. */
  next: Position | undefined;
}

/** What the objects of a kind are sorted by in every list. */
function sortKeyOf(stored: Stored): string {
  if (stored.kind === 'node') return stored.object.node_name;
  if (stored.kind === 'service') return stored.object.service_name;
  return agentOrder(stored.object);
}

/** Which objects there are, or those of one type, whose sort key starts with `prefix`. One query of an index. */
export async function listByIndex(
  table: Table,
  { kind, type, prefix = '' }: { kind: ObjectKind; type?: NodeType | ServiceType | undefined; prefix?: string },
  { size, after }: PageOptions,
): Promise<Page<Stored>> {
  const index = type === undefined || kind === 'agent' ? indexes.byName : indexes.byType;
  const partition = type === undefined || kind === 'agent' ? listPartition(kind) : typePartition(kind, type);
  const { items, more } = await queryPage(table, {
    IndexName: index.name,
    ...keyCondition({ partitionName: index.partitionKey, sortName: index.sortKey, partition, prefix }),
    Limit: size,
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
  return pageOf(
    items.map((item) => toStored(kind, item)),
    more,
  );
}

/**
 * Which objects does this partition of edges or facets name? One strongly consistent query for the ids, one round of
 * strongly consistent batch reads for the objects.
 *
 * @param before what stands before the sort key of the objects: `AGENT#` of a relation, nothing of a facet.
 */
async function listByReference(
  table: Table,
  { kind, partition, before, prefix }: { kind: ObjectKind; partition: string; before: string; prefix: string },
  { size, after }: PageOptions,
): Promise<Page<Stored>> {
  const { items, more } = await queryPage(table, {
    ...keyCondition({ partitionName: 'pk', sortName: 'sk', partition, prefix: before + prefix }),
    ConsistentRead: true,
    Limit: size,
    ...(after === undefined ? {} : { ExclusiveStartKey: { pk: partition, sk: before + after[0] } }),
  });
  const ids = items.map(({ object_id: id }) => String(id));
  const found = await readItems(
    table,
    ids.map((id) => objectKey(kind, id)),
  );
  const byId = new Map(found.map((item) => toStored(kind, item)).map((stored) => [idOf(stored), stored]));
  // An object that went between the two reads is left out, like one that went before.
  const objects = ids.flatMap((id) => byId.get(id) ?? []);
  const last = items.at(-1);
  const shown = fitting(objects);
  if (shown < objects.length) return pageOf(objects.slice(0, shown), true);
  // The next page goes on from the last edge, also when its object is gone.
  const next: Position | undefined =
    more && last !== undefined ? [String(last['sk']).slice(before.length), String(last['object_id'])] : undefined;
  return { objects, next };
}

export function listByRelation(
  table: Table,
  { kind, id, relation, prefix = '' }: { kind: ObjectKind; id: string; relation: Relation; prefix?: string },
  page: PageOptions,
): Promise<Page<Stored>> {
  const { pk } = objectKey(kind, id);
  const listed = relation === 'services' ? 'service' : 'agent';
  return listByReference(table, { kind: listed, partition: pk, before: relations[relation], prefix }, page);
}

export function listByFacet(
  table: Table,
  { kind, partition, prefix = '' }: { kind: 'node' | 'service'; partition: string; prefix?: string },
  page: PageOptions,
): Promise<Page<Stored>> {
  return listByReference(table, { kind, partition, before: '', prefix }, page);
}

/** Is there any object of this type? One query that reads one key. */
export async function hasType(table: Table, kind: 'node' | 'service', type: NodeType | ServiceType): Promise<boolean> {
  const { partitionKey: partitionName, sortKey: sortName, name } = indexes.byType;
  const { items } = await queryPage(table, {
    IndexName: name,
    ...keyCondition({ partitionName, sortName, partition: typePartition(kind, type), prefix: '' }),
    Limit: 1,
  });
  return items.length > 0;
}

/** Which API keys are there, by name? One query for their hashes, one round of batch reads for the keys. */
export async function listApiKeyItems(table: Table, { size, after }: PageOptions): Promise<Page<Item>> {
  const { items, more } = await queryPage(table, {
    ...keyCondition({
      partitionName: 'pk',
      sortName: 'sk',
      partition: API_KEYS_PARTITION,
      prefix: API_KEY_NAME_PREFIX,
    }),
    ConsistentRead: true,
    Limit: size,
    ...(after === undefined
      ? {}
      : { ExclusiveStartKey: { pk: API_KEYS_PARTITION, sk: API_KEY_NAME_PREFIX + after[0] } }),
  });
  const hashes = items.map(({ key_hash: hash }) => String(hash));
  const found = await readItems(table, hashes.map(apiKeyItemKey));
  const byPartition = new Map(found.map((item) => [item['pk'], item]));
  const last = items.at(-1);
  return {
    objects: hashes.flatMap((hash): Item[] => {
      const item = byPartition.get(apiKeyItemKey(hash).pk);
      return item === undefined ? [] : [item];
    }),
    next:
      more && last !== undefined
        ? [String(last['sk']).slice(API_KEY_NAME_PREFIX.length), String(last['key_id'])]
        : undefined,
  };
}

function pageOf(objects: Stored[], more: boolean): Page<Stored> {
  const last = objects.at(-1);
  return { objects, next: more && last !== undefined ? [sortKeyOf(last), idOf(last)] : undefined };
}

/** How many of the objects one reply can carry, one at least. */
function fitting(objects: readonly Stored[]): number {
  let bytes = 0;
  const tooMany = objects.findIndex((stored, index) => {
    // Twice: the body is a text in Lambda's reply, where its quotes are escaped once more.
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(stored.object)));
    return bytes > MAX_PAGE_BYTES && index > 0;
  });
  return tooMany === -1 ? objects.length : tooMany;
}
