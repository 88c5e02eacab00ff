import { hashKey, keepPreviousData, type QueryKey, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf, queries } from '../api/queries.tsx';

/** The load starts this long after the last key, if it asks the server. */
const PAUSE_MS = 250;

export interface TypedLoad<T, R> {
  /** The value of the latest request that has one. */
  value: T | undefined;
  /** For the list of suggestions, which also shows a failure. */
  status: 'finished' | 'loading' | 'error';
  /** Loads the value of a request. Undefined: nothing is loaded. */
  request: (next: R | undefined) => void;
}

/**
 * Loads a value, such as suggestions, for the text that the user types.
 *
 * @param load Calls `show` for a part of the value.
 */
export function useTypedLoad<T, R>(
  key: string | QueryKey,
  load: (request: R, signal: AbortSignal, show: (part: T) => void) => Promise<T>,
  pause = PAUSE_MS,
): TypedLoad<T, R> {
  const [present, setPresent] = useState<R>();
  const queryKey = keyOf('once', [...[key].flat(), present]);
  const show = (part: T) => void queries.setQueryData<T>(queryKey, part);
  const start = async (request: R, signal: AbortSignal) => {
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal.throwIfAborted();
    return load(request, signal, show);
  };
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey,
    queryFn: present === undefined ? skipToken : ({ signal }) => start(present, signal),
    placeholderData: keepPreviousData,
  });
  return {
    value: data,
    status: isFetching ? 'loading' : isError ? 'error' : 'finished',
    request: (next) => {
      if (next !== undefined && hashKey([next]) === hashKey([present])) void refetch();
      else setPresent(() => next);
    },
  };
}
