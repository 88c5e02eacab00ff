import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { ApiFailure } from '../api/client.tsx';
import { keyOf, queries } from '../api/queries.tsx';
import type { ListPage } from './use-pages.tsx';

export interface OlderEntries<T> {
  /** Newest first. */
  items: readonly T[];
  loading: boolean;
  failure: ApiFailure | undefined;
  /** Undefined if nothing older exists, and until this is known. */
  showOlder: (() => void) | undefined;
  retry: () => void;
  /** Loads the list again from its start. */
  restart: () => void;
}

/**
 * Events, newest first, as far back as the user requests them. Later events are not added: that requires a restart.
 *
 * @param key Identifies the events. After the key changes, the list starts again.
 */
export function useOlder<T>(
  key: string | QueryKey,
  load: (token: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
): OlderEntries<T> {
  const queryKey = keyOf('once', key);
  const { data, error, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery<
    ListPage<T>,
    ApiFailure,
    InfiniteData<ListPage<T>>,
    QueryKey,
    string | undefined
  >({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
  });
  const restart = () => void queries.resetQueries({ queryKey, exact: true });
  const retry = () => void (isFetchNextPageError ? fetchNextPage() : refetch());
  return {
    items: data?.pages.flatMap(({ objects }) => objects) ?? [],
    loading: isFetching,
    failure: error ?? undefined,
    showOlder: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
    // The server no longer knows the token.
    retry: error?.status === 400 && data !== undefined ? restart : retry,
    restart,
  };
}
