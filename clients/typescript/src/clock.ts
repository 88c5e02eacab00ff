/** The time of day and the timers of a client, in milliseconds. */
export interface Clock {
  /** Since 1970. */
  now: () => number;
  /** @returns cancels it. */
  after: (time: number, work: () => void) => () => void;
}

export const platformClock: Clock = {
  now: () => Date.now(),
  after: (time, work) => {
    const timer = setTimeout(work, time);
    return () => clearTimeout(timer);
  },
};
