import { withoutFormula } from './formula.ts';

test.each(['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\uff1d1', '-', '-1-1', '-a'])(
  '%j begins with an apostrophe',
  (text) => expect(withoutFormula(text)).toBe(`'${text}`),
);

test.each(['', 'a=1', '-1', '+1', '-0.5', '10', "'=1", ' =1', 'db-1', '2026-01-01'])('%j stays as it is', (text) =>
  expect(withoutFormula(text)).toBe(text),
);
