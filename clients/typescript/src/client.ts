import { type Clock, platformClock } from './clock.ts';
import { type Failure, InventoryError } from './error.ts';
import { VERSION } from './generated/version.ts';
import type { Client, Spec } from './operation.ts';
import type { AnyOptions, ClientOptions, HttpReply, HttpRequest, Match } from './options.ts';
import { addressOf, isPassing, keyOf, permanentReason, reasonOf } from './permanent.ts';
import { backoff, pause } from './wait.ts';

/** Longer waits are left to the caller, which reads `retryAfter`. */
const MAX_WAIT_MS = 60_000;

const tag = (match: Match | undefined) => (typeof match === 'number' ? `"${match}"` : match);

const isRecord = (value: unknown): value is Record<string, unknown> => value instanceof Object;

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The fields that have a value. */
const defined = <Value>(fields: Record<string, Value | undefined>): [string, Value][] =>
  Object.entries(fields).filter((field): field is [string, Value] => field[1] !== undefined);

/** In seconds; undefined without the header. */
function retryAfterOf(headers: HttpReply['headers'], { now }: Clock): number | undefined {
  const value = headers.get('Retry-After');
  if (!value) return undefined;
  const seconds = Number(value);
  return isNaN(seconds) ? Math.max(0, (Date.parse(value) - now()) / 1000) || 0 : seconds;
}

const base64 = (value: string) => btoa(String.fromCharCode(...new TextEncoder().encode(value)));

async function authorization({ user, password, key }: ClientOptions): Promise<Record<string, string>> {
  const given = password ?? key;
  const secret = typeof given === 'function' ? (await given()).trim() : given;
  if (secret === undefined) return {};
  return { Authorization: user === undefined ? `Bearer ${keyOf(secret)}` : `Basic ${base64(`${user}:${secret}`)}` };
}

/** @param fields the input, from which the parts of the path are taken. */
function pathOf({ path }: Spec<unknown>, fields: Map<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields.get(name);
    // Without this check a removal of `/v1/nodes/undefined` would be sent.
    if (typeof value !== 'string' || !value) throw new TypeError(`${name} is missing`);
    fields.delete(name);
    return encodeURIComponent(value);
  });
}

/** @param fields the rest of the input, from which the fields of the body are taken. */
function bodyOf({ method, lines, bare }: Spec<unknown>, fields: Map<string, unknown>): string | undefined {
  if (lines) return lines(fields);
  if (bare || !method.startsWith('P')) return undefined;
  const body = JSON.stringify(Object.fromEntries(fields));
  fields.clear();
  return body;
}

/** @param fields the rest of the input. A list of words is joined by commas. */
function queryOf(fields: Map<string, unknown>): string {
  const query = new URLSearchParams([...fields].map(([name, value]): [string, string] => [name, [value].join()]));
  return fields.size > 0 ? `?${query}` : '';
}

