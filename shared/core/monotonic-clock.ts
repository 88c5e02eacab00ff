export interface TimerOptions {
  /** Whether the process stays alive for the timer. Default: true. */
  ref?: boolean;
}

/** Measures deadlines and intervals. Changes of the time of day do not affect it. */
export interface MonotonicClock {
  /** Milliseconds since some moment. */
  now: () => number;
  /**
   * Starts `work` after some milliseconds.
   *
   * @returns cancels it.
   */
  after: (milliseconds: number, work: () => void, options?: TimerOptions) => () => void;
}

/** The clock of this process. */
export const processClock: MonotonicClock = {
  now: () => performance.now(),
  after: (milliseconds, work, { ref = true } = {}) => {
    const timer = setTimeout(work, milliseconds);
    if (!ref) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Something whose deadlines follow a clock of its own, as a table in tests. Default: the clock of the process. */
export interface ClockSource {
  monotonic?: MonotonicClock | undefined;
  /** How a repetition waits for its turn. Default: on the clock. In tests nothing else would move the clock in the meantime. */
  backOff?: ((milliseconds: number) => Promise<void>) | undefined;
}

export const clockOf = ({ monotonic = processClock }: ClockSource): MonotonicClock => monotonic;

export const monotonicMs = (source: ClockSource): number => clockOf(source).now();

/** Resolves after some milliseconds. */
export const pause = (source: ClockSource, milliseconds: number, options?: TimerOptions): Promise<void> =>
  new Promise((resolve) => {
    clockOf(source).after(milliseconds, resolve, options);
  });

/** Resolves after some milliseconds, before another attempt of what was refused for now. */
export const backOff = (source: ClockSource, milliseconds: number): Promise<void> =>
  source.backOff?.(milliseconds) ?? pause(source, milliseconds);

/** Aborts after some milliseconds. */
export function timeLimit(source: ClockSource, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException('The time is up.', 'TimeoutError'));
  clockOf(source).after(milliseconds, abort, { ref: false });
  return controller.signal;
}

/**
 * Starts `work` each time some milliseconds have passed.
 *
 * @returns ends the repetition.
 */
export function every(
  clock: Pick<MonotonicClock, 'after'>,
  milliseconds: number,
  work: () => void,
  options?: TimerOptions,
): () => void {
  let cancel: () => void;
  const schedule = () => {
    cancel = clock.after(
      milliseconds,
      () => {
        // First, so that `work` can end the repetition.
        schedule();
        work();
      },
      options,
    );
  };
  schedule();
  return () => cancel();
}
