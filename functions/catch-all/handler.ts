import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError, errorBody } from '../../shared/http/errors.ts';
import { apiHeaders } from '../../shared/http/gateway-responses.ts';
import { requestIdOf } from '../../shared/http/request-id.ts';
import { route } from '../../shared/http/router.ts';
import { endpoints } from '../endpoints.ts';

function refusal(event: APIGatewayProxyEvent): ApiError {
  const match = route(endpoints, event.httpMethod, event.path);
  if (match.kind !== 'otherMethod') return new ApiError('notFound', 'Not Found');
  return new ApiError('methodNotAllowed', 'Method Not Allowed', { headers: { Allow: match.allow.join(', ') } });
}

/** Answers what no endpoint answers, so that the gateway's own replies, which can echo credentials, never do. */
export function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const { kind, message, httpStatus, headers } = refusal(event);
  return Promise.resolve({
    statusCode: httpStatus,
    headers: { ...apiHeaders, ...headers },
    body: JSON.stringify(errorBody(kind, message, requestIdOf(event))),
  });
}
