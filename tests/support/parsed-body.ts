import { mediaTypes } from '../../shared/core/format.ts';

/** The value of a JSON body, the list of those in its lines, or the text of metrics; undefined when there is none. */
export function parsedBody(contentType: string | null | undefined, text: string): any {
  if (text === '') return undefined;
  if (contentType === mediaTypes.openmetrics) return text;
  if (contentType !== mediaTypes.ndjson) return JSON.parse(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
