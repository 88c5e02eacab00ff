import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import { LIST_PAGES, queries } from '../api/queries.tsx';
import { useLoad } from './use-load.tsx';

export interface ListPage<T> {
  objects: readonly T[];
  /** The token of the next page; undefined at the end of the list. */
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
  pagesCount: number;
  /** Whether more pages may exist. */
  openEnd: boolean;
  /** Whether a page follows. */
  hasMore: boolean;
  /** The page of the button "Back": behind the end of the list, the last page. */
  previousIndex: number;
  /** Number of objects on the pages before this one. */
  before: number;
  /** When the objects were loaded, in milliseconds since 1970. */
  loadedAt: number | undefined;
  goTo: (pageIndex: number) => void;
  reload: () => void;
}

/** A page index that the caller stores, for example in the address. */
export interface PageIndex {
  /** From 1. */
  pageIndex: number;
  goTo: (pageIndex: number) => void;
}

export interface Source<T> {
  size: number;
  load: (token: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>;
  /** Skips objects to find the start of a later page. @param count at least 1; the server may skip fewer. */
  skip: (count: number, token: string | undefined, signal: AbortSignal) => Promise<ListPage<unknown>>;
  /** See `useLoad`. */
  maxAge: number;
}

/** A page in the cache, with its position. */
interface LoadedPage<T> extends ListPage<T> {
  token: string | undefined;
  before: number;
  isBehindEnd: boolean;
}

type PageStart = Pick<LoadedPage<unknown>, 'token' | 'before'>;

interface ListPositions {
  pages: ReadonlyMap<number, LoadedPage<unknown>>;
  /** The start of each page that was loaded, and of the page after it. */
  starts: ReadonlyMap<number, PageStart>;
}

/** The positions of a list, from its pages in the cache. */
function positionsOf(list: QueryKey): ListPositions {
  const pages = new Map<number, LoadedPage<unknown>>();
  const starts = new Map<number, PageStart>([[1, { token: undefined, before: 0 }]]);
  for (const [key, page] of queries.getQueriesData<LoadedPage<unknown>>({ queryKey: list })) {
    if (page === undefined || page.isBehindEnd) continue;
    const index = Number(key.at(-1));
    pages.set(index, page);
    starts.set(index, page);
    if (page.next !== undefined) starts.set(index + 1, { token: page.next, before: page.before + page.objects.length });
  }
  return { pages, starts };
}

/** The start of a page: the nearest known start, and from there by skipping objects. */
async function startOf(list: QueryKey, pageIndex: number, { size, skip }: Source<unknown>, signal: AbortSignal) {
  const { starts } = positionsOf(list);
  const nearest = Math.max(...[...starts.keys()].filter((index) => index <= pageIndex));
  let { token, before } = starts.get(nearest) ?? { token: undefined, before: 0 };
  for (let missing = (pageIndex - nearest) * size; missing > 0;) {
    const { objects, next } = await skip(missing, token, signal);
    missing -= objects.length;
    before += objects.length;
    token = next;
    if (next === undefined) return { token, before, isBehindEnd: true };
  }
  return { token, before, isBehindEnd: false };
}

async function loadPage<T>(
  list: QueryKey,
  pageIndex: number,
  source: Source<T>,
  signal: AbortSignal,
): Promise<LoadedPage<T>> {
  const start = await startOf(list, pageIndex, source, signal);
  if (start.isBehindEnd) return { objects: [], next: undefined, ...start };
  const page = await source.load(start.token, signal);
  // The later pages are no longer valid if this page ends elsewhere now.
  if (page.next === undefined || positionsOf(list).starts.get(pageIndex + 1)?.token !== page.next)
    queries.removeQueries({ queryKey: list, predicate: ({ queryKey }) => Number(queryKey.at(-1)) > pageIndex });
  return { ...page, ...start };
}

/**
 * A list page by page. The cache has the pages that the user has seen, and from them the starts of pages. Nothing is
 * loaded ahead.
 *
 * @param key Identifies the list and its filters.
 * @param source Undefined: nothing is loaded.
 * @param place Default: the index of the page is kept while the list is shown.
 */
export function usePages<T>(key: QueryKey, source: Source<T> | undefined, place?: PageIndex): Pages<T> {
  const list = [...LIST_PAGES, ...key];
  const id = JSON.stringify(key);
  const [ownPage, setOwn] = useState({ id, pageIndex: 1 });
  const pageIndex = place?.pageIndex ?? (ownPage.id === id ? ownPage.pageIndex : 1);
  const goTo = place?.goTo ?? ((next: number) => setOwn({ id, pageIndex: next }));
  const { value, loading, failure, loadedAt, reload } = useLoad(
    [...list.slice(1), pageIndex],
    source && ((signal) => loadPage(list, pageIndex, source, signal)),
    source?.maxAge ?? Infinity,
  );
  const { pages, starts } = positionsOf(list);
  const pagesCount = Math.max(pageIndex, ...starts.keys());
  const before = value?.before ?? starts.get(pageIndex)?.before ?? (pageIndex - 1) * (source?.size ?? 0);
  const restart = () => {
    queries.removeQueries({ queryKey: list });
    goTo(1);
  };
  return {
    objects: value?.objects ?? [],
    loading,
    failure,
    pageIndex,
    pagesCount,
    openEnd: !pages.has(Math.max(...starts.keys())),
    hasMore: value?.next !== undefined,
    previousIndex: Math.max(1, value?.isBehindEnd === true ? Math.ceil(before / (source?.size ?? 1)) : pageIndex - 1),
    before,
    loadedAt,
    goTo,
    // The server no longer knows the token of the page.
    reload: failure?.status === 400 && pageIndex > 1 ? restart : reload,
  };
}
