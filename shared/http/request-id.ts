import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Names the request in the logs and the audit; on every reply. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The id of a request that its client cannot choose (`requestId` it can). */
export function requestIdOf({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string {
  return requestContext.extendedRequestId ?? requestContext.requestId;
}
