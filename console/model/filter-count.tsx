import { endpoint as countGroups } from '../../functions/api/groups/count/endpoint.ts';
import { call, parsedBy } from '../api/client.tsx';
import { fits, worstCounts } from './clusters.ts';
import { loadClusters } from './load-clusters.tsx';
import { hasConsoleFilter } from './console-filters.ts';
import { groupQueryOf } from './groups.tsx';
import { type StateCounts, sumsOf, totalOf } from './health.ts';
import { agents, type InventoryObject, type Kind, nodes, services } from './kinds.tsx';
import type { SavedFilter } from './saved-filters.tsx';

export interface FilterCount {
  count: number;
  /** The numbers in each state, as far as the request has them. */
  counts: StateCounts;
  isComplete: boolean;
}

/** Of the filters that only the list has, one page is read. */
const PAGE_SIZE = 1000;

/** The parameters of the address that are no filters. */
const filtersOf = ({ sort: _sort, page: _page, group_by: _groupBy, ...filters }: SavedFilter['parameters']) => filters;

async function countObjects<T extends InventoryObject>(
  kind: Kind<T>,
  filters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FilterCount | null> {
  if (hasConsoleFilter(kind.noun, filters)) return null;
  const { query, others } = groupQueryOf(kind, filters, 'state');
  if (others.length > 0) {
    const page = await kind.list({ ...filters, page_size: String(PAGE_SIZE), fields: kind.idField }, { signal });
    return { count: page.objects.length, counts: {}, isComplete: page.next === undefined };
  }
  const part = await call(countGroups, { query: parsedBy(countGroups.query, query) }, { signal });
  const counts = sumsOf(part.groups.map(({ by_state: states }) => states));
  return { count: totalOf(counts), counts, isComplete: part.next === undefined };
}

async function countClusters(filters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<FilterCount> {
  const matching = (await loadClusters(signal)).filter((cluster) => fits(cluster, filters));
  return { count: matching.length, counts: worstCounts(matching), isComplete: true };
}

/**
 * The number of objects that a filter selects. One request, which counts at most 20,000 objects. Null for a filter that only
 * the index of the console has.
 */
export function countFilter({ list, parameters }: SavedFilter, signal: AbortSignal): Promise<FilterCount | null> {
  const filters = filtersOf(parameters);
  if (list === 'clusters') return countClusters(filters, signal);
  if (list === 'nodes') return countObjects(nodes, filters, signal);
  return list === 'services' ? countObjects(services, filters, signal) : countObjects(agents, filters, signal);
}
