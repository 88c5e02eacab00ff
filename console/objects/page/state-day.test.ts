import type { ShownStatus } from '../../../functions/domain/agent/types.ts';
import {
  availabilityText,
  drawnAs,
  interruptionsText,
  meaningOf,
  percentText,
  placeInDay,
  silentIntervalsOf,
  type StateDay,
  type StateInterval,
} from './state-day.ts';

const END = Date.parse('2026-03-02T12:00:00.000Z');
const at = (hours: number) => new Date(END + hours * 3_600_000).toISOString();
const interval = (state: StateInterval['state'], from: number, to: number) => ({ state, begin: at(from), end: at(to) });

const day = (intervals: StateInterval[], more: Partial<StateDay> = {}): StateDay => ({
  ...{ begin: intervals[0]?.begin ?? at(0), end: at(0), intervals },
  ...more,
});

test('a share is rounded down, so that only 1 is 100 %', () => {
  expect([1, 0.99999, 0.98611, 0.29, 0.5, 0.00416, 0].map(percentText)).toEqual([
    ...['100 %', '99.99 %', '98.61 %', '29 %', '50 %', '0.41 %', '0 %'],
  ]);
});

test('the availability names its time, and of a cluster both shares', () => {
  const whole = day([interval('live', -24, 0)], { availability: 1 });
  expect(availabilityText(whole, 'x')).toBe('Live 100 % of the last 24 hours');
  const part = day([interval('live', -6, 0)], { availability: 0.5, all_live: 0.25 });
  expect(availabilityText(part, '06:00')).toBe('All services live 25 % of the time since 06:00, at least one 50 %');
  expect(availabilityText(day([]), 'x')).toBeUndefined();
});

test('an agent is running or not while its host is live, and as its host otherwise', () => {
  const status = (name: ShownStatus, ...[state, from, to]: Parameters<typeof interval>) => ({
    ...interval(state, from, to),
    status: name,
  });
  const ofAgent = day(
    [
      interval('live', -24, -20),
      status('running', 'live', -20, -9),
      status('waiting', 'live', -9, -8),
      status('unknown', 'offline', -8, -6),
      status('running', 'live', -6, -5),
      status('done', 'live', -5, 0),
    ],
    { availability: 0.5 },
  );
  expect(availabilityText(ofAgent, 'x')).toBe('Running 50 % of the last 24 hours');
  expect(interruptionsText(ofAgent)).toBe('2 interruptions');
  expect(ofAgent.intervals.map((part) => [meaningOf(part).word, drawnAs(part)])).toEqual([
    ['Live', 'live'],
    ['Running', 'live'],
    ['Waiting', 'stale'],
    ['Offline', 'offline'],
    ['Running', 'live'],
    ['Stopped', 'stale'],
  ]);
  expect(silentIntervalsOf(ofAgent).map(({ begin }) => begin)).toEqual([at(-5), at(-8), at(-9)]);
});

test('an offline time after a stale one is the same interruption', () => {
  const interrupted = day([interval('live', -24, -5), interval('stale', -5, -4), interval('offline', -4, 0)]);
  expect(interruptionsText(interrupted)).toBe('1 interruption');
  const two = day([interval('stale', -9, -8), interval('live', -8, -3), interval('stale', -3, 0)]);
  expect(interruptionsText(two)).toBe('2 interruptions');
  expect(silentIntervalsOf(two).map(({ begin }) => begin)).toEqual([at(-3), at(-9)]);
  expect(interruptionsText(day([interval('live', -24, 0)]))).toBe('No interruption');
});

test('the place of an interval is that in the 24 hours before the end, whenever the history begins', () => {
  const part = day([interval('live', -12, -6), interval('stale', -6, 0)]);
  expect(part.intervals.map((state) => placeInDay(state, part))).toEqual([
    { from: 0.5, length: 0.25 },
    { from: 0.75, length: 0.25 },
  ]);
});
