import { type Clock, platformClock } from './clock.ts';
import { type Failure, InventoryError, ServerLacks } from './error.ts';
import { VERSION } from './generated/version.ts';
import type { Client, Spec } from './operation.ts';
import type { AnyOptions, ClientOptions, HttpReply, HttpRequest, Match } from './options.ts';
import { backoff, pause } from './wait.ts';

/** Longer waits are left to the caller, which reads `retryAfter`. */
const MAX_WAIT_MS = 60_000;

const versionSpec: Spec<{ build: { version: string } }> = { id: 'getVersion', method: 'GET', path: '/v1/version' };

const tag = (match: Match) => (typeof match === 'number' ? `"${match}"` : match);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** `1.10.0` as a number. */
const rank = (version: string) => version.split('.', 3).reduce((total, part) => total * 1e4 + parseInt(part), 0);

/** In seconds; undefined without the header. */
function retryAfterOf(headers: HttpReply['headers'], { now }: Clock): number | undefined {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  const seconds = Number(value);
  return isNaN(seconds) ? Math.max(0, (Date.parse(value) - now()) / 1000) || 0 : seconds;
}

function base64(value: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(value)));
}

function requestOf({ method, path, lines, bare }: Spec<unknown>, input: object): { path: string; body?: string } {
  const rest = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined));
  const own = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    // Without this check a removal of `/v1/nodes/undefined` would be sent.
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is missing`);
    rest.delete(name);
    return encodeURIComponent(value);
  });
  if (method.startsWith('P') && !lines && !bare) return { path: own, body: JSON.stringify(Object.fromEntries(rest)) };
  const values = rest.get('lines');
  rest.delete('lines');
  // A list of words is joined by commas.
  const query = new URLSearchParams(
    [...rest].map(([name, value]): [string, string] => [name, [value].join()]),
  ).toString();
  const body = Array.isArray(values) ? { body: values.map((value) => `${JSON.stringify(value)}\n`).join('') } : {};
  return { path: query === '' ? own : `${own}?${query}`, ...body };
}

function takesKey({ key }: Spec<unknown>, input: object): boolean {
  return key === true || Object.entries(input).some(([name, value]) => name === key && value === true);
}

/** The value of a complete reply. @throws SyntaxError if a part is missing. */
function parse({ items, text: isText }: Spec<unknown>, body: string, type: string): unknown {
  if (isText || body === '') return isText ? body : undefined;
  if (!type.includes('ndjson') || items === undefined) return JSON.parse(body);
  const values: unknown = JSON.parse(`[${body.trim().replaceAll('\n', ',')}]`);
  const end: unknown = Array.isArray(values) ? values.pop() : undefined;
  if (!isRecord(end) || end['kind'] !== 'end') throw new SyntaxError('The last line is missing.');
  return { ...end, [items]: values };
}

/** The context of an attempt, besides the request. */
interface Attempt {
  spec: Spec<unknown>;
  url: string;
  init: HttpRequest;
  options: AnyOptions;
  timeout: number;
  /** True if a repetition has no second effect. */
  isRepeatable: boolean;
  /** The error of an earlier attempt whose effect is unknown. */
  uncertain: InventoryError | undefined;
}

/** @returns a client of the server at the URL. It sends nothing before the first call. */
export function createClient(client: ClientOptions): Client {
  const base = client.url.replace(/\/+$/, '');
  const {
    user,
    clock = platformClock,
    fetch: send = (url: string, request: HttpRequest) => fetch(url, request),
  } = client;

  async function authorization(): Promise<Record<string, string>> {
    const given = client.password ?? client.key;
    const secret = typeof given === 'function' ? (await given()).trim() : given;
    if (secret === undefined) return {};
    return { Authorization: user === undefined ? `Bearer ${secret}` : `Basic ${base64(`${user}:${secret}`)}` };
  }

  /** @throws InventoryError with the error of the server. */
  function refusal(
    { spec, isRepeatable, uncertain }: Attempt,
    { status: http, headers }: HttpReply,
    body: string,
  ): Failure {
    let error: unknown;
    try {
      error = JSON.parse(body);
    } catch {
      // A proxy may reply in another form.
    }
    const { status, code, message, details, request_id: requestId } = isRecord(error) ? error : {};
    return {
      http,
      status: text(status) ?? 'UNKNOWN',
      code: Number(code ?? 2),
      message: text(message) ?? `The server returned status ${http}.`,
      details: Array.isArray(details) ? details : [],
      requestId: text(requestId) ?? headers.get('X-Request-Id') ?? undefined,
      operation: spec.id,
      // A 429 had no effect.
      retryable: http === 429 || (isRepeatable && http > 501 && http < 505),
      retryAfter: retryAfterOf(headers, clock),
      cause: uncertain,
    };
  }

  async function attempt(one: Attempt): Promise<unknown> {
    const { spec, options, timeout, isRepeatable } = one;
    const { signal } = options;
    const headers = { ...one.init.headers, ...(await authorization()) };
    const controller = new AbortController();
    const stop = () => controller.abort();
    const cancel = clock.after(timeout, stop);
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      const reply = await send(one.url, { ...one.init, headers, signal: controller.signal });
      const { status, headers: received } = reply;
      options.onReply?.({ status, headers: received });
      const sunset = received.get('Sunset');
      if (sunset !== null) client.onSunset?.({ operation: spec.id, sunset, link: received.get('Link') });
      const body = await reply.text();
      // A 304 has no body.
      if (status < 300 || status === 304) return parse(spec, body, received.get('Content-Type') ?? '');
      throw new InventoryError(refusal(one, reply, body));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof InventoryError) throw error;
      const isLate = controller.signal.aborted;
      const { cause = error }: { cause?: unknown } = error instanceof Error ? error : {};
      throw new InventoryError({
        http: 0,
        status: isLate ? 'DEADLINE_EXCEEDED' : 'UNAVAILABLE',
        code: isLate ? 4 : 14,
        message: `${base} did not answer${isLate ? ` within ${timeout} ms` : `: ${String(cause)}`}.`,
        operation: spec.id,
        retryable: isRepeatable,
        cause: one.uncertain ?? error,
      });
    } finally {
      cancel();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** @throws ServerLacks if the server does not know the operation yet. */
  async function checkVersion({ since }: Spec<unknown>, error: InventoryError): Promise<void> {
    if (since === undefined || error.http < 404 || error.http > 405) return;
    // The other version of the reply is that of PMM, for its programs.
    const { build } = await call(versionSpec);
    if (rank(build.version) < rank(since)) throw new ServerLacks(error, since, build.version);
  }

  async function call<Reply>(spec: Spec<Reply>, input?: object, options?: AnyOptions): Promise<Reply>;
  async function call(spec: Spec<unknown>, input: object = {}, options: AnyOptions = {}): Promise<unknown> {
    const { method, id: operation } = spec;
    const { path, body } = requestOf(spec, input);
    const key = takesKey(spec, input) ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const { ifMatch, ifNoneMatch } = options;
    const isRepeatable =
      spec.repeatable === true || key !== undefined || ifMatch !== undefined || !['POST', 'PATCH'].includes(method);
    const init: HttpRequest = {
      method,
      redirect: 'error',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': spec.lines ? 'application/x-ndjson' : 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...(ifMatch === undefined ? {} : { 'If-Match': tag(ifMatch) }),
        ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': tag(ifNoneMatch) }),
        'User-Agent': client.userAgent ?? `monitoring-inventory-client/${VERSION}`,
      },
      ...(body === undefined ? {} : { body }),
    };
    const timeout = options.timeout ?? client.timeout ?? 30_000;
    const attempts = options.attempts ?? client.attempts ?? 4;
    let uncertain: InventoryError | undefined;
    for (let number = 1; ; number += 1) {
      try {
        return await attempt({ spec, url: base + path, init, options, timeout, isRepeatable, uncertain });
      } catch (error) {
        if (!(error instanceof InventoryError)) throw error;
        // The attempt without a reply removed it.
        if (uncertain !== undefined && method === 'DELETE' && error.http === 404) return undefined;
        await checkVersion(spec, error);
        const wait = Math.max(backoff(number), (error.retryAfter ?? 0) * 1000);
        if (!error.retryable || number >= attempts || wait > MAX_WAIT_MS) throw error;
        if (error.http !== 429) uncertain = error;
        client.onRetry?.({ operation, attempt: number, wait, cause: error });
        await pause(wait, options.signal, clock);
        options.signal?.throwIfAborted();
      }
    }
  }

  return { send: call };
}
