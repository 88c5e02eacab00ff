import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError, invalidRequest } from '../core/errors.ts';
import { type HttpContract, maxBodyBytesOf } from './http-contract.ts';
import { wrongPlace } from './json-fault.ts';
import { isJson, wrongInJsonText } from './json-text.ts';

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

/** One byte order mark at the beginning is no part of the text: RFC 8259 (section 8.1) lets a parser ignore it. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** The text of the body. Invalid UTF-8 is replaced. */
export function textOf({ body, isBase64Encoded }: EventBody): string {
  // As if the text had been sent in UTF-8, which has no lone surrogates.
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '').toWellFormed();
  return text.replace(BYTE_ORDER_MARK, '');
}

/** As `textOf`. @throws ApiError for invalid UTF-8: the replacement would be stored instead of the text that was sent. */
export function validTextOf(event: EventBody): string {
  if (event.isBase64Encoded && !isUtf8(Buffer.from(event.body ?? '', 'base64')))
    throw malformedJson('The body is not valid UTF-8.');
  return textOf(event);
}

/** @param text names the first wrong character by its position alone: the content may be secret. */
export const notJson = (text: string): ApiError => malformedJson(`The body is not valid JSON: ${wrongPlace(text)}.`);

/** @throws ApiError for JSON that a parser would accept silently. Text that is not JSON may pass. */
export function checkJsonText(text: string): void {
  const wrong = wrongInJsonText(text, { maxNesting: MAX_NESTING });
  if (wrong.length > 0) throw isJson(text) ? invalidRequest(wrong) : notJson(text);
}
