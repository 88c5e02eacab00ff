import { parseSelector, SelectorError } from '../../shared/selector/parse-selector.ts';
import fc from '../../shared/testing/fast-check.ts';
import { selectorOf, tokensOf } from './label-tokens.ts';

test.each([
  ['team=dba', [{ propertyKey: 'label.team', operator: '=', value: ['dba'] }]],
  ['team!=dba', [{ propertyKey: 'label.team', operator: '!=', value: ['dba'] }]],
  ['tier in (gold,silver)', [{ propertyKey: 'label.tier', operator: '=', value: ['gold', 'silver'] }]],
  ['tier notin (gold,silver)', [{ propertyKey: 'label.tier', operator: '!=', value: ['gold', 'silver'] }]],
  ['team', [{ propertyKey: 'has_label', operator: '=', value: ['team'] }]],
  ['!team', [{ propertyKey: 'has_label', operator: '!=', value: ['team'] }]],
  ['owner="Jane \\"JD\\" Doe, DBA"', [{ propertyKey: 'label.owner', operator: '=', value: ['Jane "JD" Doe, DBA'] }]],
])('%s', (selector, tokens) => {
  expect(tokensOf(selector)).toEqual(tokens);
  expect(selectorOf(tokensOf(selector))).toBe(selector);
});

test('tokens and selectors convert into each other without loss', () => {
  const label = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/);
  const values = fc.uniqueArray(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 4 });
  const token = fc.oneof(
    fc.record({
      propertyKey: label.map((name) => `label.${name}`),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: values,
    }),
    fc.record({
      propertyKey: fc.constant('has_label'),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: label.map((name) => [name]),
    }),
  );
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: 10 }), (tokens) => {
      const selector = selectorOf(tokens)!;
      expect(tokensOf(selector)).toEqual(tokens);
      expect(parseSelector(selectorOf(tokensOf(selector))!)).toEqual(parseSelector(selector));
    }),
  );
});

test('no tokens are no selector, and an invalid selector has no tokens', () => {
  expect(selectorOf([])).toBeUndefined();
  expect(() => tokensOf('==')).toThrow(SelectorError);
});
