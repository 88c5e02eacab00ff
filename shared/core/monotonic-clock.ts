/**
 * The time that passes, in milliseconds since some moment: for deadlines and intervals. Changes of the time of day do not
 * affect it.
 */
export type MonotonicClock = () => number;

/** The clock of this process. */
export const processClock: MonotonicClock = () => performance.now();

/** Something whose deadlines follow a clock of its own, as a table in tests. Default: the clock of the process. */
export interface ClockSource {
  monotonic?: MonotonicClock | undefined;
}

export const monotonicMs = ({ monotonic = processClock }: ClockSource): number => monotonic();
