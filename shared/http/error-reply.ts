import { type ApiError, errorBody } from '../core/errors.ts';
import { apiHeaders } from './gateway-responses.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** An error as a whole reply, for code outside the pipeline of an endpoint. */
export function errorReply(
  { kind, message, httpStatus, headers, details }: ApiError,
  requestId: string,
): { statusCode: number; headers: Record<string, string>; body: string } {
  return {
    statusCode: httpStatus,
    headers: { ...apiHeaders, ...headers, [REQUEST_ID_HEADER]: requestId },
    body: JSON.stringify(errorBody(kind, message, requestId, details)),
  };
}
