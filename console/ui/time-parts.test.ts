import fc from '../../shared/testing/fast-check.ts';
import { partsOf, timeOfParts } from './time-parts.ts';

test.each([true, false])('the parts of a time are the time again; in UTC: %s', (isUtc) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e9 }), (seconds) => {
      // Of the hour that the end of daylight saving time repeats, the local parts mean the first one.
      const parts = partsOf(new Date(seconds * 1000), isUtc);
      const again = timeOfParts(parts, isUtc);
      expect(again && partsOf(again, isUtc)).toEqual(parts);
      if (isUtc) expect(again?.getTime()).toBe(seconds * 1000);
    }),
  );
});

test('seconds and minutes may be absent', () => {
  const at = (clock: string) => timeOfParts({ date: '2026-03-02', clock }, true)?.toISOString();
  expect(at('10')).toBe('2026-03-02T10:00:00.000Z');
  expect(at('10:30')).toBe('2026-03-02T10:30:00.000Z');
  expect(at('10:30:05')).toBe('2026-03-02T10:30:05.000Z');
});

test.each([
  ['2026-03-02', ''],
  ['2026-03-02', '24:00'],
  ['2026-03-02', '10:6'],
  ['2026-03', '10:00'],
  ['2026-13-02', '10:00'],
  ['', '10:00'],
])('%s %s is no time', (date, clock) => {
  expect(timeOfParts({ date, clock }, true)).toBeUndefined();
});
