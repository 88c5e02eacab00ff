import { errorOf, lastOf, queryOf, rangeOf, sinceOf, timesOf } from './time-range.ts';

const noon = Date.parse('2026-03-02T12:00:00.000Z');

test('a length of time ends now', () => {
  expect(lastOf('2-hour')).toEqual({ amount: 2, unit: 'hour' });
  expect(sinceOf('2-hour', noon)).toBe('2026-03-02T10:00:00.000Z');
  expect(sinceOf('1-month', noon)).toBe('2026-01-31T12:00:00.000Z');
});

test.each([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
  ['month', 2_592_000_000],
  ['year', 31_536_000_000],
])('one %s ago is %i milliseconds ago', (unit, milliseconds) => {
  expect(Date.parse(sinceOf(`1-${unit}`, noon) ?? '')).toBe(noon - milliseconds);
});

test.each(['', 'hour', '0-hour', '-1-hour', '2-fortnight', '2-constructor', '1.5-day'])(
  '"%s" is no length of time',
  (text) => {
    expect(lastOf(text)).toBeUndefined();
    expect(sinceOf(text, noon)).toBeUndefined();
  },
);

test('the two times of a comparison are a range, or a length until its end', () => {
  const since = '2026-03-01T00:00:00+01:00';
  const until = '2026-03-02T00:00:00.500Z';
  expect(timesOf({ since, until }, noon)).toEqual({ from: since, to: until });
  expect(timesOf({ last: '2-hour' }, noon + 1)).toEqual({ from: '2026-03-02T10:00:01Z', to: '2026-03-02T12:00:01Z' });
  expect(timesOf({ until: '2026-02-02T00:00:00Z' }, noon).from).toBe('2026-02-01T00:00:00Z');
  expect(timesOf({ until: 'never', last: 'long' }, noon)).toEqual({ from: '2026-03-01T12:00:00Z', to: 'never' });
});

const since = '2026-03-01T00:00:00Z';
const until = '2026-03-02T00:00:00Z';

test.each([
  [{ last: '2-hour' }, { type: 'relative', amount: 2, unit: 'hour' }],
  [
    { since, until },
    { type: 'absolute', startDate: since, endDate: until },
  ],
  [{}, null],
] as const)('%j is the range %j, and the other way round', (query, range) => {
  expect(rangeOf(query)).toEqual(range);
  expect(queryOf(range)).toEqual(query);
});

test.each([{ last: 'long' }, { since }, { until }])('%j is no range', (query) => {
  expect(rangeOf(query)).toBeNull();
});

test.each([
  [null, undefined],
  [{ type: 'absolute', startDate: since, endDate: until }, undefined],
  [{ type: 'absolute', startDate: since, endDate: '' }, 'Enter both dates.'],
  [{ type: 'absolute', startDate: '', endDate: until }, 'Enter both dates.'],
  [{ type: 'absolute', startDate: until, endDate: since }, 'The end must be after the start.'],
  [{ type: 'absolute', startDate: since, endDate: since }, 'The end must be after the start.'],
  [{ type: 'relative', amount: 1, unit: 'day' }, undefined],
  [{ type: 'relative', amount: 0, unit: 'day' }, 'Enter a whole number.'],
  [{ type: 'relative', amount: 1.5, unit: 'day' }, 'Enter a whole number.'],
  [{ type: 'relative', amount: NaN, unit: 'day' }, 'Enter a whole number.'],
] as const)('the range %j has the error %j', (range, error) => {
  expect(errorOf(range)).toBe(error);
});
