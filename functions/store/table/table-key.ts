export const indexes = {
  byName: { name: 'by_name', partitionKey: 'list_pk', sortKey: 'list_sk' },
  byType: { name: 'by_type', partitionKey: 'type_pk', sortKey: 'list_sk' },
} as const;

/** A key as one string, for maps and sets. */
export const nameOfKey = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([pk, sk]);

export const tableKey = { partitionKey: 'pk', sortKey: 'sk' } as const;

/**
 * The time (seconds since 1970) from which DynamoDB may delete the item. Deletion may be days late, so code checks too.
 */
export const TTL_ATTRIBUTE = 'ttl';

/** Attributes of the table's keys and indexes, which are no fields of the object. */
export const tableAttributes: ReadonlySet<string> = new Set([
  tableKey.partitionKey,
  tableKey.sortKey,
  indexes.byName.partitionKey,
  indexes.byType.partitionKey,
  indexes.byName.sortKey,
]);
