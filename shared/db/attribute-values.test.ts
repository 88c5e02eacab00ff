import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';
import fc from '../testing/fast-check.ts';
import { toAttribute, toAttributes, toItem } from './attribute-values.ts';

/** DynamoDB has no -0, and the AWS SDK refuses numbers that are not exact. */
const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -1e15, max: 1e15 })).map((one) => one + 0);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    number,
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
}));
const item = fc.dictionary(fc.string(), value);

test('attributes are those that the document client of the AWS SDK makes, and are read as it reads them', () => {
  fc.assert(
    fc.property(value, (one) => {
      const attribute = toAttribute(one);
      expect(attribute).toEqual(convertToAttr(one as never));
      expect(toItem({ one: structuredClone(attribute) })).toEqual({ one: convertToNative(attribute as never) });
    }),
  );
});

test('an item that was written is read as it was', () => {
  fc.assert(
    fc.property(item, (one) => {
      expect(toItem(JSON.parse(JSON.stringify(toAttributes(one))))).toEqual(one);
    }),
  );
});

test('binary values are kept, undefined ones are left out', () => {
  const bytes = Buffer.from([0, 1, 255]);
  expect(toItem(toAttributes({ bytes, none: undefined, list: [undefined, 1] }))).toEqual({ bytes, list: [1] });
});

test('a label may have any name', () => {
  const labels = Object.fromEntries([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  const read = toItem(JSON.parse(JSON.stringify(toAttributes({ labels }))));
  expect(Object.entries(read['labels'] as object)).toEqual(Object.entries(labels));
});

test.each([NaN, Infinity, 1n, Symbol('x'), () => 1])('%p cannot be stored', (wrong) => {
  expect(() => toAttribute(wrong)).toThrow(TypeError);
});

test.each([{ SS: ['a'] }, {}, 'a', null])('%p is no value of the table', (wrong) => {
  expect(() => toItem({ wrong })).toThrow(TypeError);
});
