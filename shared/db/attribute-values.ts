import { isRecord, type Item } from './item.ts';

/**
 * Values as the low-level API of DynamoDB represents them, without sets, which the table does not contain: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
 */
export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { M: Record<string, AttributeValue> }
  | { L: AttributeValue[] };

/** @throws TypeError for a value that is neither binary nor one of JSON. */
export function toAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  // `undefined` has no place in a list.
  if (Array.isArray(value)) return { L: value.filter((entry) => entry !== undefined).map(toAttribute) };
  if (isRecord(value)) return { M: toAttributes(value) };
  throw new TypeError(`not an attribute value: ${typeof value}`);
}

/** The attributes of an item; undefined ones are left out. */
export function toAttributes(item: Item): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value !== undefined) define(attributes, name, toAttribute(value));
  }
  return attributes;
}

/** A label may have the name `__proto__`, which an assignment would take for the prototype. */
function define<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

/** @param attribute a value in a reply of the database. */
function toValue(attribute: unknown): unknown {
  if (isRecord(attribute))
    for (const type in attribute) {
      const value = attribute[type];
      switch (type) {
        case 'S':
        case 'BOOL':
          return value;
        case 'B':
          return Buffer.from(String(value), 'base64');
        case 'N':
          return Number(value);
        case 'NULL':
          return null;
        case 'M':
          return toItem(value);
        case 'L':
          return toValues(value);
      }
    }
  throw new TypeError('a value of a type that the table does not contain');
}

function toValues(list: unknown): unknown[] {
  if (!Array.isArray(list)) throw new TypeError('not a list');
  return list.map(toValue);
}

/** The item with these attributes. It is the same object, with other values: another object would take twice the time. */
export function toItem(attributes: unknown): Item {
  if (!isRecord(attributes)) throw new TypeError('not an item');
  for (const name in attributes) {
    const attribute = attributes[name];
    // Most attributes are texts.
    const text = isRecord(attribute) ? attribute['S'] : undefined;
    define(attributes, name, typeof text === 'string' ? text : toValue(attribute));
  }
  return attributes;
}
