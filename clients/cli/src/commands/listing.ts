import type { Action } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { filters as meanings } from '../generated/filters.ts';
import type { lists } from '../generated/lists.ts';
import { layoutOf, listOf, readList } from '../objects/objects.ts';

/** A command that lists credentials, events or removals, with an option for each filter. */
export function listing(items: keyof typeof lists): Action {
  const flagOf = (name: string) => name.replaceAll('_', '-');
  const attributeOf = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { filters } = listOf(items);
  const meaningOf = new Map(Object.entries(meanings[items]));
  return {
    options: [
      ...filters.map(({ name }) => ({
        flags: `--${flagOf(name)} ${/^(include|exclude)_/.test(name) ? '[boolean]' : '<value>'}`,
        description: meaningOf.get(name) ?? '',
      })),
      { flags: '--limit <number>', description: 'at most this number' },
    ],
    run: async ({ options, output, connect }) => {
      const query = filters.flatMap(({ name }) => {
        const value = options.flag(attributeOf(name)) ? 'true' : options.text(attributeOf(name));
        if (value === '') throw new CommandError(`--${flagOf(name)} is empty.`);
        return value === undefined ? [] : [[name, value] as const];
      });
      const limit = options.count('limit');
      await output.list(await readList(await connect(), items, Object.fromEntries(query), limit), layoutOf(items));
      return undefined;
    },
  };
}
