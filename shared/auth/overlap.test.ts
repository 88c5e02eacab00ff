import { maxOverlapDays, parseOverlap } from './overlap.ts';

test.each([
  ['1h', 3600],
  ['90', 90],
  [' 2d ', 172_800],
  ['0', 0],
  ['0s', 0],
  ['0h', 0],
  [`${maxOverlapDays}d`, maxOverlapDays * 86_400],
])('%j is %d seconds', (text, seconds) => {
  expect(parseOverlap(text)).toBe(seconds);
});

test.each(['', ' ', '00', '-1h', '31d', '2592001', '1.5h', '0x', 'never', '1h30m', '0 s'])(
  '%j is no overlap',
  (text) => {
    expect(parseOverlap(text)).toBeUndefined();
  },
);

test('100 kB of noise is refused at once', () => {
  for (const noise of [' '.repeat(100_000) + 'x', '0'.repeat(100_000)]) expect(parseOverlap(noise)).toBeUndefined();
});
