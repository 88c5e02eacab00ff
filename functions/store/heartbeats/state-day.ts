import { HISTORY_MS } from './report-history.ts';
import { type Interval, intervalsBetween, type Timeline } from './timeline.ts';

/** The most intervals of a reply. */
const MAX_INTERVALS = 500;

/** The known states of the last day, in milliseconds since 1970. */
export interface StateDay {
  begin: number;
  end: number;
  /** One after the other, from the begin to the end. */
  intervals: readonly Interval[];
  /** The share of the time in which it was live; undefined if no state is known. */
  availability: number | undefined;
}

/** Digits after the point. Rounded down: 1 means live all the time. */
const PRECISION = 100_000;

/** The states of the last day. With too many intervals, the day begins with the newest. */
export function dayOf(timeline: Timeline, now: Date): StateDay {
  const end = now.getTime();
  const intervals = intervalsBetween(timeline, end - HISTORY_MS, end).slice(-MAX_INTERVALS);
  const [first] = intervals;
  if (first === undefined) return { begin: end, end, intervals, availability: undefined };
  const live = intervals.filter(({ state }) => state === 'live');
  const liveMs = live.reduce((sum, one) => sum + (one.end - one.begin), 0);
  const availability = Math.floor((liveMs * PRECISION) / (end - first.begin)) / PRECISION;
  return { begin: first.begin, end, intervals, availability };
}
