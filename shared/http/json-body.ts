import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError, invalidRequest } from '../core/errors.ts';
import { type HttpContract, maxBodyBytesOf } from './http-contract.ts';
import { wrongInJsonText } from './json-text.ts';

export const MAX_NESTING = 32;

type EventBody = Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>;

export const malformedJson = (message: string) => invalidRequest([{ field: '', reason: 'malformed_json', message }]);

/** The error for a body beyond the limit of the endpoint. */
export function bodyTooLarge(endpoint: Pick<HttpContract, 'maxBodyBytes'>): ApiError {
  return new ApiError('bodyTooLarge', `The body must have at most ${maxBodyBytesOf(endpoint)} bytes.`);
}

/** The number of bytes of the body. @throws ApiError `bodyTooLarge` above the limit of the endpoint. */
export function checkSize(endpoint: Pick<HttpContract, 'maxBodyBytes'>, { body, isBase64Encoded }: EventBody): number {
  const bytes = Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > maxBodyBytesOf(endpoint)) throw bodyTooLarge(endpoint);
  return bytes;
}

/** The text of the body. Invalid UTF-8 is replaced. */
export function textOf({ body, isBase64Encoded }: EventBody): string {
  // As if the text had been sent in UTF-8, which has no lone surrogates.
  return isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '').toWellFormed();
}

/** @throws ApiError for invalid UTF-8: the replacement would be stored instead of the text that was sent. */
export function checkUtf8({ body, isBase64Encoded }: EventBody): void {
  if (isBase64Encoded && !isUtf8(Buffer.from(body ?? '', 'base64')))
    throw malformedJson('The body is not valid UTF-8.');
}

/** The value of JSON text. @throws ApiError for other text, and for JSON that a parser would accept silently. */
export function jsonIn(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedJson('The body is not valid JSON.');
  }
  const wrong = wrongInJsonText(text, { maxNesting: MAX_NESTING });
  if (wrong.length > 0) throw invalidRequest(wrong);
  return value;
}
