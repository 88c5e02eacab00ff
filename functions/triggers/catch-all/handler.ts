import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { errorReply } from '../../../shared/http/error-reply.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { requestIdOf } from '../../../shared/http/request-id.ts';
import { createRouter } from '../../../shared/http/router.ts';
import { routes } from '../../api/routes.ts';

const route = createRouter(routes);

function refusal(event: APIGatewayProxyEvent): ApiError {
  const match = route(event.httpMethod, event.path);
  if (match.kind !== 'otherMethod') return new ApiError('notFound', 'Not Found');
  return new ApiError('methodNotAllowed', 'Method Not Allowed', { headers: { Allow: match.allow.join(', ') } });
}

/**
 * Replies to calls of paths and methods without an endpoint. Without it the gateway would reply itself, and its replies
 * can echo credentials.
 */
export function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  return Promise.resolve(errorReply(refusal(event), requestIdOf(event)));
}
