import { useEffect } from 'react';
import { flash } from '../ui/flash.ts';
import { type Caller, session } from '../api/session.tsx';
import { clockText } from '../ui/time-format.ts';
import { useSessionRenewal } from './use-session-renewal.tsx';

/** A warning appears this long before the end of the session. */
const WARNING_MS = 5 * 60_000;

/** The maximum of a timer. For a later end, another timer follows. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends the session of the page when it ends on the server. A warning appears some minutes before. */
export function useSessionEnd({ expires_at: expiresAt }: Caller): void {
  const isRenewed = useSessionRenewal(expiresAt);
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const end = Date.parse(expiresAt);
    let timer: ReturnType<typeof setTimeout>;
    let warned = false;
    const wait = () => {
      const left = end - Date.now();
      if (left <= 0) {
        session.end(`it expired at ${clockText(new Date(end))}`);
        return;
      }
      if (left <= WARNING_MS && !warned && !isRenewed) {
        warned = true;
        const time = clockText(new Date(end));
        flash.add(
          { type: 'warning', content: `Your session expires at ${time}. Log out and in again to get a new one.` },
          { pages: Infinity },
        );
      }
      timer = setTimeout(wait, Math.min(left > WARNING_MS ? left - WARNING_MS : left, MAX_TIMER_MS));
    };
    wait();
    return () => clearTimeout(timer);
  }, [expiresAt, isRenewed]);
}
