import type { PreparedJson } from './prepared-json.ts';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Caller } from './caller.ts';
import type { Endpoint, SuccessStatus } from './endpoint.ts';
import type { Violation } from '../core/errors.ts';
import type { Idempotency } from './idempotency.ts';
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

export type ApiEvent = APIGatewayProxyEvent & { caller?: Caller | undefined };

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
