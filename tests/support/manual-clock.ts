import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/** A clock that stands still until the test moves it. However slow the machine is, no deadline passes by itself. */
export interface ManualClock extends MonotonicClock {
  /** Moves the clock, and starts what is due in between, in the order of the times. */
  advance: (milliseconds: number) => void;
  /** Resolves when something waits for a time that comes within these milliseconds. */
  untilWaiting: (milliseconds: number) => Promise<void>;
}

export function manualClock(): ManualClock {
  let now = 0;
  const waiting = new Set<{ at: number; work: () => void }>();
  return {
    now: () => now,
    after: (milliseconds, work) => {
      const timer = { at: now + milliseconds, work };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    advance: (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        waiting.delete(next);
        now = Math.max(now, next.at);
        next.work();
      }
      now = end;
    },
    untilWaiting: async (milliseconds) => {
      while (![...waiting].some(({ at }) => at <= now + milliseconds)) await new Promise(setImmediate);
    },
  };
}

/** Whether a promise has neither a value nor an error, after everything that is ready has run. */
export const isPending = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => setImmediate(() => resolve(true)))]);
