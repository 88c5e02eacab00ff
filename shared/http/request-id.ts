import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The id of a request that its client cannot choose (`requestId` it can). */
export function requestIdOf({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string {
  return requestContext.extendedRequestId ?? requestContext.requestId;
}
