import { bestOf, type Life, severity, type State } from '../../domain/fields/liveness.ts';
import type { Heartbeat } from './heartbeat.ts';
import { HISTORY_MS, historyOf, offlineAtOf, staleAtOf } from './report-history.ts';
import type { Report } from './stored-report.ts';

/** From this time on, in milliseconds since 1970, an object was in this state; undefined: unknown. */
export type Step = readonly [at: number, state: State | undefined];

/** The states of an object. Before the first step they are unknown. */
export type Timeline = readonly Step[];

/** A time in which an object was in one state, in milliseconds since 1970. */
export interface Interval {
  state: State;
  begin: number;
  end: number;
}

/** Without steps of no length, and without those that change nothing. */
function simplified(steps: Iterable<Step>): Timeline {
  const kept: Step[] = [];
  for (const step of steps) {
    if (kept.at(-1)?.[0] === step[0]) kept.pop();
    if (kept.at(-1)?.[1] !== step[1]) kept.push(step);
  }
  return kept;
}

/** The states that an object has by those of several others. */
function combined(
  timelines: readonly Timeline[],
  stateOfAll: (states: readonly (State | undefined)[]) => Step[1],
): Timeline {
  const changes = timelines
    .flatMap((timeline, index) => timeline.map(([at, state]) => ({ at, state, index })))
    .sort((left, right) => left.at - right.at);
  const present = timelines.map((): State | undefined => undefined);
  return simplified(
    changes.map(({ at, state, index }): Step => {
      present[index] = state;
      return [at, stateOfAll(present)];
    }),
  );
}

const ALWAYS = -Infinity;

/** The states of an agent process: before its first report `never_seen`, and those that follow if it does not report again. */
function timelineOfProcess(report: Report | undefined, life: Life): Timeline {
  if (report === undefined) return [[ALWAYS, 'never_seen']];
  const { since, isWhole, interruptions } = historyOf(report);
  return simplified([
    [ALWAYS, isWhole ? 'never_seen' : undefined],
    [since, 'live'],
    ...interruptions.flatMap(({ staleAt, offlineAt, endAt }): Step[] => [
      [staleAt, 'stale'],
      [offlineAt, 'offline'],
      [endAt, 'live'],
    ]),
    [staleAtOf(report, life), 'stale'],
    [offlineAtOf(report, life), 'offline'],
  ]);
}

const isKnown = (state: State | undefined) => state !== undefined;

/** That of the best process; unknown while a better one can be among those whose state is unknown. */
const stateOfProcesses = (states: readonly (State | undefined)[]): State | undefined =>
  states.includes('live') || states.every(isKnown) ? bestOf(states.filter(isKnown)) : undefined;

/** The states from the first report on: they are known without a gap. */
function sinceFirstReport(states: Timeline): Timeline {
  return states.slice(states.findLastIndex(([, state]) => state === undefined || state === 'never_seen') + 1);
}

/** The states by the reports of one agent process, also those that follow if it does not report again. */
export const timelineOfReport = (report: Report | undefined, life: Life): Timeline =>
  sinceFirstReport(timelineOfProcess(report, life));

/**
 * The states of a node, also those that follow if it does not report again. It begins with the first report of its present
 * agent processes, or later: an earlier process may have been removed.
 */
export function timelineOf({ processes, life }: Heartbeat): Timeline {
  const timelines = [...processes.values()].map((report) => timelineOfProcess(report, life));
  return sinceFirstReport(timelines.length === 1 ? (timelines[0] ?? []) : combined(timelines, stateOfProcesses));
}

/** The best of the states that are known. */
export const bestTimeline = (timelines: readonly Timeline[]): Timeline =>
  combined(timelines, (states) => (states.some(isKnown) ? bestOf(states.filter(isKnown)) : undefined));

/** The worst of the states that are known. */
export const worstTimeline = (timelines: readonly Timeline[]): Timeline =>
  combined(timelines, (states) => severity.findLast((state) => states.includes(state)));

/** The states between two times, one after the other. */
export function intervalsBetween(timeline: Timeline, from: number, until: number): Interval[] {
  return timeline.flatMap(([at, state], index) => {
    const begin = Math.max(at, from);
    const end = Math.min(timeline[index + 1]?.[0] ?? Infinity, until);
    return state === undefined || begin >= end ? [] : [{ state, begin, end }];
  });
}

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

/** The share of the time of intervals, one after the other, in which this holds; undefined without intervals. */
export function shareOf<One extends Interval>(
  intervals: readonly One[],
  holds: (interval: One) => boolean,
): number | undefined {
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const ms = intervals.filter(holds).reduce((sum, { begin, end }) => sum + (end - begin), 0);
  return Math.floor((ms * PRECISION) / (last.end - first.begin)) / PRECISION;
}

/** The states of the last day. With too many intervals, the day begins with the newest. */
export function dayOf(timeline: Timeline, now: Date): StateDay {
  const end = now.getTime();
  const intervals = intervalsBetween(timeline, end - HISTORY_MS, end).slice(-MAX_INTERVALS);
  const [first] = intervals;
  if (first === undefined) return { begin: end, end, intervals, availability: undefined };
  const availability = shareOf(intervals, ({ state }) => state === 'live');
  return { begin: first.begin, end, intervals, availability };
}
