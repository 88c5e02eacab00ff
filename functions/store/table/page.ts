import type { Position } from '../../../shared/db/page-token.ts';

export interface PageOptions {
  size: number;
  /** The position at which the previous page ended. */
  after: Position | undefined;
}

/** The number of all objects of a list. */
export interface ListTotal {
  total: number;
  /** When they were counted; absent: now. */
  total_at?: string;
}

export interface Page<T> {
  /** On request, if it could be counted. */
  total?: ListTotal | undefined;
  objects: T[];
  /** The position at which this page ended; undefined at the end of the list. */
  next: Position | undefined;
}
