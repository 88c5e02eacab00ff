import {
  ABSENT,
  absent,
  and,
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
  PRESENT,
} from './conditions.ts';
import { writeItem } from './item-writes.ts';
import { useTable } from '../../tests/support/fixtures.ts';

const { table } = useTable();
const key = { pk: 'item', sk: 'item' };
beforeAll(async () => {
  await writeItem(table, { put: { ...key, five: 5, map: { entry: 'x' } } });
});

const holds = async (condition: Condition) =>
  (await writeItem(table, { update: key, set: { seen: true }, condition })).refusal === undefined;

test.each<[string, Condition]>([
  ['an attribute that exists', and(PRESENT, exists('five'), exists(['map', 'entry']))],
  ['an attribute that is absent', and(absent('none'), absent(['map', 'none']))],
  ['an equal value', and(equals('five', 5), equals(['map', 'entry'], 'x'))],
  ['undefined, of an absent attribute', equals('none', undefined)],
  ['another value', differs('five', 6)],
  ['a limit that is included', and(isAtMost('five', 5), isAtLeast('five', 5), isBetween('five', 5, 5))],
  ['a limit beyond the value', and(isBelow('five', 6), isAbove('five', 4))],
  ['one of several values', isOneOf('five', [4, 5])],
  ['one condition of two', and(or(ABSENT, equals('five', 5)), or(equals('five', 5), ABSENT))],
  ['an absent attribute where that is accepted', orAbsent(isAbove('none', 4))],
])('a condition holds for %s', async (_, condition) => {
  expect(await holds(condition)).toBe(true);
});

test.each<[string, Condition]>([
  ['an item that exists', ABSENT],
  ['an attribute that is absent', exists('none')],
  ['null, of an absent attribute', equals('none', null)],
  ['undefined, of an attribute that exists', equals('five', undefined)],
  ['a limit that is not included', or(isBelow('five', 5), isAbove('five', 5))],
  ['a comparison with an absent attribute', or(isAtMost('none', 9), isAtLeast('none', 0))],
  ['a value outside a range', or(isBetween('five', 1, 4), isBetween('five', 6, 9))],
  ['another value where an absent one is accepted', orAbsent(isAbove('five', 5))],
  ['none of no values', isOneOf('five', [])],
  ['one condition of two, both of which are required', and(equals('five', 5), exists('none'))],
])('a condition does not hold for %s', async (_, condition) => {
  expect(await holds(condition)).toBe(false);
});
