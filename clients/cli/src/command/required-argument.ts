import type { CommandCall } from './command.ts';

/** An argument that a command cannot be called without, `<name>`. */
export function requiredArgument({ args }: Pick<CommandCall, 'args'>): string {
  const [argument] = args;
  if (argument === undefined) throw new Error('The command was called without its argument.');
  return argument;
}
