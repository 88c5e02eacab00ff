import { CommandError } from './exit-codes.ts';
import { isFields, milliseconds, pairOf, parseJson, percentOf } from './values.ts';

const refused = () => new CommandError('refused');

test('a pair ends its name at the first equals sign, and its value can be empty', () => {
  expect(pairOf('a=b=c', refused)).toEqual(['a', 'b=c']);
  expect(pairOf('a=', refused)).toEqual(['a', '']);
  for (const text of ['a', '=b', '']) expect(() => pairOf(text, refused)).toThrow('refused');
});

test.each([
  ['0', 0],
  ['30', 30],
  ['30%', 30],
  ['100%', 100],
  ['101', undefined],
  ['1000', undefined],
  ['1.5%', undefined],
  ['-1', undefined],
  ['', undefined],
])('%j is the share %s', (text, percent) => expect(percentOf(text)).toBe(percent));

test.each([
  ['500ms', 500],
  ['0', 0],
  ['30', 30_000],
  ['30s', 30_000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['3d', 259_200_000],
  ['1w', 604_800_000],
  ['999999999ms', 999_999_999],
  ['1000000000ms', undefined],
  ['1 s', undefined],
  ['.5s', undefined],
  ['1y', undefined],
  ['s', undefined],
  ['', undefined],
])('%j is a time of %s ms', (text, time) => expect(milliseconds(text)).toBe(time));

test('text that is no JSON is refused with the reason', () => {
  expect(parseJson('[1]', refused)).toEqual([1]);
  expect(() => parseJson('{', (message) => new CommandError(`file: ${message}`))).toThrow(/^file: .*JSON/);
});

test('lists and null are no fields', () => {
  expect([{}, [], null, 'text', undefined].map(isFields)).toEqual([true, false, false, false, false]);
});
