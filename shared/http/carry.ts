import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { acceptsEncoding } from './accepts-encoding.ts';
import { ApiError } from '../core/errors.ts';

/**
 * Lambda's limit for the result of a function, 6 MB, minus the envelope and the headers.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MAX_RESULT_BYTES = 6 * 1024 * 1024 - 16 * 1024;

/** The size of a body in the result, where it is a string inside JSON text and its quotes take two bytes. */
function bytesAsText(body: string): number {
  return body.length * 2 <= MAX_RESULT_BYTES / 3 ? body.length * 2 : Buffer.byteLength(JSON.stringify(body));
}

/**
 * The result in a form that fits Lambda's limit. The gateway compresses replies, but only receives what fits: a larger
 * body is compressed here, if the client accepts gzip.
 *
 * @param remedyOf what the caller can do about a larger one; default: request fewer objects, or accept gzip.
 * @throws ApiError `bodyTooLarge` when it does not fit.
 */
export function fitLambdaLimit(
  result: APIGatewayProxyResult,
  acceptEncoding: string | undefined,
  remedyOf?: () => string,
): APIGatewayProxyResult {
  const tooLarge = (remedy: string) =>
    new ApiError('bodyTooLarge', `The reply exceeds the maximum size. ${remedyOf?.() ?? remedy}`);
  if (bytesAsText(result.body) <= MAX_RESULT_BYTES) return result;
  if (!acceptsEncoding('gzip', acceptEncoding))
    throw tooLarge('Request fewer objects, or accept gzip (Accept-Encoding).');
  const body = gzipSync(result.body).toString('base64');
  if (body.length > MAX_RESULT_BYTES) throw tooLarge('Request fewer objects.');
  const headers = { ...result.headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };
  return { ...result, headers, body, isBase64Encoded: true };
}

/**
 * A reply with the body, or with a smaller one if it exceeds the maximum size.
 *
 * @param smallerBody makes the smaller one; undefined if there is none.
 * @throws ApiError `bodyTooLarge`, which `render` throws, if that exceeds it as well.
 */
export function orSmaller<Body>(
  body: Body,
  smallerBody: (() => Body | undefined) | undefined,
  render: (body: Body) => APIGatewayProxyResult,
): APIGatewayProxyResult {
  try {
    return render(body);
  } catch (error) {
    const isTooLarge = error instanceof ApiError && error.kind === 'bodyTooLarge';
    const smaller = isTooLarge ? smallerBody?.() : undefined;
    if (smaller === undefined) throw error;
    return render(smaller);
  }
}
