import { distanceText, shortDistanceText, sinceText } from './moment.tsx';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DAY = 86_400;

test.each([
  [20 * DAY, 'in 20 days'],
  [20 * DAY - 30, 'in 20 days'],
  [20 * DAY - 31, 'in 19 days'],
  [61, 'in 1 minute'],
  [59, 'in a moment'],
  [0, 'just now'],
  [-59, 'just now'],
  [-60, '1 minute ago'],
  [-2 * DAY + 1, 'yesterday'],
  [90 * DAY - 3600, 'in 89 days'],
  [120 * DAY, 'in 4 months'],
  [-364 * DAY, '12 months ago'],
  [-730 * DAY, '2 years ago'],
])('a time in %d seconds is %s', (seconds, text) => {
  expect(distanceText(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(text);
});

test.each([
  [0, 'less than a minute'],
  [59.9, 'less than a minute'],
  [60, '1 minute'],
  [3599, '59 minutes'],
  [3600, '1 hour'],
  [DAY - 1, '23 hours'],
  [DAY, '1 day'],
  [3 * DAY, '3 days'],
])('since a time %d seconds ago it is %s', (seconds, text) => {
  expect(sinceText(new Date(NOW - seconds * 1000).toISOString(), NOW)).toBe(text);
});

test.each([
  [90 * DAY, 'in 90 d'],
  [61, 'in 1 min'],
  [0, 'now'],
  [-59, 'now'],
  [-180, '3 min'],
  [-3 * 3600, '3 h'],
])('a column shows a time in %d seconds as %s', (seconds, text) => {
  expect(shortDistanceText(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(text);
});
