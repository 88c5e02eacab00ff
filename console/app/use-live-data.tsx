import type { Query } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { endpoint as getVersion } from '../../functions/api/server/get-version/endpoint.ts';
import { call, isTransient } from '../api/client.tsx';
import { connection } from '../api/connection.ts';
import { invalidateHidden, queries } from '../api/queries.tsx';
import { useStore } from '../api/store.ts';
import { followChanges } from '../model/change-feed.tsx';
import { type RefreshInterval, refreshInterval } from '../ui/auto-refresh.tsx';

/** The time between two attempts to reach the server. */
const RETRY_MS = 3000;

const milliseconds: Readonly<Record<RefreshInterval, number | undefined>> = {
  off: undefined,
  '10s': 10_000,
  '30s': 30_000,
};

/** Whether the server answers now. Its answer, also an error, ends the interruption. */
const probe = () => call(getVersion, {}).catch(() => undefined);

const isLost = ({ state: { error } }: Query) => error !== null && isTransient(error);

const isLive = ({ queryKey: [scope] }: Query) => scope === 'live';

/** Loads shown values again: those with a transient failure, and live ones that are too old, or all after a change. */
function refresh(isChanged: boolean): void {
  const predicate = (query: Query) => isLost(query) || (isLive(query) && (isChanged || query.isStale()));
  void queries.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false });
}

/** Refreshes the page in the interval that the user has chosen. A hidden page sends no requests. */
function useAutoRefresh(): void {
  const interval = milliseconds[useStore(refreshInterval)];
  const hasChanged = useRef<() => Promise<boolean>>(undefined);
  useEffect(() => {
    if (interval === undefined) return undefined;
    hasChanged.current ??= followChanges();
    const controller = new AbortController();
    let isRunning = false;
    // One request if nothing has changed and all states are recent.
    const run = async () => {
      const refreshable = { type: 'active', predicate: (query: Query) => isLive(query) || isLost(query) } as const;
      if (isRunning || document.hidden || queries.getQueryCache().findAll(refreshable).length === 0) return;
      isRunning = true;
      try {
        const isChanged = (await hasChanged.current?.()) ?? true;
        if (controller.signal.aborted) return;
        if (isChanged) invalidateHidden();
        refresh(isChanged);
      } catch {
        // The page says that the server cannot be reached, or the next load fails with the same error.
      } finally {
        isRunning = false;
      }
    };
    const timer = setInterval(() => void run(), interval);
    document.addEventListener('visibilitychange', () => void run(), controller);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [interval]);
}

/**
 * Refreshes the page, and tries to reach the server again while it does not answer.
 *
 * @returns when the server stopped answering; undefined while it answers.
 */
export function useLiveData(): Date | undefined {
  const lostAt = useStore({ subscribe: connection.subscribe, get: connection.lostAt });
  useAutoRefresh();
  useEffect(
    () =>
      // After an interruption, everything on the page may have changed.
      connection.subscribe(() => {
        if (connection.lostAt() === undefined) refresh(true);
      }),
    [],
  );
  useEffect(() => {
    if (lostAt === undefined) return undefined;
    const timer = setInterval(() => void probe(), RETRY_MS);
    const now = () => void probe();
    addEventListener('online', now);
    return () => {
      clearInterval(timer);
      removeEventListener('online', now);
    };
  }, [lostAt]);
  return lostAt;
}
