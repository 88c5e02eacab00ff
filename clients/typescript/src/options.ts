import type { Clock } from './clock.ts';
import type { InventoryError } from './error.ts';

/**
 * A secret, or a function that returns the present one. The function is called for each request, and white space around its
 * value is removed: a file ends with a line break.
 */
export type Secret = string | (() => string | Promise<string>);

/** A request that the client sends. */
export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  redirect?: 'manual';
}

/** The part of a `Response` that the client reads. A `fetch` that returns this much needs no `Response`, which takes Node 30 ms to load. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  text(): Promise<string>;
}

/** The `fetch` of the platform is one. */
export type HttpFetch = (url: string, request: HttpRequest) => Promise<HttpReply>;

export interface ClientOptions {
  /** `https://inventory.example`; a path is kept. */
  url: string;
  /** An API key or session key. */
  key?: Secret | undefined;
  /** Instead of a key: the name of a user, and the password. */
  user?: string | undefined;
  password?: Secret | undefined;
  /** The longest duration of one attempt, in milliseconds; default: 30,000. */
  timeout?: number | undefined;
  /** The most attempts of a call; default: 4. */
  attempts?: number | undefined;
  /** Sent as `User-Agent`, which browsers replace. */
  userAgent?: string | undefined;
  /** Another `fetch`: of `/node` with a CA, or of `/testing`. Default: the one of the platform. */
  fetch?: HttpFetch | undefined;
  /** Instead of the clock and the timers of the platform: for tests. */
  clock?: Clock | undefined;
  /** Called before each repetition; `wait` is in milliseconds. */
  onRetry?: ((retry: { operation: string; attempt: number; wait: number; cause: InventoryError }) => void) | undefined;
  /** Called for each reply of a deprecated operation, with the headers `Sunset` and `Link`. */
  onSunset?: ((notice: { operation: string; sunset: string; link: string | null }) => void) | undefined;
}

export interface CallOptions {
  /** Aborts the call; it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Of one attempt, in milliseconds; default: that of the client. */
  timeout?: number | undefined;
  /** Default: that of the client. */
  attempts?: number | undefined;
  /** Receives the reply without its body: `ETag`, `X-Request-Id`, status. */
  onReply?: ((reply: { status: number; headers: Pick<Headers, 'get'> }) => void) | undefined;
}

/** A revision, or an entity tag with its quotes, or `*`. */
export type Match = number | string;

export interface IfMatch {
  /** Run only if the object has this revision; otherwise 412. */
  ifMatch?: Match | undefined;
}

export interface IfNoneMatch {
  /** Of an upsert, `*`: only add; otherwise 412. */
  ifNoneMatch?: Match | undefined;
}

/** A get returns undefined if the object still has this revision. */
export interface Revalidation {
  ifNoneMatch: Match;
}

export interface IdempotencyKey {
  /** Identifies this request for 24 hours, also after a restart of the caller. Default: a new UUID for each call. */
  idempotencyKey?: string | undefined;
}

export type AnyOptions = CallOptions & IfMatch & IfNoneMatch & IdempotencyKey;
