import { ApiFailure } from '../../api/client.tsx';
import { HEALTH, healthRank, isReportedKey } from '../../model/health.ts';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { remember } from '../../model/object-cache.tsx';
import { objectsByIds, readAll } from '../../model/read-all.tsx';
import { canFilter } from '../../search-index/match-filters.ts';
import { ordered, sortKeyOf } from '../../search-index/order.ts';
import { searchIndex } from '../../search-index/search-index.tsx';
import { COSTLY_STATES_MS, STATES_MS } from '../../ui/auto-refresh.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import type { Pages } from '../../ui/use-pages.tsx';
import type { ListAddress, ListOrder } from './list-address.ts';
import { referenceNames } from '../form/reference-names.tsx';
import { numberText } from '../../ui/words.ts';

/** Maximum number of objects that the console reads to sort them, if the index cannot apply the filters. */
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
  if (isReportedKey(order?.sortBy) || !canFilter(kind.noun, filters) || !(await searchIndex.ready())) return undefined;
  const sorting = { sortBy: order?.sortBy, descending: order?.descending ?? false };
  const page = await searchIndex.list({ kind: kind.noun, filters, ...sorting, offset, limit });
  if (page === undefined) return undefined;
  const ids = page.objects.flatMap((object) => {
    const id = object[kind.idField];
    return typeof id === 'string' ? [id] : [];
  });
  return { total: page.total, objects: await objectsByIds(kind, ids, signal) };
}

async function sortedObjects<T extends InventoryObject>(
  kind: Kind<T>,
  objects: readonly T[],
  { sortBy, descending }: ListOrder,
  signal: AbortSignal,
): Promise<readonly T[]> {
  // The order of the server depends on the filters.
  const byName = ordered(objects, kind.nameOf, false);
  if (sortBy === HEALTH) return ordered(byName, (object) => String(healthRank(object)), descending);
  const names = await referenceNames(objects, sortBy, signal);
  return ordered(byName, (object) => sortKeyOf({ kind: kind.noun, object }, sortBy, (id) => names.get(id)), descending);
}

/** Reads from the index, which has no states. With a filter by state or an order by what is reported, reads all matches from the server. */
async function sortedPart<T extends InventoryObject>(kind: Kind<T>, part: Part): Promise<SortedPage<T>> {
  const found = await partOfIndex(kind, part);
  if (found !== undefined) return found;
  const { filters, order, offset, limit, signal } = part;
  const all = await readAll(kind, filters, { signal, max: MAX_READ });
  if (all === undefined)
    throw new ApiFailure(413, {
      message: searchIndex.isReady()
        ? `The list has more than ${numberText(MAX_READ)} objects. Add a filter to sort it.`
        : 'The inventory is too large for this filter and for a sorted list. Use other filters.',
    });
  const sorted = order === undefined ? all : await sortedObjects(kind, all, order, signal);
  return { total: all.length, objects: sorted.slice(offset, offset + limit) };
}

/** A list page by page, in an order or with a filter that the API does not support. */
export function useSortedPages<T extends InventoryObject>(
  kind: Kind<T>,
  { filters, order, pageIndex }: ListAddress,
  size: number,
  goTo: (pageIndex: number) => void,
  enabled: boolean,
): Pages<T> & { total: number | undefined } {
  const offset = (pageIndex - 1) * size;
  const load = async (signal: AbortSignal): Promise<SortedPage<T>> => {
    const page = await sortedPart(kind, { filters, order, offset, limit: size, signal });
    remember(kind, page.objects);
    return page;
  };
  const maxAge = isReportedKey(order?.sortBy) ? COSTLY_STATES_MS : STATES_MS;
  const key = ['sorted', kind.folder, filters, size, order, pageIndex];
  const { value, ...loading } = useLoad(key, enabled ? load : undefined, maxAge);
  const total = value?.total ?? 0;
  const count = Math.max(1, Math.ceil(total / size));
  return {
    ...loading,
    objects: value?.objects ?? [],
    total: value?.total,
    pageIndex,
    pagesCount: Math.max(count, pageIndex),
    openEnd: false,
    hasMore: offset + size < total,
    previousIndex: Math.max(1, Math.min(count, pageIndex - 1)),
    before: offset,
    goTo,
  };
}
