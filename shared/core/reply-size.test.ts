import { fitting } from './reply-size.ts';

// Two quotes, each escaped once for the body and once more for the reply of Lambda.
const escaped = 2 * '\\"'.length + 2;

/** A text of this many bytes in the reply. */
const textOf = (bytes: number) => 'x'.repeat(bytes - escaped);

test('values may have 5,000,000 bytes, escaped twice', () => {
  expect(fitting([textOf(2_000_000), textOf(3_000_000)])).toBe(2);
  expect(fitting([textOf(2_000_000), textOf(3_000_001)])).toBe(1);
});

test('returns the values before the first that does not fit', () => {
  expect(fitting([textOf(2_000_000), textOf(2_000_000), textOf(2_000_000), 'x'])).toBe(2);
});

test('the first value always fits, and an empty list is complete', () => {
  expect(fitting([textOf(6_000_000), 'x'])).toBe(1);
  expect(fitting([])).toBe(0);
});

test('sizes are counted in bytes, not characters', () => {
  expect(fitting(['é'.repeat(2_000_000), 'é'.repeat(1_000_000)])).toBe(1);
});
