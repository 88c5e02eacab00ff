import type { Item } from '../../../shared/db/item.ts';
import { invalidExpression } from './engine-errors.ts';
import { isList, isMap } from './values.ts';

/** The names and values of one call. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The first part is a name of an attribute. A number is an index of a list. A name may be a placeholder. */
export type Path = readonly [string, ...(string | number)[]];

/** Reads an operand; undefined when it does not exist. */
export type OperandReader = (item: Item | undefined, of: Placeholders) => unknown;

/** @throws DynamoDbError for a placeholder that is not defined. */
export function nameOf(part: string, { names }: Placeholders): string {
  if (!part.startsWith('#')) return part;
  const name = names[part];
  if (name !== undefined) return name;
  throw invalidExpression(
    `An expression attribute name used in the document path is not defined; attribute name: ${part}`,
  );
}

/** @throws DynamoDbError for a placeholder that is not defined. */
export function valueOf(placeholder: string, { values }: Placeholders): unknown {
  const value = values[placeholder];
  // The SDK sends no value that is undefined.
  if (value !== undefined) return value;
  throw invalidExpression(
    `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
  );
}

export function childOf(parent: unknown, part: string | number, of: Placeholders): unknown {
  if (typeof part === 'number') return isList(parent) ? parent[part] : undefined;
  const name = nameOf(part, of);
  return isMap(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined;
}

export function valueAt(item: Item | undefined, path: readonly (string | number)[], of: Placeholders): unknown {
  let value: unknown = item;
  for (const part of path) value = childOf(value, part, of);
  return value;
}

/** A text of the path in which each part ends, so that a path within another one starts with its text. */
const textOf = (path: Path, of: Placeholders) =>
  path.map((part) => `${typeof part === 'number' ? `[${part}` : nameOf(part, of)}\u0000`).join('');

/** @throws DynamoDbError when a path is another one of them, or within it. */
export function refuseOverlap(paths: readonly Path[], of: Placeholders): void {
  if (paths.length < 2) return;
  const texts = paths.map((path) => textOf(path, of)).sort();
  for (const [index, text] of texts.entries())
    if (texts[index + 1]?.startsWith(text) === true)
      throw invalidExpression('Two document paths overlap with each other; must remove or rewrite one of these paths');
}
