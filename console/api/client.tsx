import { base } from './base.tsx';
import * as z from 'zod/mini';
import { createClient, InventoryError } from '../../clients/typescript/src/index.ts';
import type { Client } from '../../clients/typescript/src/operation.ts';
import { clientSpec } from '../../functions/contract/client-spec.ts';
import { endpoint as logIn } from '../../functions/api/logins/add/endpoint.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { invalidRequest, type Violation } from '../../shared/core/errors.ts';
import { violations } from '../../shared/core/violations.ts';
import { connection } from './connection.ts';
import { session } from './session.tsx';
import { createStore } from './store.ts';

type NoFields = Record<string, never>;

/** The input of a call: the parts that the contract of the endpoint has. */
export type CallOf<E extends Endpoint> = (z.output<E['params']> extends NoFields
  ? { params?: undefined }
  : { params: z.input<E['params']> }) &
  (undefined extends z.input<E['body']> ? { body?: undefined } : { body: z.input<E['body']> }) & {
    query?: Partial<z.output<E['query']>> | undefined;
  };

export interface CallOptions {
  /** The revision that the object must have: sent as If-Match. */
  ifMatch?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Credentials in place of the session's; empty for none. A refusal of them does not end the session. */
  credentials?: { key: string } | { user: string; password: string } | Record<string, never>;
  /** Sent without an action of the user: does not count as a use of the session. */
  background?: boolean;
}

export type ReplyOf<E extends Endpoint> = z.output<NonNullable<E['reply']['schema']>>;

/** A failed call, with a message for the user. */
export class ApiFailure extends Error {
  /** The HTTP status; 0 without a reply. */
  readonly status: number;
  readonly details: readonly Violation[];
  readonly requestId: string | undefined;

  constructor(status: number, body?: { message: string; details?: readonly Violation[]; request_id?: string }) {
    super(body?.message ?? `The server returned status ${status}.`);
    this.name = 'ApiFailure';
    this.status = status;
    this.details = body?.details ?? [];
    this.requestId = body?.request_id;
  }
}

/** Whether a repetition of the call can succeed: the network failed, or the server is busy or has a fault. */
export const isTransient = ({ status }: ApiFailure): boolean => status === 0 || status === 429 || status >= 500;

/** Of a call with its repetitions. API Gateway gives up after 29 seconds. */
const TIMEOUT_MS = 35_000;

const LATE = `The server did not answer within ${TIMEOUT_MS / 1000} seconds. It may be busy. Try again.`;

export const UNREACHABLE = 'The server cannot be reached. Check the connection and try again.';

/** Of a GET. A failed write is repeated by the user. */
const MAX_ATTEMPTS = 3;

/** A parameter that is empty means none, unless its contract accepts an empty text. */
const filledQuery = (endpoint: Endpoint, { query = {} }: AnyCall): [string, unknown][] =>
  Object.entries(query).filter(
    ([name, value]) => value !== undefined && (value !== '' || z.safeParse(endpoint.query, { [name]: '' }).success),
  );

function urlOf(endpoint: Endpoint, call: AnyCall): string {
  const params = new Map<string, unknown>(Object.entries(call.params ?? {}));
  const filled = endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params.get(name))),
  );
  const query = new URLSearchParams(
    filledQuery(endpoint, call).map(([name, value]) => [name, String(value)]),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

export interface AnyCall {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

interface Request {
  method: string;
  /** With its query, from `/v1` on. */
  path: string;
  body?: unknown;
}

/** The request of a call. The contract may refuse it, for example that of an incomplete form. */
export const requestOf = (endpoint: Endpoint, request: AnyCall): Request => ({
  method: endpoint.method,
  path: urlOf(endpoint, request),
  ...(request.body === undefined ? {} : { body: request.body }),
});

async function fetchWithoutCache(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, cache: 'no-store', credentials: 'omit' });
  connection.answered();
  return response;
}

const clientWith = (credentials: CallOptions['credentials']): Client =>
  createClient({
    url: location.origin + base,
    ...credentials,
    timeout: TIMEOUT_MS,
    fetch: fetchWithoutCache,
    onRetry: ({ cause }) => {
      if (cause.http === 0) connection.lost();
    },
  });

/** The failure for the user; other errors stay, for example that of a call which its caller aborted. */
function failureOf(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError') return noReply(LATE);
  if (!(error instanceof InventoryError)) return error;
  const { http, status, message, details, requestId } = error;
  if (http === 0) return noReply(status === 'DEADLINE_EXCEEDED' ? LATE : UNREACHABLE);
  return new ApiFailure(http, { message, details, ...(requestId === undefined ? {} : { request_id: requestId }) });
}

function noReply(message: string): ApiFailure {
  connection.lost();
  return new ApiFailure(0, { message });
}

/**
 * Calls an endpoint of the API by its contract: the same object that the server, the documentation and the
 * infrastructure are made from.
 *
 * The reply is not parsed here: the server has parsed it by this very schema, and a later server may say more than this
 * page knows, which a schema that refuses unknown fields would make an error.
 *
 * @throws ApiFailure; a refusal of the session's own key also ends the session, unless it has a next key.
 */
