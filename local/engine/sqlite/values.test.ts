import fc from '../../../shared/testing/fast-check.ts';
import { compare, compareTexts, decode, encode, equal, setAttribute, typeOf } from './values.ts';

/** Texts around the limits of UTF-8 and UTF-16, without halves of surrogate pairs. */
const text = fc.string({
  unit: fc.constantFrom(
    '',
    'a',
    '\u007f',
    '\u0080',
    'ä',
    '\u07ff',
    '\ud7ff',
    '\ue000',
    '\uffee',
    '\u{10000}',
    '\u{10ffff}',
  ),
});

test('texts are ordered by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareTexts(left, right))).toBe(bytes);
    }),
  );
});

test('only values of one ordered type are compared', () => {
  expect(compare(2, 10)).toBeLessThan(0);
  expect(compare('2', '10')).toBeGreaterThan(0);
  expect(compare(Buffer.from('b'), Buffer.from('a'))).toBeGreaterThan(0);
  for (const [left, right] of [
    [1, '1'],
    [true, false],
    [null, null],
    [[], []],
    [undefined, 'a'],
    ['a', undefined],
  ])
    expect(compare(left, right)).toBeUndefined();
});

const value = fc.letrec((of) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc
      .double({ noDefaultInfinity: true, noNaN: true })
      .filter((double) => !Number.isInteger(double) || Number.isSafeInteger(double)),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.array(of('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'B', 'constructor', '__proto__'), of('value')),
  ),
})).value;

/** As DynamoDB stores it: without the sign of zero. */
const stored = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(stored)
    : typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
      ? Object.fromEntries(Object.entries(value).map(([name, more]) => [name, stored(more)]))
      : Object.is(value, -0)
        ? 0
        : value;

test('an item is read as it was stored, whatever its values are', () => {
  fc.assert(
    fc.property(value, (original) => {
      const read = decode(encode({ one: original }).text)['one'];
      expect(read).toEqual(stored(original));
      expect(equal(read, original)).toBe(true);
    }),
  );
});

test('values equal only values of their type, also for different bytes objects', () => {
  expect(equal(new Uint8Array([1, 2]), Buffer.from([1, 2]))).toBe(true);
  expect(equal({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
  const different: [unknown, unknown][] = [
    ['1', 1],
    [undefined, undefined],
    [null, undefined],
    [[1], { 0: 1 }],
    [[1], [1, 2]],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [Buffer.from('a'), 'a'],
    [{ constructor: 1 }, {}],
  ];
  for (const [left, right] of different) expect([equal(left, right), equal(right, left)]).toEqual([false, false]);
});

test.each([
  ['a text, in UTF-8', 'aä€😀', 10],
  ['a digit', 7, 2],
  ['three digits', 123, 3],
  ['a negative number', -12, 3],
  ['a fraction', 1.5, 2],
  ['a boolean', true, 1],
  ['null', null, 1],
  ['bytes', Buffer.from('abc'), 3],
  ['an empty list', [], 3],
  ['a list of texts', ['a', 'bc'], 3 + 2 + 3],
  ['a map', { ab: 'c' }, 3 + 1 + 2 + 1],
])('the size of %s, as DynamoDB counts it', (_name, measured, bytes) => {
  expect(encode({ n: measured }).bytes).toBe(1 + bytes);
});

test('absent values are not stored, also in a list', () => {
  expect(encode({ a: undefined, b: [1, undefined, 2] })).toEqual({
    bytes: encode({ b: [1, 2] }).bytes,
    text: '{"b":[1,2]}',
  });
});

test('a value that DynamoDB or this engine does not store is refused', () => {
  let deep: unknown = 'x';
  for (let depth = 0; depth < 33; depth += 1) deep = [deep];
  for (const invalid of [new Set(['a']), NaN, Infinity, 2 ** 53, 10n, () => 1, deep, { '\u0000B': 'x' }])
    expect(() => encode({ one: invalid })).toThrow(expect.objectContaining({ name: 'ValidationException' }));
});

test('an attribute may have any name, and none changes the prototype', () => {
  const map = {};
  setAttribute(map, '__proto__', 1);
  setAttribute(map, 'a', 2);
  expect(Object.entries(map)).toEqual([
    ['__proto__', 1],
    ['a', 2],
  ]);
  expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
});

test.each([
  ['S', 'a'],
  ['N', 1],
  ['BOOL', true],
  ['NULL', null],
  ['B', Buffer.from('')],
  ['L', []],
  ['M', {}],
  [undefined, undefined],
])('the type %s', (type, typed) => expect(typeOf(typed)).toBe(type));
