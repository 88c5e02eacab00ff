/** What a look at a running test file has found. */
export interface Sample {
  /** Since the process of the file started, with the processes that it started; undefined where the system does not tell. */
  readonly processorSeconds: number | undefined;
  readonly wallSeconds: number;
  /** Processes that want to run, for each processor. */
  readonly load: number;
}

export interface Limits {
  /** Wall time of the file on a machine without other work. */
  readonly usualSeconds: number;
  /** A file without processor time for so long waits for something that does not come. */
  readonly idleSeconds: number;
}

/** Less is the work of a runtime that waits. */
const PROGRESS_SECONDS = 0.1;

/** How many times the usual time of a file it may take. */
const MARGIN = 10;

/** The pause of a machine that slept is not the time of a file. */
const MAX_STEP_SECONDS = 5;

/**
 * Decides whether a test file hangs. Neither rule depends on the load of the machine: a process that can run gets some of any minute,
 * and time counts less where processes share processors.
 *
 * @returns takes one sample after another, and returns the reason to end the file, if there is one.
 */
export function watchFile({ usualSeconds, idleSeconds }: Limits): (sample: Sample) => string | undefined {
  let last: Sample = { processorSeconds: 0, wallSeconds: 0, load: 1 };
  let progress = { processorSeconds: 0, wallSeconds: 0 };
  let ownSeconds = 0;
  return (sample) => {
    ownSeconds += Math.min(sample.wallSeconds - last.wallSeconds, MAX_STEP_SECONDS) / Math.max(1, sample.load);
    last = sample;
    const { processorSeconds, wallSeconds } = sample;
    if (ownSeconds > MARGIN * usualSeconds) return `took more than ten times its usual ${usualSeconds} s`;
    if (processorSeconds === undefined) return undefined;
    if (Math.abs(processorSeconds - progress.processorSeconds) >= PROGRESS_SECONDS)
      progress = { processorSeconds, wallSeconds };
    return wallSeconds - progress.wallSeconds >= idleSeconds
      ? `used no processor time for ${idleSeconds} s`
      : undefined;
  };
}
