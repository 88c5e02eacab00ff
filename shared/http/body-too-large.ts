import { type Endpoint, maxBodyBytesOf } from './endpoint.ts';
import { ApiError } from './errors.ts';

/** What the endpoint says to a body beyond its limit. */
export function bodyTooLarge(endpoint: Endpoint): ApiError {
  return new ApiError('bodyTooLarge', `The body must have at most ${maxBodyBytesOf(endpoint)} bytes.`);
}
