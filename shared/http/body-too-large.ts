import { type Endpoint, maxBodyBytesOf } from './endpoint.ts';
import { ApiError } from '../core/errors.ts';

/** The error for a body beyond the limit of the endpoint. */
export function bodyTooLarge(endpoint: Pick<Endpoint, 'maxBodyBytes'>): ApiError {
  return new ApiError('bodyTooLarge', `The body must have at most ${maxBodyBytesOf(endpoint)} bytes.`);
}