/** @returns a client of the server at the URL. It sends nothing before the first call. @throws InventoryError if the URL is wrong. */
export function createClient(client: ClientOptions): Client {
  const { clock = platformClock, fetch: send = (url: string, request: HttpRequest) => fetch(url, request) } = client;
  const base = addressOf(client.url);

  async function call<Reply>(spec: Spec<Reply>, input?: object, options?: AnyOptions): Promise<Reply>;
  async function call(spec: Spec<unknown>, input: object = {}, options: AnyOptions = {}): Promise<unknown> {
    const { method, id: operation } = spec;
    const { ifMatch, ifNoneMatch, signal } = options;
    const fields = new Map<string, unknown>(defined({ ...input }));
    const takesKey = spec.key === true || fields.get(spec.key ?? '') === true;
    const key = takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isRepeatable = spec.repeatable ?? (key !== undefined || ifMatch !== undefined || !/POST|PATCH/.test(method));
    const path = pathOf(spec, fields);
    const body = bodyOf(spec, fields);
    const url = base + path + queryOf(fields);
    const headers = Object.fromEntries(
      defined({
        'Content-Type': body === undefined ? body : `application/${spec.lines ? 'x-ndjson' : 'json'}`,
        'Idempotency-Key': key,
        'If-Match': tag(ifMatch),
        'If-None-Match': tag(ifNoneMatch),
        'User-Agent': client.userAgent ?? `monitoring-inventory-client/${VERSION}`,
      }),
    );
    const timeout = options.timeout ?? client.timeout ?? 30_000;
    const attempts = options.attempts ?? client.attempts ?? 4;
    /** The error of an earlier attempt whose effect is unknown. */
    let uncertain: InventoryError | undefined;

    const failure = (what: string, more: Partial<Failure>) =>
      new InventoryError({ message: `${base} ${what}.`, operation, ...more });

    /** The error that the server replied. */
    function refusal({ status: http, headers: received }: HttpReply, reply: string): InventoryError {
      let error: unknown;
      try {
        error = JSON.parse(reply);
      } catch {
        // A proxy may reply in another form.
      }
      const { status, code, message, details, request_id: requestId } = isRecord(error) ? error : {};
      return new InventoryError({
        http,
        status: text(status) ?? 'UNKNOWN',
        code: Number(code ?? 2),
        message: text(message) ?? `The server returned status ${http}.`,
        details: Array.isArray(details) ? details : [],
        requestId: text(requestId) ?? received.get('X-Request-Id') ?? undefined,
        operation,
        retryable: isPassing(http, isRepeatable),
        retryAfter: retryAfterOf(received, clock),
        cause: uncertain,
      });
    }

    async function attempt(): Promise<unknown> {
      const credentials = await authorization(client);
      const controller = new AbortController();
      const stop = () => controller.abort();
      const cancel = clock.after(timeout, stop);
      signal?.addEventListener('abort', stop);
      let type: string | undefined;
      try {
        signal?.throwIfAborted();
        const reply = await send(url, {
          method,
          redirect: 'manual',
          headers: { ...headers, ...credentials },
          ...(body === undefined ? body : { body }),
          signal: controller.signal,
        });
        const { status, headers: received } = reply;
        options.onReply?.({ status, headers: received });
        const sunset = received.get('Sunset');
        if (sunset) client.onSunset?.({ operation, sunset, link: received.get('Link') });
        const content = await reply.text();
        if (status > 399) throw refusal(reply, content);
        // A 304 has no body. Browsers hide a redirect behind the status 0.
        if (!/^2|304/.test(`${status}`))
          throw failure(`redirects to ${received.get('Location') ?? 'another'}: correct the URL`, { cause: uncertain });
        type = received.get('Content-Type') ?? '';
        return spec.text ? content : content === '' ? undefined : (spec.read ?? JSON.parse)(content);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof InventoryError) throw error;
        const isLate = controller.signal.aborted;
        const reason = reasonOf(error);
        const why = permanentReason(reason, type);
        const cause = uncertain ?? error;
        if (why) throw failure(why, { cause });
        throw failure(`did not answer${isLate ? ` within ${timeout} ms` : `: ${reason}`}`, {
          status: isLate ? 'DEADLINE_EXCEEDED' : 'UNAVAILABLE',
          code: isLate ? 4 : 14,
          retryable: isRepeatable,
          cause,
        });
      } finally {
        cancel();
        signal?.removeEventListener('abort', stop);
      }
    }

    for (let number = 1; ; number += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof InventoryError)) throw error;
        // The attempt without a reply removed it.
        if (uncertain && method === 'DELETE' && error.http === 404) return undefined;
        await spec.since?.(error, call);
        const wait = Math.max(backoff(number), (error.retryAfter ?? 0) * 1000);
        if (!error.retryable || number >= attempts || wait > MAX_WAIT_MS) throw error;
        if (error.http !== 429) uncertain = error;
        client.onRetry?.({ operation, attempt: number, wait, cause: error });
        await pause(wait, signal, clock);
        signal?.throwIfAborted();
      }
    }
  }

  return { send: call };
}
