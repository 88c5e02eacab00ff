import { isUtf8 } from 'node:buffer';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { redact } from '../auth/redact.ts';
import { refusalMessages } from '../auth/refusal-messages.ts';
import { roleAllows } from '../auth/roles.ts';
import { type Caller, callerFromContext } from './caller.ts';
import { fitLambdaLimit } from './carry.ts';
import { inTime } from './deadline.ts';
import { deprecationHeaders } from './deprecation.ts';
import {
  bodyFormatOf,
  commonErrors,
  type Endpoint,
  maxBodyBytesOf,
  replyFormatOf,
  type SuccessStatus,
  successStatuses,
  takesBody,
} from './endpoint.ts';
import { ApiError, errorBody, invalidRequest, type Violation } from './errors.ts';
import { bodyTooLarge } from './body-too-large.ts';
import { isDeclaredAs } from './content-type.ts';
import { digestTag, etag, matches, namesTag, parseRevisions } from './etag.ts';
import { mediaTypes } from './format.ts';
import { apiHeaders } from './gateway-responses.ts';
import { type Idempotency, idempotencyKeyIn, idempotencyOf } from './idempotency.ts';
import { wrongInJsonText } from './json-text.ts';
import { linesToList, toLines } from './lines.ts';
import { describeError, type Log } from './log.ts';
import { notEncoded } from './not-encoded.ts';
import { pathParametersOf } from './path-parameters.ts';
import { type Preconditions, preconditionsIn } from './preconditions.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { projectFields } from './sparse.ts';
import { SupersededSecret } from './superseded-secret.ts';
import { violations } from './violations.ts';

type Schema = z.core.$ZodType;

export const MAX_NESTING = 32;

/** With the authorizer's 5 s and a cold start this is less than the 29 s after which API Gateway times out. */
const DEADLINE_MS = 22_000;

/**
 * For the write that counts a request, in addition to the deadline. If it fails, the request is refused, as without a
 * table.
 */
const RATE_LIMIT_MS = 1500;

/** For the write that counts a refusal. If it is not finished by then, the count is written with the next one. */
const NOTE_REFUSAL_MS = 500;

/** The parsed request that a handler receives. */
export interface ApiRequest<Params extends Schema, Query extends Schema, Body extends Schema> extends Preconditions {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  /** The caller; throws `unauthenticated` on an endpoint without credentials. */
  caller: () => Caller;
  /** The Idempotency-Key, for an endpoint that supports it. */
  idempotency: Idempotency | undefined;
  requestId: string;
  /** The source address, as the gateway saw it: that of the caller, or of a proxy before the gateway. */
  sourceIp: string;
}

export interface ApiReply<Body> {
  body: Body;
  location?: string;
  /** One of the contract's statuses, if there are several. */
  status?: SuccessStatus;
}

type ReplyOf<Reply extends Schema | undefined> = Reply extends Schema ? ApiReply<z.input<Reply>> : undefined;

/** The handler of an endpoint, called with a parsed and permitted request. */
export type Behaviour<Services, E extends Endpoint> = (
  request: ApiRequest<E['params'], E['query'], E['body']>,
  services: Services,
) => Promise<ReplyOf<E['reply']['schema']>>;

/**
 * Takes the cost of a request from the rate limit of a key in the present minute, entirely or not at all.
 *
 * @returns seconds to wait when too few requests are left; undefined when the cost was taken.
 */
export type ConsumeRateLimit = (
  keyId: string,
  limits: { ratePerMinute: number; cost: number },
) => Promise<number | undefined>;

/**
 * Why a request is refused because of its caller: the key has expired (`expired`), the credential has ended although
 * the gateway still accepted it (`credential`) or was superseded and may not rotate (`superseded`), the role or kind
 * may not call the endpoint (`role`) or not for this object (`object`), too many requests (`rate`), or an unknown
 * enrolment token (`token`).
 */
