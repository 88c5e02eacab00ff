import { useCallback, useState } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import { useLoad } from './use-load.tsx';

export interface ListPage<T> {
  objects: readonly T[];
  /** Where the next page starts; undefined at the end of the list. */
  next: string | undefined;
}

export interface Pages<T> {
  objects: readonly T[];
  loading: boolean;
  failure: ApiFailure | undefined;
  /** Whether the objects have no states yet. Default: they have. */
  isWithoutStates?: boolean;
  /** From 1. */
  pageIndex: number;
  /** As many pages as are known to be there. */
  pagesCount: number;
  /** Whether there may be more pages than those. */
  openEnd: boolean;
  /** Whether there is a page after this one. */
  hasMore: boolean;
  /** How many objects the pages before this one had. */
  before: number;
  /** When the objects were loaded, in milliseconds since 1970. */
  loadedAt: number | undefined;
  goTo: (pageIndex: number) => void;
  reload: () => void;
}

interface Position {
  /** Where each page that is known starts, from the first one, and how many objects are before it. */
  starts: readonly { token: string | undefined; before: number }[];
  pageIndex: number;
  /** The last of them was seen to be the last of the list. */
  ended: boolean;
}

const first: Position = { starts: [{ token: undefined, before: 0 }], pageIndex: 1, ended: false };

/** Where the user was in each list, so that the way back from an object leads to the same page. */
const positions = new Map<string, Position>();

/** The first page again, for every list: what was there may have gone. */
export function forgetPositions(): void {
  positions.clear();
}

/**
 * A list page by page. The tokens of the pages that were seen are kept, so that all of them can be gone back to; nothing
 * is loaded ahead.
 *
 * @param key the list with its filters.
 * @param maxAge as of `useLoad`.
 */
export function usePages<T>(
  key: string,
  load: (token: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
  maxAge?: number,
): Pages<T> {
  const [, setTurns] = useState(0);
  const position = positions.get(key) ?? first;
  const start = position.starts[position.pageIndex - 1];
  const token = start?.token;
  const before = start?.before ?? 0;

  const loadPage = async (signal: AbortSignal) => {
    const page = await load(token, signal);
    const known = positions.get(key) ?? first;
    const starts = known.starts.slice(0, known.pageIndex);
    if (page.next === undefined) positions.set(key, { ...known, starts, ended: true });
    // A page that was known keeps the pages behind it, unless it ends elsewhere now.
    else if (known.starts[known.pageIndex]?.token !== page.next) {
      const next = { token: page.next, before: before + page.objects.length };
      positions.set(key, { ...known, starts: [...starts, next], ended: false });
    }
    return page;
  };
  const { value, loading, failure, loadedAt, reload } = useLoad(JSON.stringify([key, token]), loadPage, maxAge);

  const goTo = useCallback(
    (pageIndex: number) => {
      const known = positions.get(key) ?? first;
      if (pageIndex < 1 || pageIndex > known.starts.length) return;
      positions.set(key, { ...known, pageIndex });
      setTurns((turns) => turns + 1);
    },
    [key],
  );

  const startAgain = useCallback(() => {
    positions.delete(key);
    setTurns((turns) => turns + 1);
    reload();
  }, [key, reload]);

  const known = positions.get(key) ?? first;
  return {
    objects: value?.objects ?? [],
    loading,
    failure,
    pageIndex: known.pageIndex,
    pagesCount: Math.max(known.pageIndex, known.starts.length),
    openEnd: !known.ended,
    hasMore: value?.next !== undefined,
    before,
    loadedAt,
    goTo,
    // A place in the list that the server does not know any more: from the start.
    reload: failure?.status === 400 ? startAgain : reload,
  };
}
