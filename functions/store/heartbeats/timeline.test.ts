import type { Life } from '../../domain/fields/liveness.ts';
import type { Report } from './stored-report.ts';
import {
  bestTimeline,
  dayOf,
  intervalsBetween,
  type Step,
  type Timeline,
  timelineOf,
  worstTimeline,
} from './timeline.ts';

/** Stale after 1 s, offline after 3 s. */
const life: Life = { lifetime: 'permanent', staleAfter: 1, offlineAfter: 3, removeAfter: 9 };

const statesOf = (...reports: (Report | undefined)[]) =>
  timelineOf({ processes: new Map(reports.map((report, index) => [String(index), report])), life } as never);

/** A report of a process whose first report was at `first`. */
const since = (first: number, at: number, more: Partial<Report> = {}): Report => ({
  at,
  agents: {},
  history: [first, 1],
  ...more,
});

const endOf = (at: number): Step[] => [
  [at + 1000, 'stale'],
  [at + 3000, 'offline'],
];

test.each<[string, (Report | undefined)[], Timeline]>([
  ['no process', [], []],
  ['a process without a report', [undefined], []],
  ['one report', [since(10_000, 10_000)], [[10_000, 'live'], ...endOf(10_000)]],
  ['a report without a history', [{ at: 10_000, agents: {} }], [[10_000, 'live'], ...endOf(10_000)]],
  [
    'a lost connection',
    [since(10_000, 12_000, { connected: false })],
    [
      [10_000, 'live'],
      [12_000, 'stale'],
      [15_000, 'offline'],
    ],
  ],
  [
    'two interruptions, the first without being offline',
    // Of each: its end, the time since it was stale, and since it was offline.
    [since(0, 20_000, { history: [0, 1, ...[5000, 2000, 0], ...[12_000, 4000, 1000]] })],
    [
      ...([
        [0, 'live'],
        [3000, 'stale'],
        [5000, 'live'],
      ] as const),
      ...([
        [8000, 'stale'],
        [11_000, 'offline'],
        [12_000, 'live'],
      ] as const),
      ...endOf(20_000),
    ],
  ],
  [
    'a second process after the first is stale',
    [since(0, 10_000), since(12_000, 20_000)],
    [[0, 'live'], [11_000, 'stale'], [12_000, 'live'], ...endOf(20_000)],
  ],
  [
    'a second process when the first becomes stale',
    [since(0, 10_000), since(11_000, 20_000)],
    [[0, 'live'], ...endOf(20_000)],
  ],
  ['a second process that never reported', [since(0, 10_000), undefined], [[0, 'live'], ...endOf(10_000)]],
  [
    'a second process, unknown until after the first is stale',
    [since(0, 10_000), { at: 12_000, agents: {} }],
    [[12_000, 'live'], ...endOf(12_000)],
  ],
  [
    'a second process, unknown while the first is live',
    [since(0, 14_000), { at: 12_000, agents: {} }],
    [[0, 'live'], ...endOf(14_000)],
  ],
])('the states of a node with %s', (_, reports, expected) => {
  expect(statesOf(...reports)).toEqual(expected);
});

const live: Step = [0, 'live'];

test.each<[timelines: Timeline[], best: Timeline, worst: Timeline]>([
  [[], [], []],
  [[[live, [5, 'stale']]], [live, [5, 'stale']], [live, [5, 'stale']]],
  [
    [
      [live, [5, 'stale'], [9, 'offline']],
      [
        [3, 'offline'],
        [7, 'live'],
      ],
    ],
    [live, [5, 'stale'], [7, 'live']],
    [live, [3, 'offline'], [7, 'stale'], [9, 'offline']],
  ],
  // Both change at the same time: one step.
  [
    [
      [live, [5, 'stale']],
      [
        [0, 'stale'],
        [5, 'live'],
      ],
    ],
    [live],
    [[0, 'stale']],
  ],
  // Unknown from a time on.
  [[[live, [5, undefined]]], [live, [5, undefined]], [live, [5, undefined]]],
  [
    [[live, [5, undefined]], [[2, 'offline']]],
    [live, [5, 'offline']],
    [live, [2, 'offline']],
  ],
  [[[[0, 'never_seen']], [[0, 'stale']]], [[0, 'stale']], [[0, 'stale']]],
])('of %j the best and the worst states', (timelines, best, worst) => {
  expect([bestTimeline(timelines), worstTimeline(timelines)]).toEqual([best, worst]);
});

test.each<[from: number, until: number, ReturnType<typeof intervalsBetween>]>([
  [
    0,
    30,
    [
      { state: 'live', begin: 10, end: 15 },
      { state: 'offline', begin: 20, end: 30 },
    ],
  ],
  [12, 20, [{ state: 'live', begin: 12, end: 15 }]],
  [15, 21, [{ state: 'offline', begin: 20, end: 21 }]],
  [0, 11, [{ state: 'live', begin: 10, end: 11 }]],
  [0, 10, []],
])('the intervals from %i until %i', (from, until, expected) => {
  expect(
    intervalsBetween(
      [
        [10, 'live'],
        [15, undefined],
        [20, 'offline'],
      ],
      from,
      until,
    ),
  ).toEqual(expected);
});

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

test('a day has at most the newest 500 intervals', () => {
  const states = ['stale', 'live'] as const;
  const timeline = Array.from({ length: 501 }, (_, index) => [end - 501 + index, states[index % 2]!] as const);
  const { begin, intervals, availability } = dayOf(timeline, now);
  expect([begin, intervals.length, availability]).toEqual([end - 500, 500, 0.5]);
  expect(dayOf(timeline.slice(1), now).intervals).toHaveLength(500);
});
