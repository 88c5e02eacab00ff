import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { ApiFailure } from '../api/client.tsx';
import type { IndexState } from '../search-index/index-state.tsx';
import type { SearchResult } from '../search-index/inventory-index.ts';
import { searchIndex, useIndexState } from '../search-index/search-index.tsx';

/** The server is asked this long after the last key. The index needs no such pause. */
const PAUSE_MS = 250;

/** Changes when the same text may have other results. */
function versionOf(state: IndexState): number {
  if (state.phase === 'ready') return state.version;
  return state.phase === 'reading' ? state.read : 0;
}

async function resultsOf(text: string, limit: number, isInIndex: boolean, signal: AbortSignal): Promise<SearchResult> {
  if (isInIndex) return searchIndex.search(text, limit);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  signal.throwIfAborted();
  const { searchByPrefix } = await import('./prefix-search.tsx');
  return searchByPrefix(text, limit, signal);
}

export interface Search {
  /** The results of the latest text that has any; undefined for an empty text and before the first results. */
  result: SearchResult | undefined;
  /** Only for inventories that are too large for the index. */
  failure: ApiFailure | undefined;
}

/** Searches after each change of the text and of the inventory. @param limit Maximum number of results of each kind. */
export function useSearch(text: string, limit: number): Search {
  const state = useIndexState();
  const { phase } = state;
  const trimmed = text.trim();
  const isInIndex = phase !== 'too_large';
  const isIdle = trimmed === '' || phase === 'idle' || phase === 'failed';
  const { data, error } = useQuery({
    queryKey: ['once', 'search', trimmed, limit, phase, versionOf(state)],
    queryFn: isIdle ? skipToken : ({ signal }) => resultsOf(trimmed, limit, isInIndex, signal),
    placeholderData: keepPreviousData,
  });
  return trimmed === '' ? { result: undefined, failure: undefined } : { result: data, failure: error ?? undefined };
}
