import type { Position } from '../../../shared/db/page-token.ts';

/** A Lambda may answer with 6 MB; escaping and the envelope need some of it. */
const MAX_PAGE_BYTES = 5_500_000;

export interface PageOptions {
  size: number;
  /** Where the page before ended. */
  after: Position | undefined;
}

export interface Page<T> {
  objects: T[];
  /** Where this page ended; undefined at the end of the list. */
  next: Position | undefined;
}

/** How many of the values of a list one reply can carry, one at least. */
export function fitting(values: readonly unknown[]): number {
  let bytes = 0;
  const tooMany = values.findIndex((value, index) => {
    // Twice: the body is a text in Lambda's reply, where its quotes are escaped once more.
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
    return bytes > MAX_PAGE_BYTES && index > 0;
  });
  return tooMany === -1 ? values.length : tooMany;
}
