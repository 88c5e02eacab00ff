import { useRef } from 'react';
import { endpoint as getSummary } from '../../../functions/api/summary/get/endpoint.ts';
import { SUMMARY_SECONDS } from '../../../functions/domain/records/summary.ts';
import { call, hasWrittenInventoryWithin, type ReplyOf } from '../../api/client.tsx';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { canFilter } from '../../search-index/match-filters.ts';
import { searchIndex, useIndexState } from '../../search-index/search-index.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import type { Pages } from '../../ui/use-pages.tsx';

type Summary = ReplyOf<typeof getSummary>;

type SummaryKind = Pick<Kind<InventoryObject>, 'folder' | 'typeField'>;

/** Whether a summary has the number of the objects: of a list without filters, or with one filter by type. */
const isSummarised = ({ typeField }: SummaryKind, filters: ListQuery) =>
  Object.keys(filters).every((name) => name === typeField);

function totalIn(summary: Summary, { folder, typeField }: SummaryKind, filters: ListQuery) {
  if (!summary.complete) return undefined;
  const type = filters[typeField];
  return type === undefined ? summary[folder].total : (summary[folder].by_type[type] ?? 0);
}

/** The last summary is up to a minute old: after a change by this page its numbers would look wrong. */
const isOutdated = () => hasWrittenInventoryWithin(SUMMARY_SECONDS * 1000);

/**
 * The number of all objects of a list, if it can be known without reading the list on the server: from its last page, from
 * the index, or from the summary.
 */
export function useTotal<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  { objects, before, hasMore, loading, failure }: Pages<T>,
): number | undefined {
  const index = useIndexState();
  const list = JSON.stringify([kind.folder, filters]);
  // While the next page is loaded, the total stays needed.
  const needed = useRef<string>(undefined);
  if (hasMore) needed.current = list;
  const isNeeded = needed.current === list;
  const version = index.phase === 'ready' ? index.version : -1;
  const key = JSON.stringify(['total', list, isNeeded, version]);
  const { value, loading: isCounting } = useLoad(key, async (signal) => {
    if (!isNeeded) return undefined;
    if (index.phase !== 'ready' && !isOutdated() && isSummarised(kind, filters)) {
      const summary = await call(getSummary, {}, { signal, background: true }).catch(() => undefined);
      // A server that is too busy for one number is not asked for the whole inventory instead.
      if (summary === undefined) return undefined;
      const total = totalIn(summary, kind, filters);
      if (total !== undefined) return total;
    }
    if (!canFilter(kind.noun, filters) || !(await searchIndex.ready())) return undefined;
    const query = { kind: kind.noun, filters, sortBy: undefined, descending: false, offset: 0, limit: 0 };
    return (await searchIndex.list(query))?.total;
  });
  // While a later total is loaded, the former one stays: a counter that shrinks for a moment would move its surroundings.
  const last = useRef<{ list: string; total: number }>(undefined);
  if (!isCounting) last.current = value === undefined ? undefined : { list, total: value };
  if (!loading && failure === undefined && !hasMore && objects.length > 0) return before + objects.length;
  return last.current?.list === list ? Math.max(last.current.total, before + objects.length) : undefined;
}
