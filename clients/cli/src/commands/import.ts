import type { ImportTotals } from '../../../typescript/src/flows.ts';
import { replaceFile } from '../../../typescript/src/replace-file.ts';
import { checkWritable } from '../connection/config.ts';
import { readText } from '../files/body-file.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError, type Exit } from '../core/exit-codes.ts';
import { formatsOfValues } from '../output/output.ts';
import { defaultOption } from '../files/plans.ts';
import { progressOf, progressOption } from '../files/progress-file.ts';
import { fromPmm, type Remark } from '../files/transfer/from-pmm.ts';
import { importFile } from '../files/transfer/import-lines.ts';
import { pmmFrom, readPmm } from '../files/transfer/read-pmm.ts';
import { parseJson } from '../core/values.ts';

export const formats = formatsOfValues;

export const options: readonly OptionSpec[] = [
  { flags: '--dry-run', description: 'report the results without any change' },
  {
    flags: '--refused <file>',
    description: 'write the lines or rows that are refused to this file, to correct and import them',
  },
  {
    flags: '--from-pmm',
    description: 'the inventory of the PMM server that PMM_URL names, or files with its replies as JSON',
  },
  { flags: '--skip-invalid', description: 'with --from-pmm: skip objects that cannot be imported' },
  { flags: '--print', description: 'with --from-pmm: only print the lines to import' },
  defaultOption,
  progressOption,
];

/** Equal remarks about many objects as one line. */
function linesOf(remarks: readonly Remark[]): string {
  const byText = new Map<string, string[]>();
  for (const { about, field, message } of remarks) {
    const said = field === '' ? message : `${field} ${message}`;
    byText.set(said, [...(byText.get(said) ?? []), about]);
  }
  return [...byText]
    .map(
      ([said, abouts]) => `${abouts[0] ?? ''}${abouts.length > 1 ? ` and ${abouts.length - 1} more` : ''}: ${said}\n`,
    )
    .join('');
}

async function repliesOf({ args, world }: CommandCall): Promise<unknown[]> {
  if (args.length === 0) return readPmm(pmmFrom(world.env));
  const replies: unknown[] = [];
  for (const file of args)
    replies.push(parseJson(await readText(file, world), () => new CommandError(`${file} is not JSON.`)));
  return replies;
}

async function convertedLines(call: CommandCall): Promise<string> {
  const { err } = call.world;
  const { lines, remarks, problems } = fromPmm(await repliesOf(call));
  err(linesOf(remarks));
  if (problems.length > 0) {
    err(`Cannot be imported:\n${linesOf(problems)}`);
    if (!call.options.flag('skipInvalid'))
      throw new CommandError(
        'Nothing was imported. Correct the files, or skip these objects with --skip-invalid.',
        'failed',
      );
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const isTable = (file: string) => /\.csv$/i.test(file);

/** Lines of an export are JSON. */
const isTableText = (text: string) => !/^[\s\uFEFF]*(\{|$)/.test(text);

/** Shows the totals. @returns the exit of the command. */
async function report({ options: given, output }: CommandCall, totals: ImportTotals): Promise<Exit | undefined> {
  const { added, changed, unchanged, refused } = totals;
  if (output.isForPeople)
    output.line(
      `${given.flag('dryRun') ? 'Would be: ' : ''}${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused.`,
    );
  else await output.value(totals);
  return refused > 0 ? 'partial' : undefined;
}

/** Imports files in CSV, or the standard input. */
async function importCsv(call: CommandCall, input: string | undefined): Promise<Exit | undefined> {
  const { args, options: given, connect, world } = call;
  if (input === undefined && !args.every(isTable))
    throw new CommandError('Import files in CSV alone, without lines of an export.');
  if (given.text('progressFile') !== undefined)
    throw new CommandError('--progress-file is for lines of an export: files in CSV are imported again as a whole.');
  const refusedFile = given.text('refused');
  if (refusedFile !== undefined && args.length > 1) throw new CommandError('--refused is for one file in CSV.');
  if (refusedFile !== undefined) checkWritable(refusedFile);
  const { parseTables, readTableFile } = await import('../files/csv/state.ts');
  const { importTables } = await import('../files/csv/import.ts');
  const files = input === undefined ? await Promise.all(args.map(readTableFile)) : [{ path: '-', text: input }];
  const tables = parseTables(files, given.all('default'));
  const { totals, refused } = await importTables(await connect(), tables, {
    isDry: given.flag('dryRun'),
    signal: world.signal,
  });
  for (const { place, message } of refused) world.err(`${place}: ${message}\n`);
  const [table] = tables;
  if (refusedFile !== undefined && table !== undefined)
    replaceFile(refusedFile, table.table.written(refused.map(({ row }) => row)));
  return report(call, totals);
}

export async function run(call: CommandCall): Promise<Exit | undefined> {
  const { args, options: given, output, connect, world } = call;
  const isFromPmm = given.flag('fromPmm');
  const input = !isFromPmm && args.length === 1 && args[0] === '-' ? await world.readInput() : undefined;
  if (!isFromPmm && (args.some(isTable) || isTableText(input ?? ''))) return importCsv(call, input);
  if (args.length === 0 && !isFromPmm)
    throw new CommandError('Name files of an export or in CSV; - is the standard input.');
  const texts: string[] = [];
  if (isFromPmm) texts.push(await convertedLines(call));
  else for (const file of args) texts.push(input ?? (await readText(file, world)));
  const text = texts.map((content) => (content.endsWith('\n') || content === '' ? content : `${content}\n`)).join('');
  if (given.flag('print')) {
    output.text(text);
    return undefined;
  }
  const dryRun = given.flag('dryRun');
  const refusedFile = given.text('refused');
  if (refusedFile !== undefined) checkWritable(refusedFile);
  // A dry run needs the results of all earlier lines.
  if (dryRun && given.text('progressFile') !== undefined) throw new CommandError('--dry-run takes no --progress-file.');
  const progress = await progressOf(call, text);
  const { totals, failures } = await importFile(await connect(), text, dryRun, progress);
  for (const { line, kind, id, message } of failures)
    world.err(`${isFromPmm ? '' : `line ${line}: `}${kind} ${id}: ${message}\n`);
  if (refusedFile !== undefined) replaceFile(refusedFile, failures.map(({ text: line }) => `${line}\n`).join(''));
  progress.finish();
  return report(call, totals);
}
