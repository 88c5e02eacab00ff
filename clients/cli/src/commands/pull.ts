import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { pulledState } from '../files/pulled-state.ts';

export const options: readonly OptionSpec[] = [
  { flags: '-l, --selector <selector>', description: 'the scope: labels, as in Kubernetes' },
  { flags: '--prefix <text>', description: 'the scope: names with this prefix' },
  { flags: '-d, --directory <folder>', description: 'write a file in this folder instead of the standard output' },
];

export async function run({ options: given, output, connect, world }: CommandCall): Promise<undefined> {
  const [selector, prefix] = [given.text('selector'), given.text('prefix')];
  if (selector === undefined && prefix === undefined) throw new CommandError('Give a scope: --selector or --prefix.');
  const scope = {
    ...(selector === undefined ? {} : { selector }),
    ...(prefix === undefined ? {} : { name_prefix: prefix }),
  };
  const state = await pulledState(await connect(), scope);
  const { stringify } = await import('yaml');
  const text = stringify(state, { lineWidth: 0, aliasDuplicateObjects: false });
  const folder = given.text('directory');
  if (folder === undefined) {
    output.text(text);
    return;
  }
  const name = `${(selector ?? prefix ?? '').replace(/[^A-Za-z0-9=._-]+/g, '_')}.yaml`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
  world.err(`${join(folder, name)}\n`);
}
