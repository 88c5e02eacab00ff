import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import { fitLambdaLimit } from './carry.ts';
import { deprecationHeaders } from './deprecation.ts';
import { type Endpoint, replyFormatOf, successStatuses } from './endpoint.ts';
import { digestTag, etag, matches, namesTag, parseRevisions } from './etag.ts';
import { mediaTypes } from './format.ts';
import { apiHeaders } from './gateway-responses.ts';
import { toLines } from './lines.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { PreparedJson } from './prepared-json.ts';
import type { ApiEvent, ApiReply } from './api-request.ts';

const revisionSchema = z.object({ revision: z.int() });

/** Headers on every reply of an endpoint, also of an error. */
export function standingHeaders({ deprecated }: Endpoint, event: ApiEvent): Record<string, string> {
  return {
    ...apiHeaders,
    [REQUEST_ID_HEADER]: requestIdOf(event),
    ...(deprecated === undefined ? {} : deprecationHeaders(deprecated)),
  };
}

function withoutContentType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Type'));
}

function statusOf(endpoint: Endpoint, { status }: ApiReply<unknown>): number {
  const declared = successStatuses(endpoint);
  const [first, ...others] = declared;
  const own = status ?? (others.length === 0 ? first : undefined);
  if (own === undefined || !declared.includes(own)) throw new Error('a reply without a status of its contract');
  return own;
}

function unchanged(headers: Record<string, string>): APIGatewayProxyResult {
  return { statusCode: 304, headers: withoutContentType(headers), body: '' };
}

export function renderReply(
  endpoint: Endpoint,
  event: ApiEvent,
  reply: ApiReply<unknown> | undefined,
): APIGatewayProxyResult {
  const headers = standingHeaders(endpoint, event);
  if (endpoint.reply.schema === undefined || reply === undefined) {
    return { statusCode: 204, headers: withoutContentType(headers), body: '' };
  }
  const statusCode = statusOf(endpoint, reply);
  if (reply.body instanceof PreparedJson)
    return fitLambdaLimit({ statusCode, headers, body: reply.body.text }, event.headers['accept-encoding']);
  // Replies are validated too: a field that the contract does not contain is never returned.
  const body = z.parse(endpoint.reply.schema, reply.body);
  if (reply.location !== undefined) headers['Location'] = reply.location;
  if (endpoint.etag === 'revision') {
    const { revision } = z.parse(revisionSchema, body);
    headers['ETag'] = etag(revision);
    const known = endpoint.method === 'GET' ? parseRevisions(event.headers['if-none-match'], 'weak') : undefined;
    if (known !== undefined && matches(known, revision)) return unchanged(headers);
  }
  if (replyFormatOf(endpoint) === 'ndjson') {
    headers['Content-Type'] = mediaTypes.ndjson;
    const lines = toLines(z.parse(z.array(z.unknown()), body));
    return fitLambdaLimit({ statusCode, headers, body: lines }, event.headers['accept-encoding']);
  }
  const text = JSON.stringify(body);
  if (endpoint.etag === 'digest') {
    headers['ETag'] = digestTag(text);
    if (namesTag(event.headers['if-none-match'], headers['ETag'])) return unchanged(headers);
  }
  return fitLambdaLimit({ statusCode, headers, body: text }, event.headers['accept-encoding']);
}
