import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from '../core/errors.ts';

/** The position at which a page ended: sort key and id of the last object read. */
const positionSchema = z.tuple([z.string(), z.string()]);

export type Position = z.output<typeof positionSchema>;

/** 128 bits, so that a tag for an invented position cannot be guessed. */
const TAG_BYTES = 16;

function tagOf(payload: Buffer, query: string, secret: KeyObject): Buffer {
  // The length of the query separates it from the payload, whatever the two contain.
  return createHmac('sha256', secret)
    .update(`page-token:v1:${Buffer.byteLength(query)}:${query}:`)
    .update(payload)
    .digest()
    .subarray(0, TAG_BYTES);
}

/** @param query everything that the pages of one list have in common, as one string. */
export function makePageToken(position: Position, query: string, secret: KeyObject): string {
  const payload = Buffer.from(JSON.stringify(position));
  return Buffer.concat([tagOf(payload, query, secret), payload]).toString('base64url');
}

/**
 * @param field the parameter that contains the token.
 * @throws ApiError `invalidArgument` for a token that this service did not make for the same query.
 */
export function readPageToken(token: string, query: string, secret: KeyObject, field = 'page_token'): Position {
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(TAG_BYTES);
  // Node decodes leniently, so one token has several spellings; only the canonical one is accepted.
  const genuine =
    bytes.length > TAG_BYTES &&
    bytes.toString('base64url') === token &&
    timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(payload, query, secret));
  if (genuine) return z.parse(positionSchema, JSON.parse(payload.toString()));
  const message = 'Not a token of this list. Start again without a token.';
  throw new ApiError('invalidArgument', `${field}: ${message}`, {
    details: [{ field, reason: 'invalid_value', message }],
  });
}
