import type { BaseColumn } from '../../ui/base-column.ts';

export interface Column<T> extends BaseColumn<T> {
  /** Omitted beside the open panel of an object, which shows it too. */
  spare?: boolean;
  /** In a list with preferences: hidden unless the user selects it. */
  optional?: boolean;
  /** In pixels, in wide windows: names can break at any character, and would break too early without it. */
  minWidth?: number;
  /** The field by which the column sorts. Default: the column does not sort. */
  sortBy?: string;
}
