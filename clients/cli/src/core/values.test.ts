import { CommandError } from './exit-codes.ts';
import { isFields, pairOf, parseJson, percentOf } from './values.ts';

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

test('text that is no JSON is refused with the reason', () => {
  expect(parseJson('[1]', refused)).toEqual([1]);
  expect(() => parseJson('{', (message) => new CommandError(`file: ${message}`))).toThrow(/^file: .*JSON/);
});

test('lists and null are no fields', () => {
  expect([{}, [], null, 'text', undefined].map(isFields)).toEqual([true, false, false, false, false]);
});
