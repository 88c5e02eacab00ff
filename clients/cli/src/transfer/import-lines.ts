import { importLines, type ImportTotals } from '../../../typescript/src/flows.ts';
import { CommandError } from '../exit-codes.ts';
import type { Client, ImportLine, ImportResult } from '../../../typescript/src/index.ts';

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
    const wrong = () => new CommandError(`Line ${number} is not a line of an inventory.`);
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

/** Imports a file of any length. Cut off, it is finished by importing the file once more. */
export async function importFile(client: Client, file: string, dryRun: boolean): Promise<ImportReport> {
  const lines = linesOf(file);
  const failures: Failure[] = [];
  const onResult = (result: ImportResult, index: number) => {
    const line = lines[index];
    if (line === undefined || ['added', 'changed', 'unchanged'].includes(result.outcome)) return;
    const { number, text } = line;
    failures.push({ line: number, text, kind: result.kind, id: result.id, message: messageOf(result) });
  };
  const totals = await importLines(
    client,
    lines.map(({ value }) => value),
    { dryRun, onResult },
  );
  return { totals, failures };
}
