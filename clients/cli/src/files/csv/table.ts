import Papa from 'papaparse';
import { FileError } from '../../core/exit-codes.ts';

/** A line of a table with values. */
export interface TableRow {
  /** Its first line in the file, counted from 1. */
  line: number;
  cells: string[];
}

export interface Table {
  path: string;
  head: TableRow;
  rows: TableRow[];
  /** Writes rows as the file has them, under its head. */
  written: (rows: readonly TableRow[]) => string;
}

const DELIMITERS = [',', ';', '\t'];

const countOf = (text: string, part: string) => text.split(part).length - 1;

/**
 * The separator of cells: that of the first line, which has names without any of them. Spreadsheets write semicolons where a
 * comma is the decimal mark; some write a line `sep=;` before.
 */
function delimiterOf(text: string): { delimiter: string; body: string; firstLine: number } {
  const [declared, delimiter] = /^sep=([,;\t])(?:\r\n|\r|\n)/i.exec(text) ?? [];
  if (declared !== undefined && delimiter !== undefined)
    return { delimiter, body: text.slice(declared.length), firstLine: 2 };
  const [line = ''] = text.split(/[\r\n]/, 1);
  const [best = ','] = DELIMITERS.toSorted((left, right) => countOf(line, right) - countOf(line, left));
  return { delimiter: best, body: text, firstLine: 1 };
}

/** The text of a file in UTF-8 or, with its mark, UTF-16. @throws FileError if it is in another encoding. */
export function decoded(bytes: Uint8Array, path: string): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(`${path} is not in UTF-8: save it as "CSV UTF-8".`);
  }
}

/**
 * A table in CSV by RFC 4180, with a head. Cells are separated by commas, semicolons or tabs. Lines without a value are left out,
 * also a mark of the byte order.
 *
 * @throws FileError with each line whose quotes are wrong, and those with more cells than the head.
 */
export function readTable(text: string, path: string): Table {
  const { delimiter, body, firstLine } = delimiterOf(text.replace(/^\uFEFF/, ''));
  const { data, errors } = Papa.parse<string[]>(body, { delimiter });
  const wrong = errors.map(({ message, index = 0 }) => {
    const before = body.slice(0, index);
    return `${path}:${firstLine + countOf(before.replace(/\r\n?/g, '\n'), '\n')} ${message}.`;
  });
  let line = firstLine;
  const [head, ...rows] = data
    .map((cells) => {
      const row = { line, cells };
      // A cell can have lines.
      line += 1 + countOf(cells.join('').replace(/\r\n?/g, '\n'), '\n');
      return row;
    })
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (head === undefined) throw new FileError(`${path} is empty: its first line has the names of fields.`);
  for (const { line: place, cells } of rows)
    if (cells.slice(head.cells.length).some((cell) => cell !== ''))
      wrong.push(`${path}:${place}:${head.cells.length + 1} The line has more cells than the first one.`);
  if (wrong.length > 0) throw new FileError(wrong.join('\n'));
  const written = (some: readonly TableRow[]) =>
    `${Papa.unparse(
      [head, ...some].map(({ cells }) => cells),
      { delimiter, newline: '\n' },
    )}\n`;
  return { path, head, rows, written };
}
