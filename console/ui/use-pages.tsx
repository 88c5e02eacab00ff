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
  /** The page to go back to: of a page behind the end of the list, the last one. */
  previousIndex: number;
  /** How many objects the pages before this one had. */
  before: number;
  /** When the objects were loaded, in milliseconds since 1970. */
  loadedAt: number | undefined;
  goTo: (pageIndex: number) => void;
  reload: () => void;
}

/** Where the page of a list is kept. */
export interface Place {
  /** From 1. */
  pageIndex: number;
  goTo: (pageIndex: number) => void;
}

export interface Source<T> {
  /** Objects of one page. */
  size: number;
  load: (token: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>;
  /** Reads over objects to find where a later page starts. @param count at least 1; fewer may be read. */
  skip: (count: number, token: string | undefined, signal: AbortSignal) => Promise<ListPage<unknown>>;
  /** As of `useLoad`. */
  maxAge: number | undefined;
}

interface Start {
  token: string | undefined;
  /** Number of objects before it. */
  before: number;
}

interface ListPositions {
  /** Where each page that is known starts, by its number. */
  starts: ReadonlyMap<number, Start>;
  /** The last of them was seen to be the last of the list. */
  ended: boolean;
}

const nothing: ListPositions = { starts: new Map([[1, { token: undefined, before: 0 }]]), ended: false };

/** Where the pages of each list start, so that those that were seen can be gone back to. */
const lists = new Map<string, ListPositions>();

/** Pages are found anew: what was there may have gone. */
export function forgetPositions(): void {
  lists.clear();
}

const knownOf = (key: string) => lists.get(key) ?? nothing;

/** Where a page starts. A page that is not known is looked for from the last one before it that is. */
async function startOf(key: string, pageIndex: number, { size, skip }: Source<unknown>, signal: AbortSignal) {
  const { starts } = knownOf(key);
  const nearest = Math.max(...[...starts.keys()].filter((index) => index <= pageIndex));
  let { token, before } = starts.get(nearest) ?? { token: undefined, before: 0 };
  for (let missing = (pageIndex - nearest) * size; missing > 0;) {
    const { objects, next } = await skip(missing, token, signal);
    missing -= objects.length;
    before += objects.length;
    token = next;
    if (next === undefined) return { before, isBehindEnd: true };
  }
  return { token, before, isBehindEnd: false };
}

/** What a page tells of where it and the next one start. The pages behind it are kept, unless it ends elsewhere now. */
function learn(key: string, pageIndex: number, start: Start, page: ListPage<unknown>): void {
  const { starts, ended } = knownOf(key);
  const isSame = page.next !== undefined && starts.get(pageIndex + 1)?.token === page.next;
  const kept = [...starts].filter(([index]) => isSame || index < pageIndex);
  const next: [number, Start][] =
    isSame || page.next === undefined
      ? []
      : [[pageIndex + 1, { token: page.next, before: start.before + page.objects.length }]];
  lists.set(key, {
    starts: new Map([...kept, [pageIndex, start], ...next]),
    ended: page.next === undefined || (isSame && ended),
  });
}

/**
 * A list page by page. Where the pages start that were seen is kept, so that all of them can be gone back to; nothing is
 * loaded ahead.
 *
 * @param key the list with its filters.
 * @param place default: the page is kept for as long as the list is shown.
 */
export function usePages<T>(key: string, source: Source<T>, place?: Place): Pages<T> {
  const [own, setOwn] = useState({ key, pageIndex: 1 });
  const [, setTurns] = useState(0);
  const pageIndex = place?.pageIndex ?? (own.key === key ? own.pageIndex : 1);
  const goToPlace = place?.goTo;
  const goTo = useCallback(
    (next: number) => {
      if (goToPlace === undefined) setOwn({ key, pageIndex: next });
      else goToPlace(next);
    },
    [key, goToPlace],
  );

  const loadPage = async (signal: AbortSignal) => {
    const start = await startOf(key, pageIndex, source, signal);
    if (start.isBehindEnd) return { objects: [], next: undefined, before: start.before, isBehindEnd: true };
    const page = await source.load(start.token, signal);
    learn(key, pageIndex, { token: start.token, before: start.before }, page);
    return { ...page, before: start.before, isBehindEnd: false };
  };
  const { value, loading, failure, loadedAt, reload } = useLoad(
    JSON.stringify([key, pageIndex]),
    loadPage,
    source.maxAge,
  );

  const startAgain = useCallback(() => {
    lists.delete(key);
    setTurns((turns) => turns + 1);
    goTo(1);
    reload();
  }, [key, goTo, reload]);

  const { starts, ended } = knownOf(key);
  const before = value?.before ?? starts.get(pageIndex)?.before ?? (pageIndex - 1) * source.size;
  return {
    objects: value?.objects ?? [],
    loading,
    failure,
    pageIndex,
    pagesCount: Math.max(pageIndex, ...starts.keys()),
    openEnd: !ended,
    hasMore: value?.next !== undefined,
    previousIndex: Math.max(1, value?.isBehindEnd === true ? Math.ceil(before / source.size) : pageIndex - 1),
    before,
    loadedAt,
    goTo,
    // A place in the list that the server does not know any more: from the start.
    reload: failure?.status === 400 ? startAgain : reload,
  };
}
