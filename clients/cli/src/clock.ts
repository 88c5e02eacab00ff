import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since a fixed time; never goes back. */
  now: () => number;
  /** Rejects when the signal aborts. */
  pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export const nodeClock: Clock = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};
