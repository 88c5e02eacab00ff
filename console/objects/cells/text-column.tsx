import { type InventoryObject, textOf } from '../../model/kinds.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { Moment, shortDistanceText } from '../../ui/moment.tsx';
import type { Column } from './column.ts';

/** The cell of a text, and the text. */
export const textCell = <T,>(textOf: (object: T) => string): Pick<Column<T>, 'cell' | 'textOf'> => ({
  textOf,
  cell: (object) => <Words text={textOf(object)} />,
});

/** The column of a field. */
export const fieldColumn = (
  field: string,
  header: string,
  column: Partial<Column<InventoryObject>> = {},
): Column<InventoryObject> => ({
  id: field,
  header,
  sortBy: field,
  ...textCell((object) => textOf(object, field) ?? '-'),
  ...column,
});

/** `b` of `eu-west-1b`; another zone as a whole. */
export function shortZone(region: string | undefined, zone: string | undefined): string {
  if (zone === undefined) return '-';
  if (region === undefined || !zone.startsWith(region)) return zone;
  return zone.slice(region.length).replace(/^-/, '') || zone;
}

/** The zone of a node beside its region. */
export const zoneColumn: Pick<Column<InventoryObject>, 'cell' | 'textOf'> = {
  textOf: (node) => shortZone(textOf(node, 'region'), textOf(node, 'az')),
  cell: (node) => <span title={textOf(node, 'az')}>{shortZone(textOf(node, 'region'), textOf(node, 'az'))}</span>,
};

export const changedColumn: Column<InventoryObject> = {
  id: 'updated_at',
  header: 'Changed',
  sortBy: 'updated_at',
  textOf: ({ updated_at: time }) => shortDistanceText(time),
  cell: ({ updated_at: time }) => <Moment time={time} />,
};
