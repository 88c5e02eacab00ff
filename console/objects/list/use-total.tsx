import { skipToken, useQuery } from '@tanstack/react-query';
import { endpoint as getSummary } from '../../../functions/api/summary/get/endpoint.ts';
import { SUMMARY_SECONDS } from '../../../functions/domain/records/summary.ts';
import { call, hasWrittenInventoryWithin, type ReplyOf } from '../../api/client.tsx';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { canFilter } from '../../search-index/match-filters.ts';
import { searchIndex, useIndexState } from '../../search-index/search-index.tsx';
import type { Pages } from '../../ui/use-pages.tsx';

type Summary = ReplyOf<typeof getSummary>;

type SummaryKind = Pick<Kind<InventoryObject>, 'folder' | 'typeField'>;

/** Whether a summary has the total of a list: without filters, or with one filter by type. */
const isSummarised = ({ typeField }: SummaryKind, filters: ListQuery) =>
  Object.keys(filters).every((name) => name === typeField);

function totalIn(summary: Summary, { folder, typeField }: SummaryKind, filters: ListQuery) {
  if (!summary.complete) return undefined;
  const type = filters[typeField];
  return type === undefined ? summary[folder].total : (summary[folder].by_type[type] ?? 0);
}

/** The summary can be a minute old: its numbers may not include a change by this page. */
const isOutdated = () => hasWrittenInventoryWithin(SUMMARY_SECONDS * 1000);

/** The number of all objects of a list: from its last page, the index or the summary. The list is not read for it. */
export function useTotal<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  { objects, before, hasMore, loading, failure, pageIndex }: Pages<T>,
): number | undefined {
  const index = useIndexState();
  const isNeeded = hasMore || pageIndex > 1;
  const version = index.phase === 'ready' ? index.version : -1;
  const list = JSON.stringify([kind.folder, filters]);
  const load = async ({ signal }: { signal: AbortSignal }): Promise<number | null> => {
    if (index.phase !== 'ready' && !isOutdated() && isSummarised(kind, filters)) {
      const summary = await call(getSummary, {}, { signal, background: true }).catch(() => undefined);
      // A server that is too busy for one number is not asked for the whole inventory instead.
      if (summary === undefined) return null;
      const total = totalIn(summary, kind, filters);
      if (total !== undefined) return total;
    }
    if (!canFilter(kind.noun, filters) || !(await searchIndex.ready())) return null;
    const query = { kind: kind.noun, filters, sortBy: undefined, descending: false, offset: 0, limit: 0 };
    return (await searchIndex.list(query))?.total ?? null;
  };
  const { data } = useQuery({
    queryKey: ['once', 'total', list, version],
    queryFn: isNeeded ? load : skipToken,
    staleTime: Infinity,
    // A counter that disappears while the next total is loaded would move its surroundings.
    placeholderData: (former: number | null | undefined, query) => (query?.queryKey[2] === list ? former : undefined),
  });
  if (!loading && failure === undefined && !hasMore && (objects.length > 0 || pageIndex === 1))
    return before + objects.length;
  return typeof data === 'number' ? Math.max(data, before + objects.length) : undefined;
}
