import { keepPreviousData, type QueryKey, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../api/queries.tsx';

/** The load starts this long after the last key. */
const PAUSE_MS = 250;

export interface TypedLoad<T> {
  /** The value for the latest text that has one. */
  value: T | undefined;
  /** For the list of suggestions, which also shows a failure. */
  status: 'finished' | 'loading' | 'error';
  /** Loads the value for a text. */
  request: (text: string) => void;
}

/** Loads a value, such as suggestions, for the text that the user types. */
export function useTypedLoad<T>(
  key: string | QueryKey,
  load: (text: string, signal: AbortSignal) => Promise<T>,
): TypedLoad<T> {
  const [text, setText] = useState<string>();
  const query = async ({ signal }: { signal: AbortSignal }) => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
    return load(text ?? '', signal);
  };
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey: keyOf('once', [key, text].flat()),
    queryFn: text === undefined ? skipToken : query,
    placeholderData: keepPreviousData,
  });
  return {
    value: data,
    status: isFetching ? 'loading' : isError ? 'error' : 'finished',
    request: (next) => {
      if (next === text) void refetch();
      else setText(next);
    },
  };
}
