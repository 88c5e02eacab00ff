import { hashKey, type QueryKey, skipToken, useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { ApiFailure, isTransient } from '../api/client.tsx';
import { keyOf } from '../api/queries.tsx';

export interface Loading<T> {
  /** The last value of this key, also while it is loaded again. */
  value: T | undefined;
  /** Whether the user waits for the value. False during an automatic refresh. */
  loading: boolean;
  failure: ApiFailure | undefined;
  /** When the value was loaded, in milliseconds since 1970. */
  loadedAt: number | undefined;
  reload: () => void;
}

/** A failure for the user. @throws any other error: it is a fault of the console. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  throw error;
}

/** Timers and requests take time: the refresh also loads a value that reaches its age within this time. */
const SLACK_MS = 5000;

/**
 * Loads a value while a component is shown.
 *
 * @param key Identifies the value. After the key changes, `value` is undefined until the load ends.
 * @param load Undefined: nothing is loaded.
 * @param maxAge in milliseconds: auto-refresh loads an older value again, and every value after a change of the inventory.
 * If a refresh has a transient failure, the former value stays. Default: only `reload` loads a value again. A load with a
 * transient failure is repeated in any case.
 */
export function useLoad<T>(
  key: string | QueryKey,
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  maxAge?: number,
): Loading<T> {
  const queryKey = keyOf(maxAge === undefined ? 'once' : 'live', key);
  const id = hashKey(queryKey);
  const { data, error, isLoading, isFetching, dataUpdatedAt, refetch } = useQuery({
    queryKey,
    queryFn: load === undefined ? skipToken : ({ signal }) => load(signal),
    staleTime: maxAge === undefined ? Infinity : maxAge - SLACK_MS,
  });
  /** The key that the user has reloaded, until the load succeeds. */
  const [reloaded, setReloaded] = useState<string>();
  const isReload = reloaded === id;
  const reload = useCallback(() => {
    setReloaded(id);
    void refetch().then(({ isSuccess }) => {
      if (isSuccess) setReloaded(undefined);
    });
  }, [id, refetch]);
  // The failure stays while the load is repeated.
  const last = useRef<{ id: string; failure: ApiFailure | undefined }>(undefined);
  if (!isLoading || last.current?.id !== id) last.current = { id, failure: error ?? undefined };
  const { failure } = last.current;
  const isFailed = failure !== undefined && (data === undefined || isReload || !isTransient(failure));
  return {
    value: isFailed ? undefined : data,
    loading: isReload ? isFetching : isLoading && !isFailed,
    failure: isFailed ? failure : undefined,
    loadedAt: isFailed || data === undefined ? undefined : dataUpdatedAt,
    reload,
  };
}
