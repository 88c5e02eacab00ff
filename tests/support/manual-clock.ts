import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/** A clock that stands still until the test moves it. However slow the machine is, no deadline passes by itself. */
export interface ManualClock extends MonotonicClock {
  /** Moves the clock, and starts what is due in between, in the order of the times. */
  advance: (milliseconds: number) => void;
  /** Moves the clock from one timer to the next, and lets the effects of each take place before the next. */
  pass: (milliseconds: number) => Promise<void>;
  /** The same, until the promise has a value or an error. */
  passUntil: <Value>(promise: Promise<Value>) => Promise<Value>;
  /** Moves the clock and all that waits with it, as if the machine had slept. */
  skip: (milliseconds: number) => void;
  /** Resolves when something waits for a time that comes within these milliseconds. */
  untilWaiting: (milliseconds: number) => Promise<void>;
}

/** Lets everything that is ready run. */
export const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function manualClock(): ManualClock {
  let now = 0;
  const waiting = new Set<{ at: number; work: () => void }>();
  /** Moves the clock to the next timer, and starts its work. @returns whether one was due by then. */
  const runNext = (end: number): boolean => {
    const [next] = [...waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
    if (next === undefined) return false;
    waiting.delete(next);
    now = Math.max(now, next.at);
    next.work();
    return true;
  };
  return {
    now: () => now,
    after: (milliseconds, work) => {
      const timer = { at: now + milliseconds, work };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    advance: (milliseconds) => {
      const end = now + milliseconds;
      while (runNext(end));
      now = end;
    },
    pass: async (milliseconds) => {
      const end = now + milliseconds;
      do await turnOfTheLoop();
      while (runNext(end));
      now = Math.max(now, end);
      await turnOfTheLoop();
    },
    passUntil: async (promise) => {
      while (await isPending(promise)) runNext(Infinity);
      return promise;
    },
    skip: (milliseconds) => {
      now += milliseconds;
      for (const timer of waiting) timer.at += milliseconds;
    },
    untilWaiting: async (milliseconds) => {
      while (![...waiting].some(({ at }) => at <= now + milliseconds)) await turnOfTheLoop();
    },
  };
}

/** Whether a promise has neither a value nor an error, after everything that is ready has run. */
export const isPending = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => setImmediate(() => resolve(true)))]);

/** More turns of the event loop than sockets of this process need for anything. */
const MANY_TURNS = 300_000;

/** Whether a condition comes true by what is ready, and by what sockets of this process deliver. */
export async function comesTrue(isTrue: () => boolean): Promise<boolean> {
  for (let turns = 0; turns < MANY_TURNS && !isTrue(); turns += 1) await turnOfTheLoop();
  return isTrue();
}
