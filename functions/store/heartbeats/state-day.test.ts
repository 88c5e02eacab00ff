import { dayOf } from './state-day.ts';
import type { Timeline } from './timeline.ts';

const DAY = 86_400_000;

const now = new Date(10 * DAY);

const end = now.getTime();

test.each<[string, Timeline, object]>([
  ['no state is known', [], { begin: end, end, intervals: [], availability: undefined }],
  [
    'live since long ago',
    [[0, 'live']],
    { begin: end - DAY, end, intervals: [{ state: 'live', begin: end - DAY, end }], availability: 1 },
  ],
  [
    'live for 333 of 1,000 ms',
    [
      [end - 1000, 'offline'],
      [end - 333, 'live'],
    ],
    { begin: end - 1000, end, availability: 0.333 },
  ],
  [
    'live for 2 of 3 ms, rounded down',
    [
      [end - 3, 'live'],
      [end - 1, 'stale'],
    ],
    { begin: end - 3, availability: 0.66666 },
  ],
  ['never live', [[end - 3, 'stale']], { availability: 0 }],
])('the last day of an object: %s', (_, timeline, expected) => {
  expect(dayOf(timeline, now)).toMatchObject(expected);
});

test('a day has at most 500 intervals, the newest', () => {
  const states = ['stale', 'live'] as const;
  const timeline = Array.from({ length: 501 }, (_, index) => [end - 501 + index, states[index % 2]!] as const);
  const { begin, intervals, availability } = dayOf(timeline, now);
  expect([begin, intervals.length, availability]).toEqual([end - 500, 500, 0.5]);
  expect(dayOf(timeline.slice(1), now).intervals).toHaveLength(500);
});
