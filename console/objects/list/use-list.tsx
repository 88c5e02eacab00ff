import { useMemo, useRef, useState } from 'react';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { hasConsoleFilter } from '../../model/console-filters.ts';
import { ordered } from '../../search-index/order.ts';
import type { Pages } from '../../ui/use-pages.tsx';
import { useLabelColumns } from './label-columns.tsx';
import { ListPreferencesButton, shownColumns, useListPreferences } from './list-preferences.tsx';
import type { Column } from '../cells/column.ts';
import type { ListControls } from './object-table.tsx';
import { useObjects } from './use-objects.tsx';
import type { ListAddress, ListOrder } from './list-address.ts';
import { useSortedPages } from './use-sorted-pages.tsx';
import { useIndexRows } from './use-index-rows.tsx';
import { useTotal } from './use-total.tsx';

/** Whether the list fits this page: the console can sort it. For a longer list the API decides what the page contains. */
const isWhole = ({ objects, pageIndex, hasMore }: Pages<unknown>): boolean =>
  objects.length > 0 && pageIndex === 1 && !hasMore;

/** The order of a list that the console sorts without a choice of the user: by name. */
function orderByName<T>(columns: readonly Column<T>[]): ListOrder | undefined {
  const name = columns.find(({ isRowHeader }) => isRowHeader === true);
  return name?.sortBy === undefined ? undefined : { column: name.id, sortBy: name.sortBy, descending: false };
}

function useOrder<T extends InventoryObject>({ nameOf }: Kind<T>, pages: Pages<T>): Pages<T> {
  const whole = isWhole(pages) ? pages.objects : undefined;
  const objects = useMemo(() => whole && ordered(whole, nameOf, false), [whole, nameOf]);
  return objects === undefined ? pages : { ...pages, objects };
}

/** With the number of all objects the last page is known. */
function withTotal<T>(pages: Pages<T>, total: number | undefined, size: number): Pages<T> {
  if (total === undefined) return pages;
  return { ...pages, pagesCount: Math.max(pages.pageIndex, Math.ceil(total / size)), openEnd: false };
}

/** The columns, without what the column of the region says already. */
const besideRegion = <T,>(columns: readonly Column<T>[]): readonly Column<T>[] =>
  columns.some(({ id }) => id === 'region')
    ? columns.map(({ besideRegion: short, ...column }) => ({ ...column, ...short }))
    : columns;

export interface List<T> {
  pages: Pages<T>;
  pageSize: number;
  /** Those that the user has selected. */
  columns: readonly Column<T>[];
  controls: ListControls<T>;
}

/**
 * A list with its preferences, its selection and its total.
 *
 * @param go to another page or order of the list.
 */
export function useList<T extends InventoryObject>(
  kind: Kind<T>,
  columns: readonly Column<T>[],
  address: ListAddress,
  go: (address: ListAddress) => void,
): List<T> {
  const { filters, order, pageIndex } = address;
  const { folder } = kind;
  const preferences = useListPreferences(folder);
  const key = JSON.stringify([folder, filters]);
  const [selection, setSelection] = useState<{ key: string; objects: readonly T[] }>({ key, objects: [] });
  const shown = useRef(key);
  shown.current = key;
  const goTo = (next: number) => go({ ...address, pageIndex: next });
  const isSorted = order !== undefined || hasConsoleFilter(kind.noun, filters);
  const listed = useObjects(kind, filters, preferences.pageSize, !isSorted, { pageIndex, goTo });
  const byName = orderByName(columns);
  const sorted = useSortedPages(kind, { ...address, order: order ?? byName }, preferences.pageSize, goTo, isSorted);
  const total = useTotal(kind, filters, listed);
  const rows = useIndexRows(kind, filters, preferences.pageSize, listed, !isSorted);
  const count = total?.count ?? rows.total;
  const listOrdered = useOrder(kind, rows.pages);
  const pages = isSorted ? sorted : withTotal(listOrdered, count, preferences.pageSize);
  const all = [...columns, ...useLabelColumns(kind, pages.objects, preferences)];
  return {
    pages,
    pageSize: preferences.pageSize,
    columns: besideRegion(shownColumns(all, preferences)),
    controls: {
      total: isSorted ? sorted.total : count,
      countedAt: isSorted ? undefined : total?.countedAt,
      wrapLines: preferences.wrapLines,
      density: preferences.density,
      preferences: <ListPreferencesButton folder={folder} columns={all} />,
      // Another filter is another list: nothing of it is selected.
      selected: selection.key === key ? selection.objects : [],
      // An action that was begun with another filter leaves the present selection alone.
      select: (objects) => {
        if (shown.current === key) setSelection({ key, objects });
      },
      // An arrow says the order. Without one it is that of the API, which is the order of no column.
      order: order ?? (isSorted || isWhole(pages) ? byName : undefined),
      setOrder: (next) => go({ ...address, order: next, pageIndex: 1 }),
    },
  };
}
