import { mediaTypes } from '../../shared/http/format.ts';

/** The value of a JSON body, or the list of those in its lines; undefined when there is none. */
export function parsedBody(contentType: string | null | undefined, text: string): any {
  if (text === '') return undefined;
  if (contentType !== mediaTypes.ndjson) return JSON.parse(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
