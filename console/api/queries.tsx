import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiFailure } from './client.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiFailure;
  }
}

/**
 * The first part of each key, which decides when a value is loaded again.
 *
 * `live`: after a change of the inventory, and when the value is too old (app/use-live-data.tsx). `once`: by the user only.
 * `names`: the first time that it is shown after a change, or after a minute.
 */
export type Scope = 'live' | 'once' | 'names';

/** Names and pages of lists that are no longer shown are kept this long, in milliseconds. */
const NAMES_MS = 60_000;
const PAGES_MS = 600_000;

/** The first parts of the keys of pages of lists. */
export const LIST_PAGES = ['live', 'pages'] as const;

/** The values that the console has loaded. Each lives while it is shown, unless its key has another default. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: 0,
      // An offline browser gets a failure, not an endless load.
      networkMode: 'always',
      refetchOnMount: 'always',
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
      // `call` repeats requests.
      retry: false,
      // Any other error is a fault of the console.
      throwOnError: (error) => !(error instanceof ApiFailure),
    },
  },
});
queries.setQueryDefaults(['names'], { gcTime: NAMES_MS, staleTime: NAMES_MS, refetchOnMount: true });
queries.setQueryDefaults(LIST_PAGES, { gcTime: PAGES_MS, refetchOnMount: true });

export const keyOf = (scope: Scope, key: string | QueryKey): QueryKey => [scope, ...[key].flat()];

/** After a change of the inventory by anyone: hidden values are loaded again when they are shown the next time. */
export function invalidateHidden(): void {
  void queries.invalidateQueries({ queryKey: ['names'], refetchType: 'none' });
  void queries.invalidateQueries({ queryKey: ['live'], type: 'inactive', refetchType: 'none' });
}

/** After a change by this page: drops hidden pages of lists. Shown values stay until they are loaded again. */
export function forgetInventory(): void {
  invalidateHidden();
  queries.removeQueries({ queryKey: ['live'], type: 'inactive' });
}

/** Loads all values of the page again. */
export function reloadShown(): void {
  invalidateHidden();
  void queries.refetchQueries({ type: 'active' }, { cancelRefetch: false });
}
