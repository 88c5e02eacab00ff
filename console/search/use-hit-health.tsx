import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { Health } from '../model/health.ts';
import type { SearchHit } from '../search-index/inventory-index.ts';

/** The server is asked this long after the last change of the results, so that it is not asked for each letter. */
const PAUSE_MS = 300;

const none: ReadonlyMap<string, Health> = new Map();

async function load(hits: readonly SearchHit[], signal: AbortSignal): Promise<ReadonlyMap<string, Health>> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  signal.throwIfAborted();
  const { healthOfHits } = await import('./hit-health.tsx');
  return healthOfHits(hits);
}

/** The present health of the results that are shown, by their ids: the index has no states. Empty until it is loaded. */
export function useHitHealth(hits: readonly SearchHit[]): ReadonlyMap<string, Health> {
  const objects = hits.filter(({ kind }) => kind !== 'cluster');
  const { data = none } = useQuery({
    queryKey: ['once', 'health of hits', ...objects.map(({ id }) => id)],
    queryFn: objects.length === 0 ? skipToken : ({ signal }) => load(objects, signal),
    placeholderData: keepPreviousData,
  });
  return data;
}
