import { invalidRequest } from '../core/errors.ts';
import { isJson } from './json-text.ts';

export function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** The violation of a line, with its index among the lines that are not blank, from 0. */
const malformed = (index: number) => ({
  field: String(index),
  reason: 'malformed_json',
  message: 'The line is not valid JSON.',
});

/**
 * The lines as the text of one JSON list. Blank lines are omitted.
 *
 * @throws ApiError `invalidArgument` with every line that is no valid JSON value.
 */
export function linesToList(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const wrong = lines.flatMap((line, index) => (isJson(line) ? [] : [malformed(index)]));
  if (wrong.length > 0) throw invalidRequest(wrong);
  return `[${lines.join(',')}]`;
}
