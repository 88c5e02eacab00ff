import { equal } from './values.ts';
import type { StoredItem, TableSchema } from './rows.ts';

/*
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations
 */

/** Of one item, or of all items of a page together. */
export const readUnits = (bytes: number, isConsistent: boolean | undefined) =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent === true ? 1 : 0.5);

const unitsOf = ({ bytes }: { bytes: number } = { bytes: 0 }) => Math.max(1, Math.ceil(bytes / 1024));

/** Undefined when the item is not in the index. */
function keyIn({ partition, sort }: TableSchema['indexes'][string], stored: StoredItem | undefined) {
  const [first, second] = [stored?.item[partition], stored?.item[sort]];
  return first === undefined || second === undefined ? undefined : JSON.stringify([first, second]);
}

/** Write units of the indexes: an entry that moves is deleted and put, and one of an unchanged item costs nothing. */
function indexUnits(schema: TableSchema, before: StoredItem | undefined, after: StoredItem | undefined): number {
  let units = 0;
  for (const key of Object.values(schema.indexes)) {
    const [old, fresh] = [keyIn(key, before), keyIn(key, after)];
    if (old !== fresh) units += (old === undefined ? 0 : unitsOf(before)) + (fresh === undefined ? 0 : unitsOf(after));
    else if (old !== undefined && !equal(before?.item, after?.item)) units += Math.max(unitsOf(before), unitsOf(after));
  }
  return units;
}

/** @param factor of the table: 2 in a transaction. */
export const writeUnits = (
  schema: TableSchema,
  { before, after }: { before: StoredItem | undefined; after: StoredItem | undefined },
  factor: number,
) => factor * Math.max(unitsOf(before), unitsOf(after)) + indexUnits(schema, before, after);

/** The units by table, in the form of a reply. */
export function consumed(units: ReadonlyMap<string, number>) {
  return Array.from(units, ([TableName, CapacityUnits]) => ({ TableName, CapacityUnits }));
}
