import type * as z from 'zod/mini';
import type { endpoint as getCaller } from '../functions/server/get-caller/endpoint.ts';

/** Who is logged in, as the server tells it. */
export type Caller = z.output<NonNullable<(typeof getCaller)['reply']['schema']>>;

export type SessionState =
  /** Nobody, and why not any more: a sentence for the log-in page. */
  | { kind: 'out'; notice?: { type: 'ended' | 'left'; text: string } }
  /** A key of this tab is there from before the reload, and nobody has asked the server about it yet. */
  | { kind: 'restoring'; key: string }
  | { kind: 'in'; key: string; caller: Caller };

/** Where the key is while "keep me signed in for this tab" is on; nothing else is ever stored of it. */
const STORAGE_KEY = 'session-key';

function initialState(): SessionState {
  const key = sessionStorage.getItem(STORAGE_KEY);
  return key === null ? { kind: 'out' } : { kind: 'restoring', key };
}

let state: SessionState = initialState();
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The session of this page. The key lives in this module and, if its owner chose so, in the storage of the tab. */
export const session = {
  state: () => state,
  key: () => (state.kind === 'out' ? undefined : state.key),
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  begin: (key: string, caller: Caller, { keep }: { keep: boolean }) => {
    if (keep) sessionStorage.setItem(STORAGE_KEY, key);
    become({ kind: 'in', key, caller });
  },
  /** The server no longer takes the key, or its time is up. Where the user was stays in the address bar. */
  end: (reason: string) => {
    if (state.kind === 'out') return;
    sessionStorage.removeItem(STORAGE_KEY);
    become({ kind: 'out', notice: { type: 'ended', text: reason } });
  },
  leave: (text: string) => {
    sessionStorage.removeItem(STORAGE_KEY);
    become({ kind: 'out', notice: { type: 'left', text } });
  },
};
