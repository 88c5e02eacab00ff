import { acceptsEncoding } from './accepts-encoding.ts';

test.each<[string | undefined, boolean]>([
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['gzip;q=0.001', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['br', false],
  ['*', false],
  ['xgzip', false],
  ['', false],
  [undefined, false],
])('%j: %s', (header, isAccepted) => {
  expect(acceptsEncoding('gzip', header)).toBe(isAccepted);
});
