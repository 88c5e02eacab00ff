import { areaOf, hourlyOf, stateRowsOf } from './node-states.ts';

const zeros = Array.from({ length: 97 }, () => 0);
const states = {
  begin: '2026-03-01T12:00:00.000Z',
  step_seconds: 900,
  live: zeros.map((_, point) => 1000 + point),
  stale: zeros.with(4, 7).with(50, 7).with(96, 2),
  offline: zeros,
};

test('a row has the present number, the largest, and the last time of that', () => {
  expect(stateRowsOf(states)).toMatchObject([
    { state: 'live', now: 1096, most: 1096, mostAt: new Date('2026-03-02T12:00:00.000Z') },
    { state: 'stale', now: 2, most: 7, mostAt: new Date('2026-03-02T00:30:00.000Z') },
    { state: 'offline', now: 0, most: 0 },
  ]);
});

test('the numbers of each hour end with the present ones', () => {
  const hours = hourlyOf(states);
  expect(hours).toHaveLength(25);
  expect(hours[0]).toEqual({ time: new Date('2026-03-02T12:00:00.000Z'), live: 1096, stale: 2, offline: 0 });
  expect(hours[23]).toMatchObject({ time: new Date('2026-03-01T13:00:00.000Z'), stale: 7 });
});

test('an area is as high as its number, and empty without nodes', () => {
  expect(areaOf([0, 2, 4], 4, 40)).toBe('M0 40V40H1V20H2V0H3V40z');
  expect(areaOf([0, 0], 0, 40)).toBe('M0 40V40H1V40H2V40z');
});
