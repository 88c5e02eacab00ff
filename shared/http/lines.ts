import { invalidRequest } from '../core/errors.ts';
import { wrongColumn } from './json-fault.ts';
import { isJson } from './json-text.ts';

export function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** The violation of a line, with its index among the lines that are not blank, from 0. */
const malformed = (line: string, number: number, index: number) => ({
  field: String(index),
  reason: 'malformed_json',
  message: `Line ${number} of the body is not valid JSON: ${wrongColumn(line)}.`,
});

/**
 * The lines as the text of one JSON list. Blank lines are omitted.
 *
 * @throws ApiError `invalidArgument` with every line that is no valid JSON value.
 */
export function linesToList(text: string): string {
  const numbered = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const lines = numbered.filter(({ line }) => line.trim() !== '');
  const wrong = lines.flatMap(({ line, number }, index) => (isJson(line) ? [] : [malformed(line, number, index)]));
  if (wrong.length > 0) throw invalidRequest(wrong);
  return `[${lines.map(({ line }) => line).join(',')}]`;
}
