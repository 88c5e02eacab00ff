import { setTimeout as delay } from 'node:timers/promises';

/** Many times what a step takes on a busy machine: only a step that hangs takes longer. */
const STEP_LIMIT_MS = 900_000;

/** For one command or one wait of a step: shorter, so that the error says which one hangs. */
export const WAIT_LIMIT_MS = 870_000;

/** A process that must not end during a step. */
interface Requirement {
  ended: Promise<number | string>;
  output: () => string;
}

/** Makes the function of a test from a step. */
export type Step = (act: () => Promise<void>, requirement?: () => Requirement) => () => Promise<void>;

/** Rejects after the limit. */
async function limit(signal: AbortSignal): Promise<never> {
  await delay(STEP_LIMIT_MS, undefined, { signal });
  throw new Error(`not within ${STEP_LIMIT_MS / 1000} s`);
}

/** Rejects when the process ends. */
async function failAtEnd({ ended, output }: Requirement): Promise<never> {
  throw new Error(`ended with ${await ended} during the step:\n${output()}`);
}

/**
 * The steps of one story, in their order. A step fails when it takes longer than the limit, or when its requirement ends
 * before it does. Then the steps after it fail at once: they would wait for its result.
 */
export function story(): Step {
  let hasFailed = false;
  return (act, requirement) => async () => {
    if (hasFailed) throw new Error('not run: an earlier step failed');
    const abort = new AbortController();
    const conditions = requirement === undefined ? [] : [failAtEnd(requirement())];
    try {
      await Promise.race([act(), limit(abort.signal), ...conditions]);
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      abort.abort();
    }
  };
}
