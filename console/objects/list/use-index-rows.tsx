import { isObjectOf, type InventoryObject, type Kind, type ListQuery } from '../../model/kinds.tsx';
import { canFilter } from '../../search-index/match-filters.ts';
import { searchIndex, useIndexState } from '../../search-index/search-index.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import type { Pages } from '../../ui/use-pages.tsx';

/**
 * A list that shows the rows of the index, without states, until the server has answered. Only a complete index is used,
 * and none is read for this. An empty page waits for the server: the index may lack the latest objects.
 *
 * @param enabled whether the list is shown.
 * @returns the list, and the number of all its objects while the rows of the index are shown.
 */
export function useIndexRows<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  size: number,
  pages: Pages<T>,
  enabled: boolean,
): { pages: Pages<T>; total: number | undefined } {
  const { phase } = useIndexState();
  const isWaiting = pages.loading && pages.objects.length === 0 && pages.pageIndex === 1;
  const isUsed = enabled && isWaiting && phase === 'ready' && canFilter(kind.noun, filters);
  const { value } = useLoad(JSON.stringify(['index rows', kind.folder, filters, size, isUsed]), async () => {
    if (!isUsed) return undefined;
    const query = { kind: kind.noun, filters, sortBy: undefined, descending: false, offset: 0, limit: size };
    return searchIndex.list(query);
  });
  const objects = (value?.objects ?? []).filter((object) => isObjectOf(kind, object));
  if (value === undefined || objects.length === 0) return { pages, total: undefined };
  const hasMore = value.total > objects.length;
  return { pages: { ...pages, objects, hasMore, isWithoutStates: true }, total: value.total };
}
