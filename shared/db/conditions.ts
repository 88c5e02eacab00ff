import { StaleRead } from './contention.ts';

/** The error of a condition on what was read before: the caller reads again. */
export const stale = () => new StaleRead();

/** An attribute of an item, or an entry of an attribute that is a map. */
export type AttributePath = string | readonly [attribute: string, entry: string];

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

type AttributeCondition = { path: AttributePath } & (
  | { test: 'attribute_exists' | 'attribute_not_exists' }
  | { test: Comparator | 'begins_with'; value: unknown }
  | { test: 'BETWEEN' | 'IN'; values: readonly unknown[] }
);

/** A condition on one item. Expressions (expressions.ts) compiles it to the text that DynamoDB evaluates. */
export type Condition = AttributeCondition | { test: 'AND' | 'OR'; conditions: readonly Condition[] };

export const exists = (path: AttributePath): AttributeCondition => ({ test: 'attribute_exists', path });
export const absent = (path: AttributePath): AttributeCondition => ({ test: 'attribute_not_exists', path });

/** @param value undefined: the attribute is absent. */
export const equals = (path: AttributePath, value: unknown): AttributeCondition =>
  value === undefined ? absent(path) : { test: '=', path, value };

// Of an absent attribute no comparison is meant to hold: `orAbsent` says where it does.
export const differs = (path: AttributePath, value: unknown): AttributeCondition => ({ test: '<>', path, value });
export const isBelow = (path: AttributePath, value: unknown): AttributeCondition => ({ test: '<', path, value });
export const isAtMost = (path: AttributePath, value: unknown): AttributeCondition => ({ test: '<=', path, value });
export const isAbove = (path: AttributePath, value: unknown): AttributeCondition => ({ test: '>', path, value });
export const isAtLeast = (path: AttributePath, value: unknown): AttributeCondition => ({ test: '>=', path, value });

export const startsWith = (path: AttributePath, prefix: string): AttributeCondition => ({
  test: 'begins_with',
  path,
  value: prefix,
});

/** Both ends are included. */
export const isBetween = (path: AttributePath, from: unknown, to: unknown): AttributeCondition => ({
  test: 'BETWEEN',
  path,
  values: [from, to],
});

/** @param values 100 at most. Without values the condition never holds. */
export const isOneOf = (path: AttributePath, values: readonly unknown[]): Condition =>
  values.length === 0 ? and(exists(path), absent(path)) : { test: 'IN', path, values };

export const and = (...conditions: readonly Condition[]): Condition => ({ test: 'AND', conditions });
export const or = (...conditions: readonly Condition[]): Condition => ({ test: 'OR', conditions });

/** The condition holds, or its attribute is absent. */
export const orAbsent = (condition: AttributeCondition): Condition => or(absent(condition.path), condition);

/** No item with the key exists. */
export const ABSENT: Condition = absent('pk');

/** An item with the key exists. */
export const PRESENT: Condition = exists('pk');
