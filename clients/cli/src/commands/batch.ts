import { batch } from '../../../typescript/src/flows/batch.ts';
import { runBatch } from '../../../typescript/src/generated/operations.ts';
import type { BatchOperation, BatchResult } from '../../../typescript/src/generated/types.ts';
import { readYaml } from '../files/body-file.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError, type Exit } from '../core/exit-codes.ts';
import { isWhole, type Progress, progressOf, progressOption } from '../files/progress-file.ts';
import { fieldsOf, isFields, isList } from '../core/values.ts';

export const options: readonly OptionSpec[] = [
  { flags: '-f, --file <file>', description: 'YAML or JSON file with a list of operations; - is the standard input' },
  { flags: '--atomic', description: 'all operations or none, in one request' },
  progressOption,
  {
    flags: '--repeat',
    description: 'with a progress file: send operations again that were interrupted and may have added objects',
  },
];

/** The server checks the operations; here they only need a name. */
const isOperation = (value: unknown): value is BatchOperation => isFields(value) && typeof value['op'] === 'string';

const isResult = (value: unknown): value is BatchResult => isFields(value) && isWhole(value['status']);

/** The results of an interrupted batch. @throws CommandError if a repetition could have a second effect. */
function resultsBefore(
  { stored = {} }: Progress,
  operations: readonly BatchOperation[],
  isRepeated: boolean,
): readonly BatchResult[] {
  const { results, sent } = stored;
  if (!isList(results) || !results.every(isResult)) return [];
  const uncertain = operations.slice(results.length, isWhole(sent) ? sent : results.length);
  // A repeated declaration, change or removal has no second effect; a repeated addition of an agent adds another one.
  if (!isRepeated && uncertain.some(({ op }) => op.startsWith('add')))
    throw new CommandError(
      `The reply to the operations ${results.length} to ${results.length + uncertain.length - 1} was lost, and they add ` +
        'objects. Check whether the objects exist; --repeat sends these operations again.',
      'partial',
    );
  return results;
}

export const isOrderly = true;

async function runAll(
  { connect, options: given, world }: CommandCall,
  operations: readonly BatchOperation[],
  shown: BatchResult[],
  { store }: Progress,
): Promise<void> {
  const client = await connect();
  if (given.flag('atomic')) {
    shown.push(...(await runBatch(client, { operations, atomic: true })).results);
    return;
  }
  await batch(client, operations, {
    done: [...shown],
    onRequest: (_, end) => store({ results: shown, sent: end }),
    onResults: (results) => {
      shown.push(...results);
      store({ results: shown, sent: shown.length });
    },
    signal: world.signal,
  });
}

export async function run(call: CommandCall): Promise<Exit | undefined> {
  const { options: given, output, world } = call;
  const file = given.text('file');
  if (file === undefined) throw new CommandError('Give a file: -f FILE.');
  if (given.flag('atomic') && given.text('progressFile') !== undefined)
    throw new CommandError('--atomic takes no --progress-file: it is one request.');
  const value = await readYaml(file, world);
  const operations = isFields(value) ? value['operations'] : value;
  if (!isList(operations) || !operations.every(isOperation))
    throw new CommandError(`${file} contains no list of operations.`);
  const progress = await progressOf(call, JSON.stringify(operations));
  const shown = [...resultsBefore(progress, operations, given.flag('repeat'))];
  try {
    await runAll(call, operations, shown, progress);
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
  progress.finish();
  return shown.some(({ status }) => status >= 300) ? 'partial' : undefined;
}
