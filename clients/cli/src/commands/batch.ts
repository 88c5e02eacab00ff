import { batch } from '../../../typescript/src/flows/batch.ts';
import { runBatch } from '../../../typescript/src/generated/operations.ts';
import type { BatchOperation, BatchResult } from '../../../typescript/src/generated/types.ts';
import { readYaml } from '../body-file.ts';
import type { CommandCall, OptionSpec } from '../command.ts';
import { CommandError, type Exit } from '../exit-codes.ts';
import { fieldsOf, isFields, isList } from '../values.ts';

export const options: readonly OptionSpec[] = [
  { flags: '-f, --file <file>', description: 'YAML or JSON file with a list of operations; - is the standard input' },
  { flags: '--atomic', description: 'all operations or none, in one request' },
];

/** The server checks the operations; here they only need a name. */
const isOperation = (value: unknown): value is BatchOperation => isFields(value) && typeof value['op'] === 'string';

export const isOrderly = true;

export async function run({ options: given, output, connect, world }: CommandCall): Promise<Exit | undefined> {
  const file = given.text('file');
  if (file === undefined) throw new CommandError('Give a file: -f FILE.');
  const value = await readYaml(file, world);
  const operations = isFields(value) ? value['operations'] : value;
  if (!isList(operations) || !operations.every(isOperation))
    throw new CommandError(`${file} contains no list of operations.`);
  const client = await connect();
  const shown: BatchResult[] = [];
  const onResults = (results: readonly BatchResult[]) => void shown.push(...results);
  try {
    if (given.flag('atomic')) onResults((await runBatch(client, { operations, atomic: true })).results);
    else await batch(client, operations, { onResults, signal: world.signal });
  } finally {
    // The results of earlier requests are known also if a later one fails.
    const rows = shown.map((result, index) => ({
      operation: index,
      op: operations[index]?.op,
      ...fieldsOf(result),
      error: output.isForPeople ? result.error?.message : result.error,
    }));
    if (rows.length > 0) await output.list(rows, { columns: ['operation', 'op', 'status', 'outcome', 'id', 'error'] });
  }
  return shown.some(({ status }) => status >= 300) ? 'partial' : undefined;
}
