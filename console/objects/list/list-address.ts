import { labelOfProperty } from '../../model/label-tokens.ts';

export interface ListOrder {
  /** The id of the column. */
  column: string;
  /** The field of the objects, or `health`. */
  sortBy: string;
  descending: boolean;
}

export interface ListAddress {
  filters: Readonly<Record<string, string>>;
  /** Undefined for the order of the API. */
  order: ListOrder | undefined;
  /** From 1. */
  pageIndex: number;
  /** The property whose values are counted above the list. */
  groupBy: string | undefined;
}

interface SortableColumn {
  id: string;
  sortBy?: string;
}

/**
 * The parameters that are not filters: `sort=-region&page=2` is the second page in the descending order of the region,
 * `sort=label.rack` is the order of a label, `group_by=region` shows the number of objects of each region.
 */
export const placeNames: readonly string[] = ['sort', 'page', 'group_by'];

function orderOf(sort: string, columns: readonly SortableColumn[]): ListOrder | undefined {
  const descending = sort.startsWith('-');
  const name = sort.slice(Number(descending));
  if (labelOfProperty(name) !== undefined) return { column: name, sortBy: name, descending };
  const column = columns.find(({ id }) => id === name);
  return column?.sortBy === undefined ? undefined : { column: column.id, sortBy: column.sortBy, descending };
}

/** Reads the address of a list. Unknown columns and invalid pages are ignored. */
export function listAddressOf(
  { sort = '', page = '', group_by: groupBy, ...filters }: Readonly<Record<string, string>>,
  columns: readonly SortableColumn[],
): ListAddress {
  const pageIndex = /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
  return { filters, order: orderOf(sort, columns), pageIndex, groupBy };
}

/** The inverse of `listAddressOf`. */
export function queryOf({ filters, order, pageIndex, groupBy }: ListAddress): Record<string, string> {
  return {
    ...filters,
    ...(order === undefined ? {} : { sort: `${order.descending ? '-' : ''}${order.column}` }),
    ...(pageIndex === 1 ? {} : { page: String(pageIndex) }),
    ...(groupBy === undefined ? {} : { group_by: groupBy }),
  };
}
