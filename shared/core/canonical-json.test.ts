import { canonicalJson } from './canonical-json.ts';

test('the order of fields does not matter at any depth, the order of a list does', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  expect(canonicalJson([2, 1])).toBe('[2,1]');
});
