import { useEffect, useState } from 'react';
import { ApiFailure } from '../api/client.tsx';
import type { IndexState } from '../search-index/index-state.tsx';
import type { SearchResult } from '../search-index/inventory-index.ts';
import { searchIndex, useIndexState } from '../search-index/search-index.tsx';

/** So long nobody types before the server is asked. The index needs no such pause. */
const PAUSE_MS = 250;

/** Changes when the same text may have other results. */
function versionOf(state: IndexState): number {
  if (state.phase === 'ready') return state.version;
  return state.phase === 'reading' ? state.read : 0;
}

async function resultsOf(text: string, limit: number, phase: IndexState['phase'], signal: AbortSignal) {
  if (phase !== 'too_large') return searchIndex.search(text, limit);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (signal.aborted) return undefined;
  const { searchByPrefix } = await import('./prefix-search.tsx');
  return searchByPrefix(text, limit, signal);
}

export interface Search {
  /** The results of the latest text that has any; undefined for an empty text and before the first results. */
  result: SearchResult | undefined;
  /** The server refused or did not answer. Only for inventories that are too large for the index. */
  failure: ApiFailure | undefined;
}

/** Searches with each change of the text and of the inventory. @param limit the most results of each kind. */
export function useSearch(text: string, limit: number): Search {
  const state = useIndexState();
  const [found, setFound] = useState<Search>({ result: undefined, failure: undefined });
  const version = versionOf(state);
  const { phase } = state;
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === '' || phase === 'idle' || phase === 'failed') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    resultsOf(wanted, limit, phase, signal).then(
      (result) => {
        if (!signal.aborted) setFound({ result, failure: undefined });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof ApiFailure)) throw error;
        setFound({ result: undefined, failure: error });
      },
    );
    return () => controller.abort();
  }, [wanted, limit, phase, version]);
  return wanted === '' ? { result: undefined, failure: undefined } : found;
}
