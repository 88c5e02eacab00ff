import { additions } from '../../../../functions/domain/bulk/additions.ts';
import { newValueViolations } from '../../../../functions/domain/fields/stored-values.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError, FileError } from '../core/exit-codes.ts';
import { kindNames, operationsOf, readList, referenceTo } from '../objects/objects.ts';
import { filesOption, tableOptions, tableOptionsOf } from '../files/plans.ts';
import { readStateFiles } from '../files/state-file.ts';
import type { Fields } from '../core/values.ts';

export const options: readonly OptionSpec[] = [
  filesOption,
  ...tableOptions,
  { flags: '--existing', description: 'accept values that only objects which already have them may have' },
  { flags: '--stored', description: 'list the values in the inventory that a new object may not have' },
];

/** The values in the inventory that the server refuses in new objects. */
async function storedValues(client: Client): Promise<Fields[]> {
  const rows: Fields[] = [];
  for (const kind of kindNames)
    for (const object of await readList(client, operationsOf(kind).items, {}))
      for (const { field, message } of newValueViolations(additions[kind], object))
        rows.push({ object: referenceTo({ kind, object }), field, message });
  return rows;
}

/** @throws FileError with each value that the server refuses in a new object. */
export async function run({ options: given, output, world, connect }: CommandCall): Promise<undefined> {
  if (given.flag('stored')) {
    if (given.all('file').length > 0) throw new CommandError('--stored reads the inventory. Leave out --file.');
    await output.list(await storedValues(await connect()), { columns: ['object', 'field', 'message'] });
    return;
  }
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
