import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since a fixed time; never goes back. */
  now: () => number;
  /** Rejects when the signal aborts. */
  pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Acts later, unless the process has ended by then: this does not keep it running. */
  after: (milliseconds: number, act: () => void) => void;
}

export const nodeClock: Clock = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
  after: (milliseconds, act) => void setTimeout(act, milliseconds).unref(),
};
