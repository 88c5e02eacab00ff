import { gunzipSync } from 'node:zlib';
import { ApiError, invalidRequest } from '../core/errors.ts';
import { isCompressed } from './content-type.ts';

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

/**
 * The bytes of a body that may be compressed with gzip. At most `maxBytes` are inflated.
 *
 * @throws ApiError `bodyTooLarge`, `unsupportedMediaType` for another encoding, `invalidArgument` for broken data.
 */
export function inflated(body: Buffer, contentEncoding: string | undefined, maxBytes: number): Buffer {
  if (!isCompressed(contentEncoding)) return body;
  if (contentEncoding?.trim().toLowerCase() !== 'gzip')
    throw new ApiError('unsupportedMediaType', 'The only supported Content-Encoding is gzip.');
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE'))
      throw new ApiError('bodyTooLarge', `The decompressed body must have at most ${maxBytes} bytes.`);
    throw invalidRequest([{ field: '', reason: 'invalid_format', message: 'The body is not valid gzip data.' }]);
  }
}
