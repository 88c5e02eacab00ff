import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { ApiEvent } from '../http/api-request.ts';
import type { Caller } from '../http/caller.ts';
import { callerToContext } from '../http/caller.ts';
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts';
import type { CallEvent } from '../http/pipeline.ts';

/** An endpoint for tests of the pipeline: `GET /v1/things`, for a Viewer. */
export const endpointWith = (more: Partial<Endpoint> = {}): Endpoint =>
  defineEndpoint({
    id: 'test',
    folder: 'things/test',
    tag: 'Things',
    method: 'GET',
    path: '/v1/things',
    summary: '',
    role: 'Viewer',
    access: 'none',
    params: z.strictObject({}),
    query: z.strictObject({}),
    reply: { status: 200, schema: z.object({ name: z.string() }) },
    errors: [],
    ...more,
  });

interface EventOptions {
  headers?: Record<string, string | string[]>;
  query?: Record<string, string[]>;
  body?: string | null;
  isBase64Encoded?: boolean;
  path?: string;
  caller?: Partial<Caller> | null;
}

/** A request as the gateway passes it on, with the names of its headers in lower case; by an Editor by default. */
export function eventWith({
  headers = {},
  query,
  body = null,
  isBase64Encoded = false,
  path,
  caller = {},
}: EventOptions = {}): ApiEvent {
  const whole: Caller = { kind: 'api_key', keyId: 'key', name: 'name', role: 'Editor', ...caller };
  const values = Object.entries(headers).map(([name, value]) => [name, [value].flat()] as const);
  return {
    ...{ body, isBase64Encoded, path: path ?? '/v1/things', pathParameters: null },
    headers: Object.fromEntries(values.map(([name, all]) => [name.toLowerCase(), all.at(-1)])),
    multiValueHeaders: Object.fromEntries(values),
    multiValueQueryStringParameters: query ?? null,
    requestContext: {
      ...{ requestId: 'of the client', extendedRequestId: 'request', identity: { sourceIp: '192.0.2.7' } },
      authorizer: caller === null ? undefined : callerToContext(whole),
    },
  } as unknown as APIGatewayProxyEvent;
}

/** A request as the middleware sees it, for a call with this contract. */
export const callEventWith = (contract: Endpoint, sent: EventOptions = {}): CallEvent => ({
  ...eventWith(sent),
  call: { contract },
});
