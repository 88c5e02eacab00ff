import type { Position } from '../../../shared/db/page-token.ts';

/** A Lambda function may return 6 MB. The rest is for escaping and the envelope of the reply. */
const MAX_PAGE_BYTES = 5_500_000;

export interface PageOptions {
  size: number;
  /** The position at which the previous page ended. */
  after: Position | undefined;
}

export interface Page<T> {
  objects: T[];
  /** The position at which this page ended; undefined at the end of the list. */
  next: Position | undefined;
}

/** How many of the values, from the first one, fit into one reply; at least one. */
export function fitting(values: readonly unknown[]): number {
  let bytes = 0;
  const tooMany = values.findIndex((value, index) => {
    // Serialised twice: the body is a string in the Lambda reply, which escapes its quotes once more.
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
    return bytes > MAX_PAGE_BYTES && index > 0;
  });
  return tooMany === -1 ? values.length : tooMany;
}
