import { setTimeout as pause } from 'node:timers/promises';
import type { CommandCall } from './command.ts';
import { CommandError } from './exit-codes.ts';

const INTERVAL_MS = 1000;

/**
 * The value of the check once it has one. With `--timeout`, which is that of the whole wait, an error with the exit code 7.
 *
 * @param check gets the signal of the end, which aborts its requests.
 */
export async function untilTrue<Value>(
  { options, world }: Pick<CommandCall, 'options' | 'world'>,
  check: (signal: AbortSignal) => Promise<Value | undefined>,
): Promise<Value> {
  const limit = options.time('timeout');
  const end = limit === undefined ? [] : [AbortSignal.timeout(limit)];
  const signal = AbortSignal.any([world.signal, ...end]);
  try {
    for (;;) {
      const value = await check(signal);
      if (value !== undefined) return value;
      await pause(INTERVAL_MS, undefined, { signal });
    }
  } catch (error) {
    if (world.signal.aborted || !signal.aborted) throw error;
    throw new CommandError(`Not within ${options.text('timeout') ?? ''}.`, 'unanswered');
  }
}
