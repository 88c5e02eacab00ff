import type { Position } from '../../../shared/db/page-token.ts';

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
