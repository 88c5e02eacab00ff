import type { Column } from '../cells/column.ts';
import { OneLineContext } from '../../ui/breakable-text.tsx';
import type { Room } from '../../ui/room.tsx';
import { columnWidths } from './column-widths.ts';

/** The columns for which the page has room. */
export const roomyColumns = <C extends { spare?: boolean }>(columns: readonly C[], room: Room): readonly C[] =>
  columns.filter(({ spare = false }) => !(room === 'scarce' && spare));

/** The text of a cell without a value. */
export const NO_TEXT = '-';

/** The columns that have a value in some row of the page. */
export const filledColumns = <T, C extends Column<T>>(columns: readonly C[], items: readonly T[]): readonly C[] =>
  columns.filter(
    ({ textOf }) => textOf === undefined || items.length === 0 || items.some((item) => textOf(item) !== NO_TEXT),
  );

/**
 * Columns whose cells have one line. Their widths follow from the texts of the page; a text without room is cut, and its
 * tooltip has all of it.
 *
 * @param width of the table, in pixels.
 */
export function oneLineColumns<T, C extends Column<T>>(columns: readonly C[], items: readonly T[], width: number) {
  const widths = columnWidths(columns, items, width);
  return columns.map((column, index) => ({
    ...column,
    minWidth: widths[index],
    maxWidth: widths[index],
    cell: (item: T) => <OneLineContext value>{column.cell(item)}</OneLineContext>,
  }));
}
