import { processClock } from './core/clock.ts';
import type { CommandSpec } from './command/command.ts';
import { run } from './run.ts';

/** Standard output of the program for these arguments, which print help and need neither a server nor input. */
async function printed(argv: readonly string[]): Promise<string> {
  let text = '';
  const never = new AbortController().signal;
  await run(argv, {
    env: {},
    out: (part) => (text += part),
    err: (part) => {
      throw new Error(part);
    },
    readInput: () => Promise.resolve(''),
    ask: undefined,
    signal: never,
    leaving: never,
    clock: processClock,
  });
  return text;
}

/**
 * The help of the program (`''`), of each group (`key`) and of each command (`key list`), as the program prints it.
 * The package contains these texts, so that help does not load the program.
 */
export async function helpTexts(commands: readonly CommandSpec[]): Promise<Record<string, string>> {
  const names = commands.map(({ name }) => name);
  const groups = names.map((name) => name.split(' ', 1).join());
  const texts: Record<string, string> = {};
  for (const name of new Set(['', ...groups, ...names]))
    texts[name] = await printed([...name.split(' ').filter(Boolean), '--help']);
  return texts;
}
