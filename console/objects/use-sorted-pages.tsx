import { useState } from 'react';
import { ApiFailure } from '../api/client.tsx';
import { HEALTH, healthRank } from '../model/health.ts';
import { fieldOf, type InventoryObject, type Kind, type ListQuery, textOf } from '../model/kinds.tsx';
import { remember } from '../model/object-cache.tsx';
import { objectsByIds, readAll } from '../model/read-all.tsx';
import { canFilter } from '../search-index/match-filters.ts';
import { ordered } from '../search-index/order.ts';
import { searchIndex } from '../search-index/search-index.tsx';
import { COSTLY_STATES_MS, STATES_MS } from '../ui/auto-refresh.tsx';
import { useLoad } from '../ui/use-load.tsx';
import type { Pages } from '../ui/use-pages.tsx';

export interface ListOrder {
  /** The id of the column. */
  column: string;
  /** The field of the objects, or `health`; undefined for the order of the list. */
  sortBy: string | undefined;
  descending: boolean;
}

/** The most objects that are read to sort them, where the index cannot apply the filters. */
const MAX_READ = 20_000;

interface SortedPage<T> {
  objects: readonly T[];
  total: number;
}

interface Part {
  filters: ListQuery;
  order: ListOrder | undefined;
  offset: number;
  limit: number;
  signal: AbortSignal;
}

async function partOfIndex<T extends InventoryObject>(kind: Kind<T>, part: Part): Promise<SortedPage<T> | undefined> {
  const { filters, order, offset, limit, signal } = part;
  if (order?.sortBy === HEALTH || !canFilter(kind.noun, filters) || !(await searchIndex.ready())) return undefined;
  const sorting = { sortBy: order?.sortBy, descending: order?.descending ?? false };
  const page = await searchIndex.list({ kind: kind.noun, filters, ...sorting, offset, limit });
  if (page === undefined) return undefined;
  const ids = page.objects.flatMap((object) => {
    const id = object[kind.idField];
    return typeof id === 'string' ? [id] : [];
  });
  return { total: page.total, objects: await objectsByIds(kind, ids, signal) };
}

/** References sort by the first one, the health from the worst to the best. */
function keyOf(object: InventoryObject, field: string): string | undefined {
  if (field === HEALTH) return String(healthRank(object));
  const value = fieldOf(object, field);
  return textOf(object, field) ?? (Array.isArray(value) && value.length > 0 ? String(value[0]) : undefined);
}

/** By the index, which knows no states; with a filter by state, or sorted by health, all matches are read from the server. */
async function sortedPart<T extends InventoryObject>(kind: Kind<T>, part: Part): Promise<SortedPage<T>> {
  const found = await partOfIndex(kind, part);
  if (found !== undefined) return found;
  const { filters, order, offset, limit, signal } = part;
  const all = await readAll(kind, filters, { signal, max: MAX_READ });
  if (all === undefined)
    throw new ApiFailure(0, {
      message: searchIndex.isReady()
        ? `The list has more than ${MAX_READ.toLocaleString('en')} objects. Add a filter to sort it.`
        : 'The inventory is too large for this filter and for a sorted list. Use other filters.',
    });
  const field = order?.sortBy;
  const sorted =
    field === undefined
      ? order?.descending === true
        ? all.toReversed()
        : all
      : ordered(all, (object) => keyOf(object, field), order?.descending ?? false);
  return { total: all.length, objects: sorted.slice(offset, offset + limit) };
}

/** A list page by page in an order or with a filter that the server does not have. */
export function useSortedPages<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  size: number,
  order: ListOrder | undefined,
  enabled: boolean,
): Pages<T> & { total: number | undefined } {
  const key = JSON.stringify([kind.folder, filters, size, order, enabled]);
  const [position, setPosition] = useState({ key, pageIndex: 1 });
  const pageIndex = position.key === key ? position.pageIndex : 1;
  const offset = (pageIndex - 1) * size;
  const load = async (signal: AbortSignal): Promise<SortedPage<T>> => {
    if (!enabled) return { objects: [], total: 0 };
    const page = await sortedPart(kind, { filters, order, offset, limit: size, signal });
    remember(kind, page.objects);
    return page;
  };
  const maxAge = order?.sortBy === HEALTH ? COSTLY_STATES_MS : STATES_MS;
  const { value, ...loading } = useLoad(JSON.stringify([key, pageIndex]), load, enabled ? maxAge : undefined);
  const total = value?.total ?? 0;
  return {
    ...loading,
    objects: value?.objects ?? [],
    total: value?.total,
    pageIndex,
    pagesCount: Math.max(1, Math.ceil(total / size), pageIndex),
    openEnd: false,
    hasMore: offset + size < total,
    before: offset,
    goTo: (next) => setPosition({ key, pageIndex: next }),
  };
}
