import { base } from './base.tsx';
import * as z from 'zod/mini';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
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
  /** Credentials in place of the session's. A refusal of them does not end the session. */
  authorization?: string;
  /** Sent without an action of the user: does not count as a use of the session. */
  background?: boolean;
}

/** The reply of an endpoint. */
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

/** API Gateway gives up after 29 seconds. */
const TIMEOUT_MS = 35_000;

export const UNREACHABLE = 'The server cannot be reached. Check the connection and try again.';

/** Retries after 429 and 503. */
const MAX_REPEATS = 2;

function urlOf({ path }: Endpoint, call: AnyCall): string {
  const params = new Map<string, unknown>(Object.entries(call.params ?? {}));
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params.get(name))));
  const given = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

/** A call of any endpoint. */
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

async function send(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    const response = await fetch(base + url, { ...init, cache: 'no-store', credentials: 'omit', redirect: 'error' });
    connection.found();
    return response;
  } catch (error) {
    throw interruptionOf(error, init.signal);
  }
}

/** Why a call has no reply: its caller gave up, the time is over, or the network failed. */
function interruptionOf(error: unknown, { aborted, reason }: AbortSignal): unknown {
  const name = aborted && reason instanceof DOMException ? reason.name : undefined;
  if (name === 'AbortError') return error;
  connection.lost();
  const message =
    name === 'TimeoutError'
      ? `The server did not answer within ${TIMEOUT_MS / 1000} seconds. It may be busy. Try again.`
      : UNREACHABLE;
  return new ApiFailure(0, { message });
}

const violationSchema = z.object({ field: z.string(), reason: z.string(), message: z.string() });

const errorSchema = z.object({
  message: z.string(),
  details: z.array(violationSchema),
  request_id: z.string(),
});

/** An error of the server or the gateway. Of other replies only the status is known. */
async function failureOf(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => undefined);
  const { data } = z.safeParse(errorSchema, body);
  return new ApiFailure(response.status, data);
}

async function answered(endpoint: Endpoint, url: string, init: RequestInit & { signal: AbortSignal }) {
  for (let repeats = 0; ; repeats += 1) {
    const response = await send(url, init);
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || endpoint.method !== 'GET' || repeats >= MAX_REPEATS) return response;
    const seconds = Number(response.headers.get('Retry-After') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 5) * 1000 * (1 + Math.random())));
    init.signal.throwIfAborted();
  }
}

/**
 * Calls an endpoint of the API by its contract: the same object that the server, the documentation and the
 * infrastructure are made from.
 *
 * The reply is not parsed here: the server has parsed it by this very schema, and a later server may say more than this
 * page knows, which a schema that refuses unknown fields would make an error.
 *
 * @throws ApiFailure; a refusal of the session's own key also ends the session.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: CallOf<E>,
  options?: CallOptions,
): Promise<ReplyOf<E>>;
export async function call(endpoint: Endpoint, request: AnyCall, options: CallOptions = {}): Promise<unknown> {
  return readReply(endpoint, request, options, async (response) => {
    const body: unknown = endpoint.reply.status === 204 ? undefined : await response.json();
    return body;
  });
}

/**
 * The reply of an endpoint as bytes, for formats other than JSON.
 *
 * @throws ApiFailure as `call` does.
 */
export function callForBytes<E extends Endpoint>(
  endpoint: E,
  request: CallOf<E>,
  options?: CallOptions,
): Promise<ArrayBuffer>;
export function callForBytes(endpoint: Endpoint, request: AnyCall, options: CallOptions = {}): Promise<ArrayBuffer> {
  return readReply(endpoint, request, options, (response) => response.arrayBuffer());
}

/** Writes of these endpoints change objects. A log-in, for example, changes none. */
const inventoryTags = new Set(['Nodes', 'Services', 'Agents', 'Bulk', 'Life cycle']);

/** When this page last wrote to the inventory, in milliseconds since 1970. A failed write can have changed objects too. */
const inventoryWrite = createStore(-Infinity);

/** Calls the listener after each write. @returns a function that ends the subscription. */
export const onInventoryWrite = inventoryWrite.subscribe;

/** Whether this page has written to the inventory within a time, in milliseconds. */
export const hasWrittenInventoryWithin = (time: number): boolean => Date.now() - inventoryWrite.get() < time;

async function readReply<T>(
  endpoint: Endpoint,
  request: AnyCall,
  { ifMatch, signal, authorization, background = false }: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const key = session.key();
  const credentials = authorization ?? (key === undefined ? undefined : `Bearer ${key}`);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const response = await answered(endpoint, urlOf(endpoint, request), {
    method: endpoint.method,
    headers: {
      ...(credentials === undefined ? {} : { Authorization: credentials }),
      ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'If-Match': `"${ifMatch}"` }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    signal: either,
  }).finally(() => {
    if (endpoint.method !== 'GET' && inventoryTags.has(endpoint.tag)) inventoryWrite.set(Date.now());
  });
  if (!response.ok) {
    const failure = await failureOf(response);
    // Not after a new log-in during the request.
    if (response.status === 401 && authorization === undefined && session.key() === key) session.end(failure.message);
    throw failure;
  }
  if (authorization === undefined && !background) session.used();
  try {
    return await read(response);
  } catch (error) {
    // The connection broke within the reply.
    throw interruptionOf(error, either);
  }
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
