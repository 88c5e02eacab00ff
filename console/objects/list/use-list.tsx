import { useRef, useState } from 'react';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { hasConsoleFilter } from '../../model/console-filters.ts';
import { ordered } from '../../search-index/order.ts';
import type { Pages } from '../../ui/use-pages.tsx';
import { useLabelColumns } from './label-columns.tsx';
import { ListPreferencesButton, shownColumns, useListPreferences } from './list-preferences.tsx';
import type { Column } from '../cells/column.ts';
import type { ListControls } from './object-table.tsx';
import { useObjects } from './use-objects.tsx';
import type { ListAddress } from './list-address.ts';
import { useSortedPages } from './use-sorted-pages.tsx';
import { useIndexRows } from './use-index-rows.tsx';
import { useTotal } from './use-total.tsx';

/** A list that fits one page is in the order of its names; for a longer one the API decides what the page contains. */
function inOrder<T extends InventoryObject>(kind: Kind<T>, pages: Pages<T>): Pages<T> {
  const isWhole = pages.pageIndex === 1 && !pages.hasMore;
  return isWhole ? { ...pages, objects: ordered(pages.objects, kind.nameOf, false) } : pages;
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
  const sorted = useSortedPages(kind, address, preferences.pageSize, goTo, isSorted);
  const total = useTotal(kind, filters, listed);
  const rows = useIndexRows(kind, filters, preferences.pageSize, listed, !isSorted);
  const count = total?.count ?? rows.total;
  const pages = isSorted ? sorted : withTotal(inOrder(kind, rows.pages), count, preferences.pageSize);
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
      order,
      setOrder: (next) => go({ ...address, order: next, pageIndex: 1 }),
    },
  };
}
