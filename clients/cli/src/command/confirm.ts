import type { CommandCall } from './command.ts';
import { CommandError } from '../core/exit-codes.ts';

/** Asks, unless `--yes` is given. @throws CommandError if the person declines, or there is nobody to ask. */
export async function confirm(question: string, { options, world }: CommandCall): Promise<void> {
  if (options.flag('yes')) return;
  if (world.ask === undefined) throw new CommandError('There is no terminal: use --yes.');
  if (!/^y(es)?$/i.test((await world.ask(`${question} [y/N] `)).trim()))
    throw new CommandError('Nothing was changed.', 'failed');
}
