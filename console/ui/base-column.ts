import type { ReactNode } from 'react';

/** A column of a table. */
export interface BaseColumn<T> {
  id: string;
  header: string;
  cell: (item: T) => ReactNode;
  isRowHeader?: boolean;
  /** In pixels. */
  width?: number;
  minWidth?: number;
}
