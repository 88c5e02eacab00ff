import { setTimeout as sleep } from 'node:timers/promises';

/** The time of day, intervals and pauses, in milliseconds. */
export interface Clock {
  /** Since 1970. */
  now: () => number;
  /** Since some moment; changes of the time of day do not affect it. */
  elapsed: () => number;
  /** Rejects when the signal aborts. */
  pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Starts the work then, if the process is still alive. @returns cancels it. */
  after: (milliseconds: number, work: () => void) => () => void;
}

/** That of this process. */
export const processClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** Aborts after the time. */
export function timeLimit(milliseconds: number, clock: Pick<Clock, 'after'> = processClock): AbortSignal {
  const controller = new AbortController();
  clock.after(milliseconds, () => controller.abort(new DOMException('The time is up.', 'TimeoutError')));
  return controller.signal;
}
