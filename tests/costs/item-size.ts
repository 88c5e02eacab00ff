import type { Item } from '../../shared/db/item.ts';
import { indexes } from '../../functions/store/table/keys.ts';

/**
 * Bytes that DynamoDB counts for an item: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 * `engine-capacity.test.ts` compares it with what the engine charges.
 */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

/** For numbers that are not negative: a sign takes a byte more. A list or a map takes 3 bytes, and 1 for each element. */
function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replace('.', '').length / 2) + 1;
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 1 + valueBytes(item), 3);
  if (typeof value === 'object') return 3 + Object.keys(value).length + itemBytes(value as Item);
  throw new TypeError(`no value of an item: ${typeof value}`);
}

/** DynamoDB stores 100 bytes with each item and each copy of it in an index. https://aws.amazon.com/dynamodb/pricing/on-demand/ */
const OVERHEAD_BYTES = 100;

/** Bytes that DynamoDB stores for an item. Both indexes contain copies of whole items. */
export function storedBytes(item: Item): number {
  const copies = Object.values(indexes).filter((index) => index.partitionKey in item && index.sortKey in item);
  return (1 + copies.length) * (itemBytes(item) + OVERHEAD_BYTES);
}
