import type { BaseColumn } from '../../ui/base-column.ts';

export interface Column<T> extends BaseColumn<T> {
  /** Omitted beside the open panel of an object, which shows it too. */
  spare?: boolean;
  /** In a list with preferences: hidden unless the user selects it. */
  optional?: boolean;
  /** In pixels, in wide windows: names can break at any character, and would break too early without it. */
  minWidth?: number;
  /** The text of a cell, which the width of the column follows. Without it: `width`, for texts that are loaded later. */
  textOf?: (object: T) => string;
  /** The width of what stands beside the text, in pixels. */
  besideText?: number;
  /** The cell beside the column of the region, which it need not repeat. */
  besideRegion?: Pick<Column<T>, 'cell' | 'textOf'>;
  /** The field by which the column sorts. Default: the column does not sort. */
  sortBy?: string;
}
