import { parseCondition } from './expressions.ts';
import { keyRangeOf } from './key-range.ts';

const key = { partition: 'pk', sort: 'sk' };
const rangeOf = (text: string, values: Record<string, unknown> = {}) =>
  keyRangeOf(parseCondition(text), key, { names: { '#p': 'pk', '#s': 'sk' }, values: { ':p': 'p', ...values } });

test.each([
  ['#p = :p', {}, {}],
  ['#p = :p AND #s = :a', { from: 'a', to: 'a' }, {}],
  ['#s > :a AND #p = :p', { from: 'a' }, { from: true }],
  ['#p = :p AND #s >= :a', { from: 'a' }, {}],
  ['#p = :p AND #s < :a', { to: 'a' }, { to: true }],
  ['#p = :p AND #s <= :a', { to: 'a' }, {}],
  ['#p = :p AND #s BETWEEN :a AND :b', { from: 'a', to: 'b' }, {}],
  ['#p = :p AND begins_with(#s, :a)', { from: 'a', to: 'b' }, { to: true }],
])('the range of %s', (text, values, open) => {
  const bound = (name: 'from' | 'to') => {
    const value = (values as Record<string, string>)[name];
    return value === undefined ? {} : { [name]: { value, isOpen: (open as Record<string, boolean>)[name] === true } };
  };
  expect(rangeOf(text, { ':a': 'a', ':b': 'b' })).toEqual({ partition: 'p', ...bound('from'), ...bound('to') });
});

test.each([
  ['ab', 'ac'],
  ['a\ud7ff', 'a\ue000'],
  ['a\uffff', 'a\u{10000}'],
  ['a\u{10ffff}\u{10ffff}', 'b'],
])('all texts that begin with %j are before %j', (prefix, after) => {
  expect(rangeOf('#p = :p AND begins_with(#s, :a)', { ':a': prefix }).to).toEqual({ value: after, isOpen: true });
});

test('nothing follows the texts that begin with the last character', () => {
  expect(rangeOf('#p = :p AND begins_with(#s, :a)', { ':a': '\u{10ffff}' }).to).toBeUndefined();
});

test.each([
  ['#s = :a', 'missed key schema element: pk'],
  ['#p > :p', 'missed key schema element: pk'],
  ['#p = :p AND other = :a', 'missed key schema element'],
  ['#p = :p OR #s = :a', 'Invalid KeyConditionExpression'],
  ['#p = :p AND #s <> :a', 'Invalid KeyConditionExpression'],
  ['#p = :p AND #s > :a AND #s < :b', 'Invalid KeyConditionExpression'],
  ['#p = :p AND #s BETWEEN :b AND :a', 'BETWEEN operator'],
  ['#p = :n', 'does not match schema type'],
])('the condition %s of keys is refused', (text, message) => {
  expect(() => rangeOf(text, { ':a': 'a', ':b': 'b', ':n': 1 })).toThrow(message);
});
