import { useState } from 'react';
import type { InventoryObject, Kind, ListQuery } from '../model/kinds.tsx';
import { hasConsoleFilter } from '../model/console-filters.ts';
import type { Pages } from '../ui/use-pages.tsx';
import { ListPreferencesButton, useListPreferences, type ListPreferences } from './list-preferences.tsx';
import { type Column, type ListControls, useObjects } from './object-table.tsx';
import { type ListOrder, useSortedPages } from './use-sorted-pages.tsx';
import { useIndexRows } from './use-index-rows.tsx';
import { useTotal } from './use-total.tsx';

/** The order of each list, so that the way back from an object leads to the same rows. */
const orders = new Map<string, ListOrder | undefined>();

export interface List<T> {
  pages: Pages<T>;
  preferences: ListPreferences;
  controls: ListControls<T>;
}

/** A list with its preferences, its order, its selection and its total. */
export function useList<T extends InventoryObject>(
  kind: Kind<T>,
  columns: readonly Column<T>[],
  filters: ListQuery,
): List<T> {
  const { folder } = kind;
  const preferences = useListPreferences(folder);
  const key = JSON.stringify([folder, filters]);
  const [, setTurns] = useState(0);
  const [selection, setSelection] = useState<{ key: string; objects: readonly T[] }>({ key, objects: [] });
  const order = orders.get(folder);
  const isSorted = order !== undefined || hasConsoleFilter(kind.noun, filters);
  const listed = useObjects(kind, filters, preferences.pageSize, !isSorted);
  const sorted = useSortedPages(kind, filters, preferences.pageSize, order, isSorted);
  const total = useTotal(kind, filters, listed);
  const rows = useIndexRows(kind, filters, preferences.pageSize, listed, !isSorted);
  return {
    pages: isSorted ? sorted : rows.pages,
    preferences,
    controls: {
      total: isSorted ? sorted.total : (total ?? rows.total),
      wrapLines: preferences.wrapLines,
      density: preferences.density,
      preferences: <ListPreferencesButton folder={folder} columns={columns} />,
      // Another filter is another list: nothing of it is selected.
      selected: selection.key === key ? selection.objects : [],
      select: (objects) => setSelection({ key, objects }),
      order,
      setOrder: (next) => {
        orders.set(folder, next);
        setTurns((turns) => turns + 1);
      },
    },
  };
}
