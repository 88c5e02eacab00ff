import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Identifies the request in the logs and the audit; on every reply. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The id of a request that the client cannot choose. It can choose `requestId`. */
export function requestIdOf({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string {
  return requestContext.extendedRequestId ?? requestContext.requestId;
}
