import fc from '../../shared/testing/fast-check.ts';
import { delimitersFor } from './delimiters.ts';

test('are two braces, unless a value contains them: then the next pair, and finally longer ones', () => {
  expect(delimitersFor([])).toEqual({ left: '{{', right: '}}' });
  expect(delimitersFor(['{', '}', 'a{b}c'])).toEqual({ left: '{{', right: '}}' });
  expect(delimitersFor(['{{'])).toEqual({ left: '[[', right: ']]' });
  expect(delimitersFor(['x}}', 'y]]'])).toEqual({ left: '((', right: '))' });
  expect(delimitersFor(['{{[[))'])).toEqual({ left: '<<', right: '>>' });
  expect(delimitersFor(['{{', '[[', '((', '>>'])).toEqual({ left: '{{{', right: '}}}' });
});

test('occur in no value, whatever it contains', () => {
  const value = fc.string({ unit: fc.constantFrom(...Array.from('{}[]()<>a')), maxLength: 30 });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (values) => {
      const { left, right } = delimitersFor(values);
      for (const text of values) expect([text.includes(left), text.includes(right)]).toEqual([false, false]);
    }),
  );
});
