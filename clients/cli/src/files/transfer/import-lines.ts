import { importLines, type ImportTotals } from '../../../../typescript/src/flows.ts';
import { CommandError } from '../../core/exit-codes.ts';
import { isWhole, type Progress } from '../progress-file.ts';
import { isFields, isList } from '../../core/values.ts';
import type { Client, ImportLine, ImportResult } from '../../../../typescript/src/index.ts';

/** A line that was refused, with its number in the file, counted from 1. */
export interface Failure {
  line: number;
  text: string;
  kind: string;
  id: string;
  message: string;
}

export interface ImportReport {
  totals: ImportTotals;
  failures: Failure[];
}

/** The message of an error with each wrong field. */
function messageOf({ error, outcome }: ImportResult): string {
  if (error === undefined) return outcome;
  // The number of the line is that of the request; the file has its own.
  const fields = error.details.map(({ field, message }) => `${field.replace(/^\d+\.object\./, '')}: ${message}`);
  return fields.length === 0 ? error.message : fields.join(' ');
}

interface NumberedLine {
  number: number;
  text: string;
  value: ImportLine;
}

/** The server checks the lines; here they only need a kind. */
const isLine = (value: unknown): value is ImportLine =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

function linesOf(file: string): NumberedLine[] {
  return file.split('\n').flatMap((line, index): NumberedLine[] => {
    const text = line.trim();
    if (text === '') return [];
    const number = index + 1;
    const wrong = () =>
      new CommandError(
        `Line ${number} is not a line of an inventory.${number === 1 ? ' The name of a file in CSV ends with .csv.' : ''}`,
      );
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw wrong();
    }
    if (!isLine(value)) throw wrong();
    return value.kind === 'end' ? [] : [{ number, text, value }];
  });
}

const successes = ['added', 'changed', 'unchanged'] as const;

const isCounts = (value: unknown): value is ImportTotals =>
  isFields(value) && [...successes, 'refused'].every((name) => isWhole(value[name]));

/** A refused line without its text, which the file has. */
type StoredFailure = Omit<Failure, 'text'>;

const isFailure = (value: unknown): value is StoredFailure => isFields(value) && isWhole(value['line']);

/** The number of lines that an interrupted import has done, with their results. */
function doneBefore({ stored = {} }: Progress): { done: number; totals: ImportTotals; failures: StoredFailure[] } {
  const { done, totals, failures } = stored;
  if (isWhole(done) && isCounts(totals) && isList(failures) && failures.every(isFailure))
    return { done, totals, failures };
  return { done: 0, totals: { added: 0, changed: 0, unchanged: 0, refused: 0 }, failures: [] };
}

function sumOf(left: ImportTotals, right: ImportTotals): ImportTotals {
  return {
    added: left.added + right.added,
    changed: left.changed + right.changed,
    unchanged: left.unchanged + right.unchanged,
    refused: left.refused + right.refused,
  };
}

/** Imports a file of any length. Cut off, it is finished by importing the file once more. */
export async function importFile(
  client: Client,
  file: string,
  dryRun: boolean,
  progress: Progress,
): Promise<ImportReport> {
  const lines = linesOf(file);
  const before = doneBefore(progress);
  const texts = new Map(lines.map(({ number, text }) => [number, text]));
  const failures = before.failures.map((failure) => ({ ...failure, text: texts.get(failure.line) ?? '' }));
  const counts: ImportTotals = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const rest = lines.slice(before.done);
  const onResult = (result: ImportResult, index: number) => {
    const line = rest[index];
    const success = successes.find((candidate) => candidate === result.outcome);
    if (success !== undefined) counts[success] += 1;
    else if (line !== undefined) {
      const { number, text } = line;
      counts.refused += 1;
      failures.push({ line: number, text, kind: result.kind, id: result.id, message: messageOf(result) });
    }
  };
  const onProgress = (done: number) =>
    progress.store({
      done: before.done + done,
      totals: sumOf(before.totals, counts),
      failures: failures.map(({ text: _, ...failure }) => failure),
    });
  await importLines(
    client,
    rest.map(({ value }) => value),
    { dryRun, onResult, onProgress },
  );
  return { totals: sumOf(before.totals, counts), failures };
}
