import type { Item } from '../../../shared/db/item.ts';
import { invalid } from './engine-errors.ts';
import { ExpressionParser } from './expression-parser.ts';
import { childOf, nameOf, type Placeholders, refuseOverlap, valueAt, valueOf } from './paths.ts';
import { isList, isMap, setAttribute, typeOf } from './values.ts';

/** The placeholders in the text of an expression. */
interface ExpressionUse {
  placeholders: ReadonlySet<string>;
}

/** Texts that are kept. The service has few, apart from those with many values. */
const MAX_KEPT = 2000;

/** Each text is parsed once. */
function parserOf<T extends object>(parse: (parser: ExpressionParser) => T): (text: string) => T & ExpressionUse {
  const cache = new Map<string, T & ExpressionUse>();
  return (text) => {
    const before = cache.get(text);
    if (before !== undefined) return before;
    const parser = new ExpressionParser(text);
    const parsed = { ...parse(parser), placeholders: parser.placeholders };
    parser.end();
    if (cache.size === MAX_KEPT) cache.clear();
    cache.set(text, parsed);
    return parsed;
  };
}

export const parseCondition = parserOf((parser) => ({
  ...parser.condition(),
  attributes: parser.attributes,
  ordered: parser.ordered,
}));
export const parseUpdate = parserOf((parser) => ({ clauses: parser.update() }));
export const parseProjection = parserOf((parser) => ({ paths: parser.projection() }));

export type ParsedCondition = ReturnType<typeof parseCondition>;
export type ParsedUpdate = ReturnType<typeof parseUpdate>;
export type ParsedProjection = ReturnType<typeof parseProjection>;

/** @throws DynamoDbError for a value without an order, where one is needed. */
export function refuseUnordered({ ordered }: ParsedCondition, of: Placeholders): void {
  for (const placeholder of ordered) {
    const type = typeOf(valueOf(placeholder, of)) ?? '';
    if (!['S', 'N', 'B'].includes(type))
      throw invalid(
        `Invalid ConditionExpression: Incorrect operand type for operator or function; operand type: ${type}`,
      );
  }
}

const none = {};

/**
 * The names and values of a call.
 *
 * @throws DynamoDbError for those that no expression uses.
 */
export function placeholdersOf(
  {
    ExpressionAttributeNames: names = none,
    ExpressionAttributeValues: values = none,
  }: {
    ExpressionAttributeNames?: Record<string, string> | undefined;
    ExpressionAttributeValues?: Item | undefined;
  },
  ...parsed: readonly (ExpressionUse | undefined)[]
): Placeholders {
  for (const [kind, all] of [
    ['Names', names],
    ['Values', values],
  ] as const)
    for (const placeholder in all)
      if (!parsed.some((use) => use?.placeholders.has(placeholder)))
        throw invalid(`Value provided in ExpressionAttribute${kind} unused in expressions: keys: {${placeholder}}`);
  return { names, values };
}

function setAt(parent: unknown, part: string | number, value: unknown, of: Placeholders): void {
  // Beyond its end, a list gets the value at its end.
  if (isList(parent) && typeof part === 'number') parent[Math.min(part, parent.length)] = value;
  else if (isMap(parent) && typeof part === 'string') setAttribute(parent, nameOf(part, of), value);
  else throw invalid('The document path provided in the update expression is invalid for update');
}

function removeAt(parent: unknown, part: string | number, of: Placeholders): void {
  if (typeof part === 'number') throw invalid('The removal of a part of a list is not supported');
  if (isMap(parent)) Reflect.deleteProperty(parent, nameOf(part, of));
  else throw invalid('The document path provided in the update expression is invalid for update');
}

function added(before: unknown, value: unknown): number {
  const start = before === undefined ? 0 : before;
  if (typeof start !== 'number' || typeof value !== 'number')
    throw invalid('An operand in the update expression has an incorrect data type');
  return start + value;
}

/** Changes the item. @throws DynamoDbError when the update does not fit it. */
export function update(item: Item, { clauses }: ParsedUpdate, of: Placeholders): void {
  refuseOverlap(
    clauses.map(({ path }) => path),
    of,
  );
  // All values are those before the update.
  const values = clauses.map((clause) => ('value' in clause ? clause.value(item, of) : undefined));
  for (const [index, { verb, path }] of clauses.entries()) {
    const parent = valueAt(item, path.slice(0, -1), of);
    const last = path.at(-1) ?? '';
    if (verb === 'REMOVE') removeAt(parent, last, of);
    else setAt(parent, last, verb === 'SET' ? values[index] : added(childOf(parent, last, of), values[index]), of);
  }
}

/** The part of an item that a projection names. */
export function project(item: Item, { paths }: ParsedProjection, of: Placeholders): Item {
  const part: Item = {};
  for (const path of paths) {
    const value = valueAt(item, path, of);
    if (value === undefined) continue;
    let parent = part;
    const names = path.map((step) => {
      if (typeof step === 'number') throw invalid('The projection of a part of a list is not supported');
      return nameOf(step, of);
    });
    for (const name of names.slice(0, -1)) {
      const child = parent[name];
      const next = isMap(child) ? child : {};
      setAttribute(parent, name, next);
      parent = next;
    }
    setAttribute(parent, names.at(-1) ?? '', value);
  }
  return part;
}
