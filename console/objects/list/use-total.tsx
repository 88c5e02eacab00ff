import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { COSTLY_STATES_MS } from '../../ui/auto-refresh.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import type { Pages } from '../../ui/use-pages.tsx';

/** The number of all objects of a list. */
export interface Total {
  count: number;
  /** When the server counted them; undefined for now. */
  countedAt?: string | undefined;
}

/** The total of a list: from its last page, or counted by the server, whose page does not wait for it. */
export function useTotal<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  { objects, before, hasMore, loading, failure, pageIndex }: Pages<T>,
): Total | undefined {
  const isLast = !loading && failure === undefined && !hasMore && (objects.length > 0 || pageIndex === 1);
  const load = async (signal: AbortSignal) => {
    const query = { ...filters, fields: kind.idField, page_size: '1', total: 'true' };
    const { total, total_at: countedAt } = await kind.list(query, { signal, background: true });
    return { total, countedAt };
  };
  const isNeeded = hasMore || pageIndex > 1;
  const { value } = useLoad(['total', kind.folder, filters], isNeeded ? load : undefined, COSTLY_STATES_MS);
  const count = before + objects.length;
  if (isLast) return { count };
  // Objects that were added since the count.
  return value?.total === undefined ? undefined : { count: Math.max(value.total, count), countedAt: value.countedAt };
}