export function call<E extends Endpoint>(endpoint: E, request: CallOf<E>, options?: CallOptions): Promise<ReplyOf<E>>;
export function call(endpoint: Endpoint, request: AnyCall, options: CallOptions = {}): Promise<unknown> {
  return send(endpoint, request, options, false);
}

/**
 * The reply of an endpoint as text, for formats other than JSON.
 *
 * @throws ApiFailure as `call` does.
 */
export async function callForText<E extends Endpoint>(
  endpoint: E,
  request: CallOf<E>,
  options?: CallOptions,
): Promise<string>;
export async function callForText(endpoint: Endpoint, request: AnyCall, options: CallOptions = {}): Promise<string> {
  return String(await send(endpoint, request, options, true));
}

/** Writes of these endpoints change objects. A log-in, for example, changes none. */
const inventoryTags = new Set(['Nodes', 'Services', 'Agents', 'Bulk', 'Life cycle']);

/** When this page last wrote to the inventory, in milliseconds since 1970. A failed write can have changed objects too. */
const inventoryWrite = createStore(-Infinity);

/** Calls the listener after each write. @returns a function that ends the subscription. */
export const onInventoryWrite = inventoryWrite.subscribe;

/** @throws ApiFailure */
async function sendOnce(
  endpoint: Endpoint,
  request: AnyCall,
  { ifMatch, signal, credentials, background = false }: CallOptions,
  text: boolean,
): Promise<unknown> {
  const key = session.key();
  const client = clientWith(credentials ?? (key === undefined ? undefined : { key }));
  const spec = { ...clientSpec(endpoint), ...(text && { text }) };
  const input = { ...request.params, ...Object.fromEntries(filledQuery(endpoint, request)), ...(request.body ?? {}) };
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const attempts = endpoint.method === 'GET' ? MAX_ATTEMPTS : 1;
  try {
    const reply = await client.send<unknown>(spec, input, { signal: either, ifMatch, attempts });
    if (credentials === undefined && !background) session.used();
    return reply;
  } catch (error) {
    throw failureOf(error);
  } finally {
    if (endpoint.method !== 'GET' && inventoryTags.has(endpoint.tag)) inventoryWrite.set(Date.now());
  }
}

async function send(endpoint: Endpoint, request: AnyCall, options: CallOptions, text: boolean): Promise<unknown> {
  if (options.credentials === undefined && session.hasExpired()) {
    session.end(refusalMessages.expired);
    throw new ApiFailure(401, { message: refusalMessages.expired });
  }
  const [key, id] = [session.key(), session.id()];
  const isOfSession = (failure: unknown): failure is ApiFailure =>
    failure instanceof ApiFailure && failure.status === 401 && options.credentials === undefined;
  try {
    return await sendOnce(endpoint, request, options, text);
  } catch (failure) {
    // Not after a new log-in during the request.
    if (!isOfSession(failure) || session.id() !== id || !(await hasNextKey(key, failure))) throw failure;
  }
  // A refused request has changed nothing.
  return sendOnce(endpoint, request, options, text);
}

/**
 * Whether the session has another key than the refused one. The server refuses a key after a role binding was removed
 * or narrowed, and renews the session with the role that remains. Otherwise the session ends.
 */
async function hasNextKey(key: string | undefined, refusal: ApiFailure): Promise<boolean> {
  if (session.key() !== key) return session.key() !== undefined;
  if (session.renewableUntil() === undefined) {
    session.end(refusal.message);
    return false;
  }
  try {
    await renewSession();
    return session.key() !== key;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // A refusal of the renewal has the same reason, unless it has an explanation.
    if (!isTransient(error)) session.end(error.status === 401 ? refusal.message : error.message);
    return false;
  }
}

/** Exchanges a proof of the identity of a user for a session key. The proof is not stored. */
export async function logInAsUser(proof: CallOf<typeof logIn>['body'], take = session.begin): Promise<void> {
  // Without the key of a session that the tab may have: it proves nothing here.
  const {
    key,
    session_id: id,
    name,
    role,
    owners,
    user_id,
    expires_at,
    renewable_until,
  } = await call(logIn, { body: proof }, { credentials: {} });
  take(key, { kind: 'session', id, name, role, owners, user_id, expires_at }, renewable_until);
}

/** Gets the next key of the session of this tab, which an identity provider opened. */
export async function renewSession(): Promise<void> {
  const key = session.key();
  if (key !== undefined) await logInAsUser({ method: 'session', key }, session.renew);
}

/** The violations of a contract, in the words of the server. */
export function violationsOf(schema: z.core.$ZodType, value: unknown): Violation[] {
  const { error } = z.safeParse(schema, value);
  return error === undefined ? [] : violations(error.issues, value);
}

/**
 * Parses an input of a call by the contract, so that a wrong field is known without a request.
 *
 * @throws ApiFailure as the server would answer.
 */
export function parsedBy<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ApiFailure(400, invalidRequest(violations(parsed.error.issues, value)));
}
