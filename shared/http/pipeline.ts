import middy, { type MiddlewareObj } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { inTime } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import type { ClockSource } from '../core/monotonic-clock.ts';
import type { ApiEvent, Identity, LambdaHandler } from './api-request.ts';
import type { HttpContract } from './http-contract.ts';

/** With the authorizer's 5 s and a cold start this is less than the 29 s after which API Gateway times out. */
export const DEADLINE_MS = 22_000;

/** A call that a function serves. */
export interface ServedCall {
  contract: HttpContract;
}

/** A request as the middleware sees it, with the names of its headers in lower case. */
export type CallEvent<Call extends ServedCall = ServedCall, Caller extends Identity = Identity> = ApiEvent<Caller> & {
  call: Call;
  isRoutine?: boolean;
};

export type Middleware<Call extends ServedCall = ServedCall, Caller extends Identity = Identity> = MiddlewareObj<
  CallEvent<Call, Caller>,
  APIGatewayProxyResult
>;

/** The wire format of calls: it reads requests, and writes replies and errors. */
export interface Codec<Call extends ServedCall, Request, Reply, Caller extends Identity = Identity> {
  /** Replaces the body of an admitted request by its value. Default: the body stays as the gateway passes it on. */
  readBody?: readonly Middleware<Call, Caller>[];
  /** @param body the value of the body. @throws ApiError for a request that violates the contract. */
  parse: (call: Call, event: ApiEvent<Caller>, body: unknown) => Request;
  render: (call: Call, event: ApiEvent, reply: Reply) => APIGatewayProxyResult;
  renderError: (call: Call, event: ApiEvent, error: ApiError) => APIGatewayProxyResult;
  /** Whether the log has no line about the reply, because every host gets it every few minutes. */
  isRoutine?: (reply: Reply) => boolean;
}

/** The calls of a function, their wire format, and their work. */
export interface CallTable<Call extends ServedCall, Request, Reply, Dependencies, Caller extends Identity = Identity> {
  /** The call of a request; never throws. The contract of an unknown call says which callers may know that. */
  callOf: (event: ApiEvent) => Call;
  codec: Codec<Call, Request, Reply, Caller>;
  handle: (request: Request, dependencies: Dependencies) => Promise<Reply>;
  /** Whether a request changes nothing although its method is no GET. */
  changesNothing?: (request: Request) => boolean;
}

/** Any error as one of ours. An error that is none is a fault of the service. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('internal', 'Internal server error.', { cause: error });
}

/** An error in the form from which `http-error-handler` makes its reply. It needs no stack of its own. */
class RenderedError implements Error {
  readonly name = 'RenderedError';
  readonly expose = true;
  readonly message: string;
  readonly statusCode: number;
  readonly headers: APIGatewayProxyResult['headers'];
  readonly isBase64Encoded: boolean;
  readonly source: ApiError;

  constructor({ statusCode, headers, body, isBase64Encoded = false }: APIGatewayProxyResult, source: ApiError) {
    this.message = body;
    this.statusCode = statusCode;
    this.headers = headers;
    this.isBase64Encoded = isBase64Encoded;
    this.source = source;
  }
}

/** Makes the reply of each error, which the other middleware sees. Errors pass these from the last to the first. */
const errorReplies = <Call extends ServedCall, Caller extends Identity>(
  renderError: Codec<Call, never, never>['renderError'],
): Middleware<Call, Caller>[] => [
  {
    onError: (request) => {
      const { error, response } = request;
      if (!(error instanceof RenderedError)) return;
      request.error = error.source;
      // `http-error-handler` writes replies of text only.
      if (error.isBase64Encoded) Object.assign(response ?? {}, { isBase64Encoded: true });
    },
  },
  httpErrorHandler({ logger: false }),
  {
    onError: (request) => {
      const { event, error } = request;
      const apiError = toApiError(error);
      request.error = new RenderedError(renderError(event.call, event, apiError), apiError);
    },
  },
];

function inLowerCase(headers: APIGatewayProxyEvent['headers']): APIGatewayProxyEvent['headers'] {
  const lower: APIGatewayProxyEvent['headers'] = {};
  for (const name in headers) lower[name.toLowerCase()] = headers[name];
  return lower;
}

/** DEADLINE_MS ends a request earlier than a timer of middy would: it would only cost time. */
const withoutTimeout = { timeoutEarlyInMillis: 0 };

/**
 * The Lambda handler of calls: converts a proxy event to a proxy result.
 *
 * @param middleware in the order of requests; errors pass it in the other order.
 * @param timed its clock measures the time of a request.
 */
export function createPipeline<Call extends ServedCall, Request, Reply, Dependencies, Caller extends Identity>(
  { callOf, codec, handle, changesNothing }: CallTable<Call, Request, Reply, Dependencies, Caller>,
  middleware: readonly Middleware<Call, Caller>[],
  dependencies: () => Dependencies,
  timed: () => ClockSource = () => ({}),
): LambdaHandler {
  const { readBody = [], renderError } = codec;
  const pipeline = middy<CallEvent<Call, Caller>, APIGatewayProxyResult>(async (event: CallEvent<Call, Caller>) => {
    const request = codec.parse(event.call, event, event.body);
    const isRead = event.call.contract.method === 'GET' || changesNothing?.(request) === true;
    const reply = await inTime(timed(), DEADLINE_MS, () => handle(request, dependencies()), isRead);
    event.isRoutine = codec.isRoutine?.(reply) === true;
    return codec.render(event.call, event, reply);
  }, withoutTimeout).use([...middleware, ...errorReplies<Call, Caller>(renderError), ...readBody]);
  return (event, context) => {
    event.headers = inLowerCase(event.headers);
    return pipeline(Object.assign(event, { call: callOf(event) }), context);
  };
}
