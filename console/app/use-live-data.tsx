import { useEffect, useSyncExternalStore } from 'react';
import { endpoint as getVersion } from '../../functions/api/server/get-version/endpoint.ts';
import { call } from '../api/client.tsx';
import { connection } from '../api/connection.ts';
import { forgetFeed, hasChanged } from '../model/change-feed.tsx';
import { autoRefresh } from '../ui/auto-refresh.tsx';

/** The time between two attempts to reach the server. */
const RETRY_MS = 3000;

/** Whether the server answers now. Its answer, also an error, ends the interruption. */
const probe = () => call(getVersion, {}).catch(() => undefined);

/**
 * Refreshes the page, and tries to reach the server again while it does not answer.
 *
 * @returns since when the server has not answered; undefined while it does.
 */
export function useLiveData(): Date | undefined {
  const lostAt = useSyncExternalStore(connection.subscribe, connection.lostAt);
  useEffect(() => {
    const stop = autoRefresh.start(hasChanged);
    return () => {
      stop();
      forgetFeed();
    };
  }, []);
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
