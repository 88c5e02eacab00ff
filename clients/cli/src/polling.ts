import { setTimeout as pause } from 'node:timers/promises';
import type { CommandCall } from './command.ts';
import { CommandError } from './exit-codes.ts';

const INTERVAL_MS = 1000;

/** The value of the check once it has one. With `--timeout`, which is that of the whole wait, an error with the exit code 7. */
export async function untilTrue<Value>(
  { options, world: { signal } }: Pick<CommandCall, 'options' | 'world'>,
  check: () => Promise<Value | undefined>,
): Promise<Value> {
  const end = performance.now() + (options.time('timeout') ?? Infinity);
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (performance.now() + INTERVAL_MS > end)
      throw new CommandError(`Not within ${options.text('timeout') ?? ''}.`, 'unanswered');
    await pause(INTERVAL_MS, undefined, { signal });
  }
}
