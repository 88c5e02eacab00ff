import { endpoint as getSummary } from '../../functions/api/summary/get/endpoint.ts';
import { MAX_SUMMARY_AGE, SUMMARY_SECONDS } from '../../functions/domain/records/summary.ts';
import { call } from '../api/client.tsx';
import { session } from '../api/session.tsx';

/** In milliseconds: the server counts again after this time. */
export const SUMMARY_MS = SUMMARY_SECONDS * 1000;

/** A request that is sent before its page is loaded: the page takes the reply, within the same session. */
let early: { key: string | undefined; until: number; reply: ReturnType<typeof requestKept> } | undefined;

/** The numbers that the server has kept; without any, or with very old ones, it counts. */
const requestKept = (signal?: AbortSignal) => call(getSummary, { query: { max_age: MAX_SUMMARY_AGE } }, { signal });

/** The request of this session that is still of use. */
const earlyReply = () =>
  early !== undefined && early.key === session.key() && Date.now() < early.until ? early.reply : undefined;

/** Asks for the kept numbers while the scripts of the page are still being loaded. */
export function requestSummary(): void {
  if (earlyReply() !== undefined) return;
  early = { key: session.key(), until: Date.now() + SUMMARY_MS, reply: requestKept() };
  // The page states the failure.
  early.reply.catch(() => undefined);
}

/** For a page without numbers. */
export function loadKept(signal: AbortSignal): ReturnType<typeof requestKept> {
  const reply = earlyReply() ?? requestKept(signal);
  early = undefined;
  return reply;
}
