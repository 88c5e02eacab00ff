import { type ClockSource, clockOf } from '../../shared/core/monotonic-clock.ts';
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Authorizer } from '../../functions/triggers/authorizer/handler.ts';
import type { Endpoint, Facade } from '../../functions/contract/endpoint.ts';
import { takesBody } from '../../shared/http/http-contract.ts';
import { TableFault } from '../../shared/db/table-fault.ts';
import { ApiError, faultOf } from '../../shared/core/errors.ts';
import { errorReply } from '../../shared/http/error-reply.ts';
import { type GatewayResponseType, renderGatewayResponse } from '../../shared/http/gateway-responses.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import type { LambdaHandler } from '../../shared/http/api-request.ts';
import { createRouter, facadeOf } from '../../shared/http/router.ts';
import { lambdaContext } from './lambda-context.ts';
import { authorizerEvent, pathOf, proxyEvent, type WireRequest, withBody } from './proxy-event.ts';
import type { ReadBody } from './request-body.ts';

/** API Gateway's limit for an integration. */
const INTEGRATION_TIMEOUT_MS = 29_000;

export interface Functions extends ClockSource {
  endpoints: readonly Endpoint[];
  /** Functions that serve the paths that no endpoint has. */
  facades: readonly Facade[];
  handlers: ReadonlyMap<string, LambdaHandler>;
  authorizer: Authorizer;
  catchAll: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
  log: Log;
}

export interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  /** Bytes if the function has compressed the body. */
  body: string | Buffer;
}

function answerOf({ statusCode, headers = {}, body, isBase64Encoded }: APIGatewayProxyResult): Answer {
  return {
    statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: isBase64Encoded === true ? Buffer.from(body, 'base64') : body,
  };
}

function withHeaders(answer: Answer, headers: Record<string, string>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

class Timeout extends Error {}

function inTime<T>(timed: ClockSource, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Timeout('integration timeout'));
    const cancel = clockOf(timed).after(INTEGRATION_TIMEOUT_MS, late);
    work.then(resolve, reject).finally(cancel);
  });
}

/** A request whose body is read only if an endpoint with a body is called. */
export interface GatewayRequest extends Omit<WireRequest, 'body'> {
  body: string | ReadBody;
}

export type Gateway = (request: GatewayRequest) => Promise<Answer>;

/**
 * A local replacement of API Gateway: routes the request, calls the authorizer, reads the body, calls the function. Its
 * own replies are from the same table as in the cloud.
 */
export function createGateway(functions: Functions): Gateway {
  const { endpoints, facades, handlers, authorizer, catchAll, log } = functions;
  const route = createRouter(endpoints);

  return async (request) => {
    const requestId = randomUUID();
    const gatewayResponse = (type: GatewayResponseType, context: Record<string, string> = {}) =>
      renderGatewayResponse(type, { extendedRequestId: requestId, ...context });
    const match = route(request.method, pathOf(request.url));
    const endpoint = match.kind === 'endpoint' ? match.endpoint : undefined;
    const facadeRoute = match.kind === 'unknown' ? facadeOf(facades, pathOf(request.url), request.method) : undefined;
    const called = endpoint ?? facadeRoute?.facade;
    const { body } = request;
    const event = proxyEvent(
      { ...request, body: '' },
      {
        requestId,
        resource: endpoint?.path ?? facadeRoute?.template ?? '/{proxy+}',
        params: match.kind === 'endpoint' ? match.params : {},
        authorizer: undefined,
      },
    );

    if (called?.role !== 'none') {
      // The header is the identity source: without it the gateway does not call the authorizer.
      const present = Object.keys(event.headers).some((name) => name.toLowerCase() === 'authorization');
      if (!present) return gatewayResponse('UNAUTHORIZED');
      try {
        const { policyDocument, context } = await inTime(functions, authorizer(authorizerEvent(event)));
        if (policyDocument.Statement[0]?.Effect !== 'Allow')
          return gatewayResponse('ACCESS_DENIED', { 'authorizer.message': String(context?.['message']) });
        event.requestContext.authorizer = { ...context };
      } catch (error) {
        // The deployed gateway throttles; the local server limits password checks instead (password-check.ts).
        if (error instanceof ApiError && error.kind === 'resourceExhausted')
          return withHeaders(gatewayResponse('THROTTLED'), error.headers);
        log({
          level: 'error',
          message: 'authorizer failed',
          request_id: requestId,
          fault: faultOf(error),
          cause: describeError(error),
        });
        // The deployed gateway has one message for all of them.
        return error instanceof TableFault ? errorReply(error, requestId) : gatewayResponse('AUTHORIZER_FAILURE');
      }
    }

    if (facadeRoute !== undefined || (endpoint !== undefined && takesBody(endpoint)))
      try {
        withBody(event, typeof body === 'string' ? Buffer.from(body) : await body(endpoint ?? {}));
      } catch (error) {
        if (error instanceof ApiError) return errorReply(error, requestId);
        throw error;
      }

    const handler = called === undefined ? catchAll : handlers.get(called.id);
    if (handler === undefined) return gatewayResponse('API_CONFIGURATION_ERROR');
    try {
      return answerOf(
        await inTime(
          functions,
          handler(event, lambdaContext(called?.id ?? 'catchAll', requestId, INTEGRATION_TIMEOUT_MS, functions)),
        ),
      );
    } catch (error) {
      log({ level: 'error', message: 'function failed', request_id: requestId, cause: describeError(error) });
      return gatewayResponse(error instanceof Timeout ? 'INTEGRATION_TIMEOUT' : 'INTEGRATION_FAILURE');
    }
  };
}

/** The gateway's reply to a request for which no event is made. */
export function refuse(type: GatewayResponseType): Answer & { body: string } {
  return renderGatewayResponse(type, { extendedRequestId: randomUUID() });
}
