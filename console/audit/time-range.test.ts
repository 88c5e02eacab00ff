import { lastOf, sinceOf } from './time-range.ts';

const noon = Date.parse('2026-03-02T12:00:00.000Z');

test('so long until now', () => {
  expect(lastOf('2-hour')).toEqual({ amount: 2, unit: 'hour' });
  expect(sinceOf('2-hour', noon)).toBe('2026-03-02T10:00:00.000Z');
  expect(sinceOf('1-month', noon)).toBe('2026-01-31T12:00:00.000Z');
});

test.each(['', 'hour', '0-hour', '-1-hour', '2-fortnight', '2-constructor', '1.5-day'])(
  '"%s" is no length of time',
  (text) => {
    expect(lastOf(text)).toBeUndefined();
    expect(sinceOf(text, noon)).toBeUndefined();
  },
);
