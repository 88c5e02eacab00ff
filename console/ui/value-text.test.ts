import { valueText } from './value-text.ts';

test.each<[unknown, string]>([
  [undefined, '-'],
  [null, '-'],
  ['', '-'],
  ['eu', 'eu'],
  [0, '0'],
  [true, 'Yes'],
  [false, 'No'],
  [[], '-'],
  [['a', 1], 'a, 1'],
  [{}, '-'],
  [{ node_model: 'x', disabled: false }, 'Node model: x, Disabled: No'],
])('the value %j is %s in words', (value, text) => {
  expect(valueText(value)).toBe(text);
});
