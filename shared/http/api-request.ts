import type { PreparedJson } from './prepared-json.ts';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { HttpContract, SuccessStatus } from './http-contract.ts';
import type { Violation } from '../core/errors.ts';
import type { Idempotency } from './idempotency.ts';
import type { Preconditions } from './preconditions.ts';

export type Schema = z.core.$ZodType;

/** The caller of a request. */
export interface Identity {
  kind: string;
  /** The id of the credential. */
  keyId: string;
}

/** The parsed request that a handler receives. */
export interface ApiRequest<
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Caller extends Identity = Identity,
> extends Preconditions {
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
  /** A smaller body for a reply that exceeds the maximum size; undefined if there is none. */
  smallerBody?: () => Body | undefined;
  /** The remedy in words for a reply that exceeds it nevertheless. */
  remedyOfSize?: () => string;
  /** One of the contract's statuses, if there are several. */
  status?: SuccessStatus;
}

type ReplyOf<Reply extends Schema | undefined> = Reply extends Schema
  ? ApiReply<z.input<Reply> | PreparedJson>
  : undefined;

/** The handler of an endpoint, called with a parsed and permitted request. */
export type EndpointHandler<Dependencies, E extends HttpContract, Caller extends Identity = Identity> = (
  request: ApiRequest<E['params'], E['query'], E['body'], Caller>,
  dependencies: Dependencies,
) => Promise<ReplyOf<E['reply']['schema']>>;

/** The event of the gateway, with the caller after its admission. */
export type ApiEvent<Caller extends Identity = Identity> = APIGatewayProxyEvent & { caller?: Caller | undefined };

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
