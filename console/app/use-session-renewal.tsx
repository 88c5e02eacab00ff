import { useEffect, useSyncExternalStore } from 'react';
import { ApiFailure, isTransient, renewSession } from '../api/client.tsx';
import { session } from '../api/session.tsx';

/** A key is renewed so long before its end: time for some attempts. Of a key of few minutes, at half of the time left. */
const BEFORE_END_MS = 2 * 60_000;

const RETRY_MS = 15_000;

/** Renews the key of the page before its end, if the server does so. @returns whether it does. */
export function useSessionRenewal(expiresAt: string | undefined): boolean {
  const until = useSyncExternalStore(session.subscribe, session.renewableUntil);
  const isRenewed = until !== undefined && expiresAt !== undefined && Date.parse(expiresAt) < Date.parse(until);
  useEffect(() => {
    if (!isRenewed) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const renew = () => {
      if (session.hasExpired()) return;
      renewSession().catch((error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        if (isTransient(error)) timer = setTimeout(renew, RETRY_MS);
        else session.end(error.message);
      });
    };
    const left = Math.max(0, Date.parse(expiresAt) - Date.now());
    timer = setTimeout(renew, Math.max(left - BEFORE_END_MS, left / 2));
    return () => clearTimeout(timer);
  }, [expiresAt, isRenewed]);
  return isRenewed;
}
