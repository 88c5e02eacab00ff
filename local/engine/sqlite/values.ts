import { isRecord, type Item } from '../../../shared/db/item.ts';
import { invalid } from './engine-errors.ts';

/**
 * Plain values of items, as the document client of the SDK has them: string, number, boolean, null, Uint8Array, list, map.
 * Sets and numbers beyond those of JavaScript are refused: this service stores none.
 */
export type ValueType = 'S' | 'N' | 'BOOL' | 'NULL' | 'B' | 'L' | 'M';

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

export const isMap = (value: unknown): value is Item => isRecord(value) && !isBytes(value);

export function typeOf(value: unknown): ValueType | undefined {
  switch (typeof value) {
    case 'string':
      return 'S';
    case 'number':
      return 'N';
    case 'boolean':
      return 'BOOL';
    case 'object':
      return value === null ? 'NULL' : isList(value) ? 'L' : isBytes(value) ? 'B' : 'M';
    default:
      return undefined;
  }
}

/** Sets an attribute of any name: an assignment to `__proto__` would set no attribute. */
export function setAttribute(map: Item, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  else map[name] = value;
}

/** Surrogates are above all other code units: they stand for code points beyond them. */
const rank = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** The order of the bytes of UTF-8, which is that of DynamoDB and of SQLite. That of JavaScript differs for surrogates. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Undefined: values of different types, and of these types, have no order. */
export function compare(left: unknown, right: unknown): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (isBytes(left) && isBytes(right)) return Buffer.compare(left, right);
  return undefined;
}

/** Whether both are values, of one type, and the same. */
export function equal(left: unknown, right: unknown): boolean {
  if (left === right) return left !== undefined;
  if (isBytes(left)) return isBytes(right) && Buffer.compare(left, right) === 0;
  if (isList(left))
    return isList(right) && left.length === right.length && left.every((item, index) => equal(item, right[index]));
  if (!isMap(left) || !isMap(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name]))
  );
}

/** The name that marks bytes in the stored JSON. No attribute may have it. */
const BYTES = '\u0000B';
const BYTES_IN_JSON = JSON.stringify(BYTES);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const MAX_DEPTH = 32;

function numberBytes(value: number): number {
  if (!Number.isFinite(value)) throw invalid('NaN and Infinity are not numbers of DynamoDB');
  // The SDK refuses these: they may be another number than the one that was meant.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw invalid(`${value} is not a safe integer`);
  const [digits = ''] = String(Math.abs(value)).split('e');
  return Math.ceil(digits.replace('.', '').length / 2) + 1 + (value < 0 ? 1 : 0);
}

/** A walk over an item before it is stored. */
class Encoding {
  /** JSON.stringify of the item is what is stored: it has no bytes, and no absent entries of lists. */
  isPlain = true;

  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
  bytesOf(value: unknown, depth: number): number {
    if (typeof value === 'string') return Buffer.byteLength(value);
    if (typeof value === 'number') return numberBytes(value);
    if (typeof value === 'boolean' || value === null) return 1;
    if (isBytes(value)) {
      this.isPlain = false;
      return value.length;
    }
    if (depth > MAX_DEPTH) throw invalid('Nesting Levels have exceeded supported limits');
    if (isList(value)) return 3 + this.#bytesOfList(value, depth);
    if (value instanceof Set) throw invalid('Sets are not supported');
    if (isMap(value)) return 3 + this.bytesOfMap(value, depth, 1);
    throw invalid(`Unsupported type of a value: ${typeof value}`);
  }

  #bytesOfList(list: readonly unknown[], depth: number): number {
    let sum = 0;
    for (const item of list)
      if (item === undefined) this.isPlain = false;
      else sum += 1 + this.bytesOf(item, depth + 1);
    return sum;
  }

  /** @param overhead bytes of each entry. */
  bytesOfMap(map: Item, depth: number, overhead: number): number {
    let sum = 0;
    for (const name of Object.keys(map)) {
      const value = map[name];
      if (value === undefined) continue;
      if (name === BYTES) throw invalid('The name of an attribute is not supported');
      sum += overhead + Buffer.byteLength(name) + this.bytesOf(value, depth + 1);
    }
    return sum;
  }
}

function withMarks(value: unknown): unknown {
  if (isBytes(value)) return { [BYTES]: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') };
  if (isList(value)) return value.filter((item) => item !== undefined).map(withMarks);
  return isMap(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withMarks(item)]))
    : value;
}

function withBytes(value: unknown): unknown {
  if (isList(value)) return value.map(withBytes);
  if (!isMap(value)) return value;
  const bytes = value[BYTES];
  if (typeof bytes === 'string') return Buffer.from(bytes, 'base64');
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withBytes(item)]));
}

export interface EncodedItem {
  /** As DynamoDB counts it. */
  bytes: number;
  /** The JSON of the item, with marks for bytes. */
  text: string;
}

/** @throws DynamoDbError for a value that DynamoDB, or this engine, does not store. */
export function encode(item: Item): EncodedItem {
  const encoding = new Encoding();
  const bytes = encoding.bytesOfMap(item, 0, 0);
  return { bytes, text: JSON.stringify(encoding.isPlain ? item : withMarks(item)) };
}

/** The item, which nothing else refers to. */
export function decode(text: string): Item {
  const stored: unknown = JSON.parse(text);
  const item = text.includes(BYTES_IN_JSON) ? withBytes(stored) : stored;
  if (!isMap(item)) throw new TypeError('a row without an item');
  return item;
}
