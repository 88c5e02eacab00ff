import { mediaTypes } from '../../shared/core/format.ts';

/** A JSON body's value, the list of its lines' values, or the text of metrics; undefined without a body. */
export function parsedBody(contentType: string | null | undefined, text: string): any {
  if (text === '') return undefined;
  if (contentType === mediaTypes.openmetrics) return text;
  if (contentType !== mediaTypes.ndjson) return JSON.parse(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
