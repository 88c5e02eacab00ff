import type { CommandCall } from './command.ts';
import { CommandError } from '../core/exit-codes.ts';

const INTERVAL_MS = 1000;

/** The signal of the command, with the end of its `--timeout`. */
export interface LimitedSignal {
  signal: AbortSignal;
  /** Whether the time is up, and the command was not interrupted before. */
  isOver: () => boolean;
}

/** `AbortSignal.any` is not used: the version of Node 20.0 lacks it, and Node can lose a signal that it made. */
export function limitedSignal({ options, world }: Pick<CommandCall, 'options' | 'world'>): LimitedSignal {
  const limit = options.time('timeout');
  if (limit === undefined) return { signal: world.signal, isOver: () => false };
  const controller = new AbortController();
  const cancel = world.clock.after(limit, () => controller.abort(new CommandError('The time is up.', 'unanswered')));
  const stop = () => {
    cancel();
    controller.abort(world.signal.reason);
  };
  world.signal.addEventListener('abort', stop, { once: true });
  if (world.signal.aborted) stop();
  return { signal: controller.signal, isOver: () => controller.signal.aborted && !world.signal.aborted };
}

/**
 * The value of the check once it has one. With `--timeout`, which is that of the whole wait, an error with the exit code 7.
 *
 * @param check gets the signal of the end, which aborts its requests.
 */
export async function untilTrue<Value>(
  { options, world }: Pick<CommandCall, 'options' | 'world'>,
  check: (signal: AbortSignal) => Promise<Value | undefined>,
): Promise<Value> {
  const { signal, isOver } = limitedSignal({ options, world });
  try {
    for (;;) {
      const value = await check(signal);
      if (value !== undefined) return value;
      await world.clock.pause(INTERVAL_MS, signal);
    }
  } catch (error) {
    if (!isOver()) throw error;
    throw new CommandError(`Not within ${options.text('timeout') ?? ''}.`, 'unanswered');
  }
}
