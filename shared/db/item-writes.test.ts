import fc from '../testing/fast-check.ts';
import { clear, fakeTable, itemAt, putItem } from '../../tests/support/table.ts';
import {
  absent,
  and,
  type AttributePath,
  type Condition,
  differs,
  equals,
  exists,
  isAbove,
  isAtLeast,
  isAtMost,
  isBelow,
  isBetween,
  isOneOf,
  or,
  orAbsent,
} from './conditions.ts';
import { Contention } from './contention.ts';
import type { Item } from './item.ts';
import { toAction, writeItem } from './item-writes.ts';
import { ConditionalCheckFailedException, TransactionConflictException } from './table-errors.ts';
import { useTable } from '../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(() => clear(table));

const KEY = { pk: 'p', sk: 's' };

/** Reserved words, a name that no expression may contain, and names that look like placeholders. */
const names = ['name', 'at', 'process#1', 'process#2', 'n0', 'valueV1', 'revision'];
const name = fc.constantFrom(...names);
const path: fc.Arbitrary<AttributePath> = fc.oneof(
  name,
  fc.tuple(fc.constantFrom('map', 'process#1'), fc.constantFrom('at', 'name')),
);
const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', 'c'), fc.boolean());
const number = fc.integer({ min: 0, max: 3 });
const item: fc.Arbitrary<Item> = fc.record(
  {
    ...Object.fromEntries(names.map((name) => [name, value])),
    map: fc.record({ at: value, name: value }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

function valueAt(of: Item, at: AttributePath): any {
  if (typeof at === 'string') return of[at];
  const map: any = of[at[0]];
  return typeof map === 'object' ? map[at[1]] : undefined;
}

/** Values of different types are neither equal nor in an order. */
function compare(present: any, test: string, other: any): boolean {
  if (test === '=') return present === other;
  if (test === '<>') return present !== other;
  if (typeof present !== typeof other || typeof present === 'boolean') return false;
  if (test === '<') return present < other;
  if (test === '<=') return present <= other;
  return test === '>' ? present > other : present >= other;
}

function holds(condition: Condition, of: Item): boolean {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => holds(part, of));
    return condition.test === 'AND' ? parts.every(Boolean) : parts.some(Boolean);
  }
  const present = valueAt(of, condition.path);
  if (condition.test === 'attribute_exists') return present !== undefined;
  if (condition.test === 'attribute_not_exists') return present === undefined;
  if (present === undefined) return false;
  if ('values' in condition) {
    const { test, values } = condition;
    return test === 'IN'
      ? values.includes(present)
      : compare(present, '>=', values[0]) && compare(present, '<=', values[1]);
  }
  return 'value' in condition && compare(present, condition.test, condition.value);
}

const comparison = fc
  .tuple(
    fc.constantFrom(equals, isBelow, isAtMost, isAbove, isAtLeast),
    path,
    fc.oneof(number, fc.constantFrom('a', 'b')),
  )
  .map(([make, at, with_]) => make(at, with_));
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    path.map(exists),
    path.map(absent),
    path.map((at) => equals(at, undefined)),
    comparison,
    comparison.map(orAbsent),
    fc.tuple(path, value).map(([at, with_]) => and(exists(at), differs(at, with_))),
    fc.tuple(path, number, number).map(([at, from, more]) => isBetween(at, from, from + more)),
    fc.tuple(path, fc.uniqueArray(value, { maxLength: 3 })).map(([at, values]) => isOneOf(at, values)),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((parts) => and(...parts)),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((parts) => or(...parts)),
  ),
}));

test('the database evaluates conditions as intended, in a write and in a transaction', async () => {
  await fc.assert(
    fc.asyncProperty(item, condition, async (stored, when) => {
      await putItem(table, { ...KEY, ...stored });
      const { refusal } = await writeItem(table, { put: { ...KEY, written: true }, condition: when });
      expect(refusal === undefined).toBe(holds(when, stored));
      if (refusal !== undefined) expect(refusal.Item).toEqual({ ...KEY, ...stored });
    }),
    { numRuns: 300 },
  );
});

test('an update sets, adds and removes exactly these attributes', async () => {
  const update = fc
    .record({ set: item, setIfAbsent: item, add: fc.dictionary(name, number), remove: fc.array(name) })
    .map(({ set, setIfAbsent, add, remove }) => {
      // An update may name an attribute only once.
      const seen = new Set<string>();
      const unseen = (name: string) => !seen.has(name) && seen.add(name);
      const fresh = <Value>(of: Record<string, Value>) =>
        Object.fromEntries(Object.entries(of).filter(([name]) => unseen(name)));
      return { add: fresh(add), set: fresh(set), setIfAbsent: fresh(setIfAbsent), remove: remove.filter(unseen) };
    })
    .filter((changes) => Object.values(changes).some((of) => Object.keys(of).length > 0));
  await fc.assert(
    fc.asyncProperty(item, update, async (before, { add, set, setIfAbsent, remove }) => {
      const stored = Object.fromEntries(Object.entries(before).filter(([name]) => !(name in add)));
      await putItem(table, { ...KEY, ...stored });
      const expected = { ...KEY, ...setIfAbsent, ...stored, ...set, ...add };
      for (const name of remove) Reflect.deleteProperty(expected, name);
      const written = await writeItem(
        table,
        { update: KEY, add, set, setIfAbsent, remove },
        { ReturnValues: 'ALL_NEW' },
      );
      expect(written.item).toEqual(expected);
      expect(await itemAt(table, KEY)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

test('an undefined value is an absent attribute, in an update as in a put', async () => {
  await writeItem(table, { update: KEY, set: { at: 1, name: undefined }, setIfAbsent: { revision: undefined } });
  expect(await itemAt(table, KEY)).toEqual({ ...KEY, at: 1 });
});

test('an expression contains its attribute names, so that a log is readable', () => {
  const when = and(
    equals('revision', 3),
    or(absent('removing'), isBelow(['lease', 'until'], 7)),
    equals('revision', 4),
  );
  expect(toAction('t', { check: KEY, condition: when })).toEqual({
    ConditionCheck: {
      TableName: 't',
      Key: KEY,
      ConditionExpression:
        '#revision = :revision AND (attribute_not_exists(#removing) OR #lease.#until < :until) AND #revision = :revisionV2',
      ExpressionAttributeNames: {
        '#revision': 'revision',
        '#removing': 'removing',
        '#lease': 'lease',
        '#until': 'until',
      },
      ExpressionAttributeValues: { ':revision': 3, ':until': 7, ':revisionV2': 4 },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });
});

test('a deletion without a condition is made, a conflict with a transaction is contention, and other errors are unchanged', async () => {
  await putItem(table, KEY);
  expect(await writeItem(table, { delete: KEY })).toEqual({ item: undefined });
  expect(await itemAt(table, KEY)).toBeUndefined();
  const failing = (error: Error) =>
    writeItem(
      fakeTable(() => Promise.reject(error)),
      { delete: KEY },
    );
  await expect(failing(new TransactionConflictException({ message: 'x' }))).rejects.toBeInstanceOf(Contention);
  await expect(failing(new TypeError('x'))).rejects.toBeInstanceOf(TypeError);
  const refusal = new ConditionalCheckFailedException({ message: 'x' });
  expect(await failing(refusal)).toEqual({ refusal });
});
