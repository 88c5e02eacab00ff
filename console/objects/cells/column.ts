import type { ReactNode } from 'react';

/** A column of a table of objects. */
export interface Column<T> {
  id: string;
  header: string;
  cell: (object: T) => ReactNode;
  isRowHeader?: boolean;
  /** Left out where there is little room. */
  wide?: boolean;
  /** Left out where the panel of the object, which shows it, takes the room. */
  spare?: boolean;
  /** Of a list with preferences: shown only when chosen there. */
  optional?: boolean;
  /** In pixels, where there is room: names may break anywhere, and without it they do so too soon. */
  minWidth?: number;
  /** The field by which the column sorts. Default: the column does not sort. */
  sortBy?: string;
}
