import { useState } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import { useLoad } from './use-load.tsx';
import type { ListPage } from './use-pages.tsx';

export interface Older<T> {
  /** The last one first. */
  items: readonly T[];
  loading: boolean;
  failure: ApiFailure | undefined;
  /** Undefined where there is nothing older, or where it is not known yet. */
  showOlder: (() => void) | undefined;
  retry: () => void;
}

interface Place<T> {
  /** What it is about. */
  key: string;
  /** What is shown before the page that starts here. */
  items: readonly T[];
  token: string | undefined;
}

/**
 * Events, newest first, as far back as the user requests them. Later events are not added: that requires a new mount.
 *
 * @param key the subject of the events; after a change, the list starts again.
 */
export function useOlder<T>(
  key: string,
  load: (token: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
): Older<T> {
  const start: Place<T> = { key, items: [], token: undefined };
  const [place, setPlace] = useState<Place<T>>(start);
  const { items: before, token } = place.key === key ? place : start;
  const { value, loading, failure, reload } = useLoad(JSON.stringify([key, token]), (signal) => load(token, signal));
  const items = [...before, ...(value?.objects ?? [])];
  const next = value?.next;
  return {
    items,
    loading,
    failure,
    showOlder: next === undefined ? undefined : () => setPlace({ key, items, token: next }),
    // A place that the server does not know any more: from the start.
    retry: failure?.status === 400 && token !== undefined ? () => setPlace(start) : reload,
  };
}
