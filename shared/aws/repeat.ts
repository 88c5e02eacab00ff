import { setTimeout as delay } from 'node:timers/promises';
import type { RetryQuota } from './retry-quota.ts';

export const MAX_ATTEMPTS = 3;

/** The pause before a repetition grows from up to 50 ms; random, so that calls that failed together spread. */
const FIRST_PAUSE_MS = 50;

const pause = (attempt: number) => delay(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));

/** What a failure that may pass is: a refusal, or no usable reply. */
export type Passing = 'refused' | 'unanswered';

/**
 * Repeats a call that fails, up to MAX_ATTEMPTS and while the quota permits it.
 *
 * @param attempt called with its number, from 1.
 * @param passingOf undefined for a failure that does not pass.
 */
export async function repeat<T>(
  attempt: (number: number) => Promise<T>,
  { quota, passingOf }: { quota: RetryQuota; passingOf: (error: unknown, number: number) => Passing | undefined },
): Promise<T> {
  for (let number = 1; ; number += 1)
    try {
      const result = await attempt(number);
      quota.refill();
      return result;
    } catch (error) {
      const passing = passingOf(error, number);
      if (passing === undefined || number >= MAX_ATTEMPTS || !quota.take(passing === 'unanswered')) throw error;
      await pause(number);
    }
}
