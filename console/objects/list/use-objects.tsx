import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { remember } from '../../model/object-cache.tsx';
import { STATES_MS } from '../../ui/auto-refresh.tsx';
import { type Pages, type PageIndex, usePages } from '../../ui/use-pages.tsx';

/** The largest page of a list. */
const MAX_SKIPPED = 1000;

/**
 * A list in the order of the API.
 *
 * @param enabled False: nothing is loaded.
 * @param place See `usePages`.
 */
export function useObjects<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  size: number,
  enabled = true,
  place?: PageIndex,
): Pages<T> {
  const load = async (token: string | undefined, signal: AbortSignal) => {
    const query = { ...filters, include: 'state', page_size: String(size) };
    let page = await kind.list({ ...query, page_token: token }, { signal });
    // A search that took the server too long: the rest of the list may have matches.
    while (page.objects.length === 0 && page.next !== undefined)
      page = await kind.list({ ...query, page_token: page.next }, { signal });
    remember(kind, page.objects);
    return page;
  };
  const skip = (count: number, token: string | undefined, signal: AbortSignal) =>
    kind.list(
      { ...filters, fields: kind.idField, page_size: String(Math.min(count, MAX_SKIPPED)), page_token: token },
      { signal },
    );
  const source = { size, load, skip, maxAge: STATES_MS };
  return usePages([kind.folder, filters, size], enabled ? source : undefined, enabled ? place : undefined);
}
