import type { CommandCall, OptionSpec } from '../command.ts';
import { FileError } from '../exit-codes.ts';
import { filesOption, tableOptions, tableOptionsOf } from '../plans.ts';
import { readStateFiles } from '../state-file.ts';

export const options: readonly OptionSpec[] = [
  filesOption,
  ...tableOptions,
  { flags: '--existing', description: 'accept values that only objects which already have them may have' },
];

/** @throws FileError with each value that the server refuses in a new object. */
export async function run({ options: given, output, world }: CommandCall): Promise<undefined> {
  const files = await readStateFiles(given.all('file'), world, { ...tableOptionsOf(given), isLint: true });
  const wrong = given.flag('existing') ? [] : files.flatMap(({ wrongIfNew }) => wrongIfNew());
  if (wrong.length > 0) throw new FileError(wrong.join('\n'));
  const rows = files.map(({ path, parsed: { desired } }) => ({
    file: path,
    nodes: desired?.nodes.length,
    services: desired?.services.length,
    agents: desired?.agents.length,
  }));
  await output.list(rows, { columns: ['file', 'nodes', 'services', 'agents'] });
}
