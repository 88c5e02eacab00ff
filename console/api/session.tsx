import * as z from 'zod/mini';
import { createStore } from './store.ts';
import { endingText } from './ending.ts';
import type { endpoint as getCaller } from '../../functions/api/server/get-caller/endpoint.ts';

/** The caller (GET /v1/caller). */
export type Caller = z.output<NonNullable<(typeof getCaller)['reply']['schema']>>;

export type SessionState =
  /** Nobody is logged in. `notice`: why the session ended, for the log-in page, and how the user had logged in. */
  | { kind: 'out'; notice?: { type: 'ended' | 'left'; text: string; way?: string } }
  /** A session from before a reload of the tab, which the server has not confirmed yet. */
  | { kind: 'restoring'; key: string; renewableUntil?: string | undefined }
  | { kind: 'in'; key: string; caller: Caller; renewableUntil?: string | undefined };

/**
 * The key of the session key in the storage of the tab, so that a reload continues the session. The API browser reads
 * it too.
 */
const STORAGE_KEY = 'session-key';

/**
 * The storage keeps a session key for this time after its last use. A tab that is reopened later asks for the password.
 */
const KEPT_MS = 30 * 60_000;

/** The interval in which the use of the session extends that time. */
const USE_MS = 60_000;

const keptSchema = z.object({ key: z.string(), until: z.number(), renewableUntil: z.optional(z.string()) });

function readKept(): Pick<z.output<typeof keptSchema>, 'key' | 'renewableUntil'> | undefined {
  try {
    const { until, ...kept } = z.parse(keptSchema, JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? ''));
    if (until > Date.now()) return kept;
  } catch {
    // The storage has no key, or other content.
  }
  sessionStorage.removeItem(STORAGE_KEY);
  return undefined;
}

function initialState(): SessionState {
  const kept = readKept();
  return kept === undefined ? { kind: 'out' } : { kind: 'restoring', ...kept };
}

const { get: state, set: become, subscribe } = createStore<SessionState>(initialState());
let usedAt = 0;
let forgetting: ReturnType<typeof setTimeout> | undefined;

function forget(): void {
  clearTimeout(forgetting);
  sessionStorage.removeItem(STORAGE_KEY);
}

/** API keys are never stored: they live longer than a session, and a log-out does not end them. */
function keep(): void {
  const present = state();
  if (present.kind !== 'in' || present.caller.kind !== 'session') return;
  const end = present.caller.expires_at === undefined ? Infinity : Date.parse(present.caller.expires_at);
  const [until, now] = [Math.min(usedAt + KEPT_MS, end), Date.now()];
  if (until <= now) return;
  sessionStorage.setItem(
    STORAGE_KEY,
    JSON.stringify({ key: present.key, until, renewableUntil: present.renewableUntil }),
  );
  clearTimeout(forgetting);
  forgetting = setTimeout(forget, until - now);
}

function use(): void {
  usedAt = Date.now();
  keep();
}

/** The session of this page. Keys are only in this module, and session keys also in the storage of the tab. */
export const session = {
  state,
  subscribe,
  key: () => {
    const present = state();
    return present.kind === 'out' ? undefined : present.key;
  },
  /** The id of the caller, which renewals do not change; undefined before the server has confirmed the key. */
  id: () => {
    const present = state();
    return present.kind === 'in' ? present.caller.id : undefined;
  },
  /** Until when the key is renewed before its end; undefined if it is not. */
  renewableUntil: () => {
    const present = state();
    return present.kind === 'in' ? present.renewableUntil : undefined;
  },
  /** @param renewableUntil until when the key is renewed before its end; undefined if it is not. */
  begin: (key: string, caller: Caller, renewableUntil?: string) => {
    become({ kind: 'in', key, caller, renewableUntil });
    use();
  },
  /** The next key of the session. It is no use of the session. */
  renew: (key: string, caller: Caller, renewableUntil?: string) => {
    become({ kind: 'in', key, caller, renewableUntil });
    keep();
  },
  /** Whether the key has expired, for example while the machine slept. */
  hasExpired: () => {
    const present = state();
    const end = present.kind === 'in' ? present.caller.expires_at : undefined;
    return end !== undefined && Date.parse(end) <= Date.now();
  },
  /** The server has accepted the key once more. */
  used: () => {
    if (Date.now() - usedAt >= USE_MS) use();
  },
  /** The server no longer accepts the key, or the key has expired. The address of the page stays. */
  end: (reason: string) => {
    const present = state();
    if (present.kind === 'out') return;
    const caller = present.kind === 'in' ? present.caller : undefined;
    const kind = caller?.kind === 'api_key' ? 'key' : 'password';
    // The name of a user of a provider begins with the provider; names of others have no slash.
    const [, provider] = /^([^/]+)\//.exec(kind === 'key' ? '' : (caller?.name ?? '')) ?? [];
    const way = provider === undefined ? kind : `oidc ${provider}`;
    forget();
    become({ kind: 'out', notice: { type: 'ended', text: endingText(kind, reason), way } });
  },
  leave: (text: string) => {
    forget();
    become({ kind: 'out', notice: { type: 'left', text } });
  },
};
