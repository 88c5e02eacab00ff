import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { ApiEvent } from '../http/api-request.ts';
import { emptyRequest, type HttpContract } from '../http/http-contract.ts';
import type { CallEvent } from '../http/pipeline.ts';

/** A contract for tests of the pipeline: `GET /v1/things`, for a Viewer. */
export const endpointWith = (more: Partial<HttpContract> = {}): HttpContract => ({
  ...emptyRequest,
  ...{ id: 'test', tag: 'Things', method: 'GET', path: '/v1/things', summary: '', role: 'Viewer' },
  reply: { status: 200, schema: z.object({ name: z.string() }) },
  errors: [],
  ...more,
});

export interface EventOptions {
  headers?: Record<string, string | string[]>;
  query?: Record<string, string[]>;
  body?: string | null;
  isBase64Encoded?: boolean;
  path?: string;
  /** The context of the authorizer. */
  authorizer?: Record<string, string>;
}

/** A request as the gateway passes it on, with the names of its headers in lower case. */
export function eventWith({
  headers = {},
  query,
  body = null,
  isBase64Encoded = false,
  path,
  authorizer,
}: EventOptions = {}): ApiEvent<never> {
  const values = Object.entries(headers).map(([name, value]) => [name, [value].flat()] as const);
  return {
    ...{ body, isBase64Encoded, path: path ?? '/v1/things', pathParameters: null },
    headers: Object.fromEntries(values.map(([name, all]) => [name.toLowerCase(), all.at(-1)])),
    multiValueHeaders: Object.fromEntries(values),
    multiValueQueryStringParameters: query ?? null,
    requestContext: {
      ...{ requestId: 'of the client', extendedRequestId: 'request', identity: { sourceIp: '192.0.2.7' } },
      authorizer,
    },
  } as unknown as APIGatewayProxyEvent & { caller?: undefined };
}

/** A request as the middleware sees it, for a call with this contract. */
export const callEventWith = <Contract extends HttpContract>(
  contract: Contract,
  sent: EventOptions = {},
): CallEvent<{ contract: Contract }, never> => ({ ...eventWith(sent), call: { contract } });
