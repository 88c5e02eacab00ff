import fc from '../testing/fast-check.ts';
import { withFormula, withoutFormula } from './formula.ts';

test.each(['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\uff1d1', '-', '-1-1', '-a', "'=1"])(
  '%j begins with an apostrophe',
  (text) => expect(withoutFormula(text)).toBe(`'${text}`),
);

test.each(['', 'a=1', '-1', '+1', '-0.5', '10', "'a", ' =1', 'db-1', '2026-01-01'])('%j is unchanged', (text) =>
  expect(withoutFormula(text)).toBe(text),
);

test('a cell stands for its original text', () => {
  const texts = fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '@', '1', 'a', '\t', '\uff1d', ' ') });
  fc.assert(fc.property(texts, (text) => expect(withFormula(withoutFormula(text))).toBe(text)));
});