export type RefusalCause = 'expired' | 'credential' | 'superseded' | 'role' | 'object' | 'rate' | 'token';

/** A request that was refused because of its caller. */
export interface RefusedCall {
  endpoint: Endpoint;
  /** Undefined on an endpoint without credentials. */
  caller: Caller | undefined;
  cause: RefusalCause;
  sourceIp: string;
  requestId: string;
}

/** Counts a refusal; never throws, and takes at most `milliseconds`. */
export type NoteRefusal = (call: RefusedCall, milliseconds: number) => Promise<void>;

export interface PipelineDependencies {
  clock: () => Date;
  log: Log;
  consumeRateLimit: ConsumeRateLimit;
  noteRefusal: NoteRefusal;
}

type ApiEvent = APIGatewayProxyEvent & { caller?: Caller | undefined; refusedFor?: RefusalCause };

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Fails closed: without the authorizer's context the call is refused, even when the gateway let it through. */
function identify(event: APIGatewayProxyEvent): Caller {
  const caller = callerFromContext(event.requestContext.authorizer);
  if (caller === undefined) throw new ApiError('unauthenticated', refusalMessages.missing);
  return caller;
}

function textOf({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString();
}

/** The cost of the request: one, unless the body is valid JSON and the contract states a higher cost for it. */
function costOf({ cost }: Endpoint, event: ApiEvent): number {
  if (cost === undefined) return 1;
  try {
    return Math.max(1, cost(JSON.parse(textOf(event))));
  } catch {
    return 1;
  }
}

/**
 * Counted here rather than by the authorizer, whose replies the gateway caches. Only a key with a limit costs a write.
 */
async function enforceRateLimit(
  endpoint: Endpoint,
  event: ApiEvent,
  { caller: { keyId, ratePerMinute }, consumeRateLimit }: { caller: Caller; consumeRateLimit: ConsumeRateLimit },
): Promise<void> {
  if (ratePerMinute === undefined) return;
  const cost = costOf(endpoint, event);
  if (cost > ratePerMinute) {
    const message = `This request counts as ${cost} requests, but this key is limited to ${ratePerMinute} requests per minute. Send a smaller request.`;
    throw new ApiError('invalidArgument', message);
  }
  const seconds = await inTime(RATE_LIMIT_MS, () => consumeRateLimit(keyId, { ratePerMinute, cost }));
  if (seconds === undefined) return;
  const share = cost === 1 ? '' : `, and this request counts as ${cost}`;
  throw new ApiError(
    'resourceExhausted',
    `This key is limited to ${ratePerMinute} requests per minute${share}. Try again.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  );
}

function mayCall({ role, kind }: Caller, endpoint: Endpoint): boolean {
  if (endpoint.role === 'none') return true;
  if (endpoint.callers?.includes(kind) === false) return false;
  return role === 'Registrar' ? endpoint.scoped === true : roleAllows(role, endpoint.role);
}

/** Checks the caller: expiry, rate limit, role. */
async function admit(
  endpoint: Endpoint,
  event: ApiEvent,
  { clock, consumeRateLimit }: PipelineDependencies,
): Promise<void> {
  const caller = identify(event);
  event.caller = caller;
  // The gateway may have cached the authorizer's reply beyond the expiry of the key.
  event.refusedFor = 'expired';
  if (caller.expiresAt !== undefined && caller.expiresAt * 1000 <= clock().getTime())
    throw new ApiError('unauthenticated', refusalMessages.expired);
  event.refusedFor = 'rate';
  await enforceRateLimit(endpoint, event, { caller, consumeRateLimit });
  event.refusedFor = 'role';
  if (!mayCall(caller, endpoint)) throw new ApiError('permissionDenied', 'Access denied.');
  delete event.refusedFor;
}

const refusedWith: ReadonlySet<string> = new Set(['unauthenticated', 'permissionDenied', 'resourceExhausted']);

/**
 * Undefined for an error of the request itself. A call without credentials is no attempt; one with an enrolment token
 * is.
 */
function causeOf({ role }: Endpoint, { refusedFor }: ApiEvent, error: ApiError): RefusalCause | undefined {
  const { kind } = error;
  // The write that counts the calls of a key may fail, too.
  if (refusedFor !== undefined) return refusedWith.has(kind) ? refusedFor : undefined;
  if (error instanceof SupersededSecret) return 'superseded';
  if (kind === 'permissionDenied') return 'object';
  if (kind !== 'unauthenticated') return undefined;
  return role === 'none' ? 'token' : 'credential';
}

function checkBody(endpoint: Endpoint, event: APIGatewayProxyEvent): void {
  const encoding = event.isBase64Encoded ? 'base64' : 'utf8';
  const bytes = Buffer.byteLength(event.body ?? '', encoding);
  const most = maxBodyBytesOf(endpoint);
  if (bytes > most) throw bodyTooLarge(endpoint);
  if (bytes === 0) throw invalidRequest([{ field: '', reason: 'required', message: 'A JSON body is required.' }]);
  checkContentType(endpoint, event);
  // Decoding would replace invalid UTF-8, and the stored text would differ from the one that was sent.
  if (!isUtf8(Buffer.from(event.body ?? '', encoding)))
    throw invalidRequest([{ field: '', reason: 'malformed_json', message: 'The body is not valid UTF-8.' }]);
}

/** A gateway that decodes invalid UTF-8 inserts this character. */
const REPLACEMENT = '\u{fffd}';

/**
 * Query parameters as an object, and their violations. A repeated parameter is a violation, because its value is
 * ambiguous.
 */
function queryOf(event: APIGatewayProxyEvent): { query: Record<string, string>; wrong: Violation[] } {
  const query: Record<string, string> = {};
  const wrong: Violation[] = [];
  for (const [field, values = []] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if ([field, ...values].some((text) => text.includes(REPLACEMENT))) wrong.push(notEncoded(field));
    if (values.length > 1) wrong.push({ field, reason: 'duplicate', message: 'Given more than once.' });
    Object.defineProperty(query, field, { value: values.at(-1), enumerable: true });
  }
  return { query, wrong };
}

function parse<Params extends Schema, Query extends Schema, Body extends Schema>(
  endpoint: Endpoint<Params, Query, Body>,
  event: ApiEvent,
): ApiRequest<Params, Query, Body> {
  const { query: rawQuery, wrong: wrongQuery } = queryOf(event);
  const rawBody: unknown = takesBody(endpoint) ? event.body : undefined;
  const rawParams = pathParametersOf(endpoint.path, event);
  const { key, wrong: wrongKey } = idempotencyKeyIn(endpoint, event);
  const { wrong: wrongPreconditions, ...preconditions } = preconditionsIn(endpoint, event);
  const wrong = [...wrongKey, ...wrongPreconditions, ...wrongQuery];
  const params = z.safeParse(endpoint.params, rawParams);
  const query = z.safeParse(endpoint.query, rawQuery);
  const body = z.safeParse(endpoint.body, rawBody);
  if (!params.success || !query.success || !body.success || wrong.length > 0)
    throw invalidRequest([
      ...wrong,
      ...(params.success ? [] : violations(params.error.issues, rawParams)),
      ...(query.success ? [] : violations(query.error.issues, rawQuery)),
      ...(body.success ? [] : violations(body.error.issues, rawBody, endpoint)),
    ]);
  const caller = () => {
    if (event.caller === undefined) throw new ApiError('unauthenticated', refusalMessages.missing);
    return event.caller;
  };
  return {
    params: params.data,
    query: query.data,
    body: body.data,
    caller,
    ...preconditions,
    idempotency:
      key === undefined
        ? undefined
        : idempotencyOf(endpoint, { key, callerId: caller().keyId, params: rawParams, query: rawQuery, body: rawBody }),
    requestId: requestIdOf(event),
    sourceIp: event.requestContext.identity.sourceIp,
  };
}

const revisionSchema = z.object({ revision: z.int() });

/** Headers on every reply of an endpoint, also of an error. */
function standingHeaders({ deprecated }: Endpoint, event: ApiEvent): Record<string, string> {
  return {
    ...apiHeaders,
    [REQUEST_ID_HEADER]: requestIdOf(event),
    ...(deprecated === undefined ? {} : deprecationHeaders(deprecated)),
  };
}

function withoutContentType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Type'));
}

function statusOf(endpoint: Endpoint, { status }: ApiReply<unknown>): number {
  const declared = successStatuses(endpoint);
  const [first, ...others] = declared;
  const own = status ?? (others.length === 0 ? first : undefined);
  if (own === undefined || !declared.includes(own)) throw new Error('a reply without a status of its contract');
  return own;
}

function unchanged(headers: Record<string, string>): APIGatewayProxyResult {
  return { statusCode: 304, headers: withoutContentType(headers), body: '' };
}

function render(
  endpoint: Endpoint,
  event: ApiEvent,
  query: unknown,
  reply: ApiReply<unknown> | undefined,
): APIGatewayProxyResult {
  const headers = standingHeaders(endpoint, event);
  if (endpoint.reply.schema === undefined || reply === undefined) {
    return { statusCode: 204, headers: withoutContentType(headers), body: '' };
  }
  // Replies are validated too: a field that the contract does not contain is never returned.
  const body = z.parse(endpoint.reply.schema, reply.body);
  if (reply.location !== undefined) headers['Location'] = reply.location;
  if (endpoint.versioned === true) {
    const { revision } = z.parse(revisionSchema, body);
    headers['ETag'] = etag(revision);
    const known = endpoint.method === 'GET' ? parseRevisions(event.headers['if-none-match'], 'weak') : undefined;
    if (known !== undefined && matches(known, revision)) return unchanged(headers);
  }
  const statusCode = statusOf(endpoint, reply);
  if (replyFormatOf(endpoint) === 'ndjson') {
    headers['Content-Type'] = mediaTypes.ndjson;
    const lines = toLines(z.parse(z.array(z.unknown()), body));
    return fitLambdaLimit({ statusCode, headers, body: lines }, event.headers['accept-encoding']);
  }
  const shown = endpoint.sparse === undefined ? body : projectFields(body, query, endpoint.sparse);
  const text = JSON.stringify(shown);
  if (endpoint.digested === true) {
    headers['ETag'] = digestTag(text);
    if (namesTag(event.headers['if-none-match'], headers['ETag'])) return unchanged(headers);
  }
  return fitLambdaLimit({ statusCode, headers, body: text }, event.headers['accept-encoding']);
}

const middyErrorSchema = z.object({ statusCode: z.int() });

function unsupportedMediaType(endpoint: Endpoint): ApiError {
  const type = mediaTypes[bodyFormatOf(endpoint)];
  return new ApiError('unsupportedMediaType', `Send the body as ${type}, in UTF-8 and not compressed.`);
}

/** Refuses a body that would be interpreted differently than its client intends. */
function checkContentType(endpoint: Endpoint, { headers }: APIGatewayProxyEvent): void {
  const declared = { contentType: headers['content-type'], contentEncoding: headers['content-encoding'] };
  if (!isDeclaredAs(acceptedTypes(endpoint), declared)) throw unsupportedMediaType(endpoint);
}

/** PATCH also accepts the media type of RFC 7396. */
function acceptedTypes(endpoint: Endpoint): string[] {
  const type = mediaTypes[bodyFormatOf(endpoint)];
  return endpoint.method === 'PATCH' && type === mediaTypes.json ? [type, 'application/merge-patch+json'] : [type];
}

const notJson = () => invalidRequest([{ field: '', reason: 'malformed_json', message: 'The body is not valid JSON.' }]);

/** Refuses JSON that the parser of the next step would accept silently or report in other words. */
function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw notJson();
  }
  const wrong = wrongInJsonText(text, { maxNesting: MAX_NESTING });
  if (wrong.length > 0) throw invalidRequest(wrong);
}

/** Converts lines to one JSON list, and validates the JSON text for the parser of the next step. */
function prepareBody(endpoint: Endpoint, event: APIGatewayProxyEvent): void {
  checkBody(endpoint, event);
  const text = textOf(event);
  event.body = bodyFormatOf(endpoint) === 'ndjson' ? linesToList(text) : text;
  event.isBase64Encoded = false;
  checkJson(event.body);
}

/** Our own errors are unchanged, those of the body parser get our message, all others are faults of the service. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { data } = z.safeParse(middyErrorSchema, error);
  if (data?.statusCode === 422) return notJson();
  return new ApiError('internal', 'Internal server error.', { cause: error });
}

/**
 * The Lambda handler of an endpoint: converts a proxy event to a proxy result, and calls the handler with the parsed
 * request.
 */
export function createHandler<
  Services extends PipelineDependencies,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Reply extends Schema,
>(
  endpoint: Endpoint<Params, Query, Body, Reply>,
  behaviour: Behaviour<Services, Endpoint<Params, Query, Body, Reply>>,
  services: () => Services,
): LambdaHandler {
  const declared = new Set([...commonErrors(endpoint), ...endpoint.errors]);

  const logged = (event: ApiEvent, status: number, error?: ApiError) => {
    const { log } = services();
    const isUndeclared = error !== undefined && error.kind !== 'internal' && !declared.has(error.kind);
    const isError = isUndeclared || error?.kind === 'internal' || error?.fault !== undefined;
    log({
      level: isError ? 'error' : 'info',
      message: isUndeclared ? 'an error that the contract does not declare' : 'request',
      endpoint: endpoint.id,
      request_id: requestIdOf(event),
      status,
      caller_kind: event.caller?.kind,
      caller_id: event.caller?.keyId,
      error: error?.kind,
      fault: error?.fault,
      cause: error !== undefined && (isError || error.kind === 'unavailable') ? describeError(error) : undefined,
    });
  };

  const handler = middy<ApiEvent, APIGatewayProxyResult>(async (event: ApiEvent) => {
    const request = parse(endpoint, event);
    const reply = await inTime(DEADLINE_MS, () => behaviour(request, services()));
    const result = render(endpoint, event, request.query, reply);
    logged(event, result.statusCode);
    return result;
  });

  handler.use(httpErrorHandler({ logger: false }));
  handler.onError(async (request) => {
    const error = toApiError(request.error);
    const { event } = request;
    logged(event, error.httpStatus, error);
    const cause = causeOf(endpoint, event, error);
    const { sourceIp } = event.requestContext.identity;
    if (cause !== undefined)
      await services().noteRefusal(
        { endpoint, caller: event.caller, cause, sourceIp, requestId: requestIdOf(event) },
        NOTE_REFUSAL_MS,
      );
    const body = errorBody(error.kind, error.message, requestIdOf(request.event), error.details);
    // The error handler makes the response from these four fields.
    request.error = Object.assign(new Error(redact(JSON.stringify(body))), {
      statusCode: error.httpStatus,
      expose: true,
      headers: { ...standingHeaders(endpoint, event), ...error.headers },
    });
  });
  handler.before(async ({ event }) => {
    event.headers = Object.fromEntries(
      Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    if (endpoint.role !== 'none') await admit(endpoint, event, services());
    if (takesBody(endpoint)) prepareBody(endpoint, event);
  });
  if (takesBody(endpoint)) handler.use(httpJsonBodyParser({ disableContentTypeCheck: true }));
  return (event, context) => handler(event, context);
}
