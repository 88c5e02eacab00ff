import { isObjectOf, type InventoryObject, type Kind, type ListQuery } from '../../model/kinds.tsx';
import { canFilter } from '../../search-index/match-filters.ts';
import { searchIndex, useIndexState } from '../../search-index/search-index.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import type { Pages } from '../../ui/use-pages.tsx';

/**
 * Shows the rows of the index, without states, until the server has answered. The index must be complete; it is not read
 * for this purpose. An empty page waits for the server: the index may lack the latest objects.
 *
 * @param enabled Whether the list is shown.
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
  const query = { kind: kind.noun, filters, sortBy: undefined, descending: false, offset: 0, limit: size };
  const load = async () => (await searchIndex.list(query)) ?? { objects: [], total: 0 };
  const { value = { objects: [], total: 0 } } = useLoad(['index rows', query], isUsed ? load : undefined);
  const objects = value.objects.filter((object) => isObjectOf(kind, object));
  if (!isUsed || objects.length === 0) return { pages, total: undefined };
  const hasMore = value.total > objects.length;
  return { pages: { ...pages, objects, hasMore, isWithoutStates: true }, total: value.total };
}
