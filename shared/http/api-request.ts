import type { PreparedJson } from './prepared-json.ts';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Caller } from './caller.ts';
import type { Endpoint, SuccessStatus } from './endpoint.ts';
import type { Violation } from '../core/errors.ts';
import type { Idempotency } from './idempotency.ts';
import type { Log } from '../core/log.ts';
import type { Preconditions } from './preconditions.ts';

export type Schema = z.core.$ZodType;

/** The parsed request that a handler receives. */
export interface ApiRequest<Params extends Schema, Query extends Schema, Body extends Schema> extends Preconditions {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  /** The invalid items of the `itemwise` list, by their index in the request. `body` contains the others, in order. */
  invalidItems: ReadonlyMap<number, readonly Violation[]>;
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
  /** A reply of which the log has no line, because every host gets it every few minutes. */
  isRoutine?: boolean;
  /** One of the contract's statuses, if there are several. */
  status?: SuccessStatus;
}

type ReplyOf<Reply extends Schema | undefined> = Reply extends Schema
  ? ApiReply<z.input<Reply> | PreparedJson>
  : undefined;

/** The handler of an endpoint, called with a parsed and permitted request. */
export type EndpointHandler<Dependencies, E extends Endpoint> = (
  request: ApiRequest<E['params'], E['query'], E['body']>,
  dependencies: Dependencies,
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

export type ApiEvent = APIGatewayProxyEvent & { caller?: Caller | undefined; refusedFor?: RefusalCause | undefined };

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
