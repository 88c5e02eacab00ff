import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import { fitLambdaLimit, orSmaller } from './carry.ts';
import { deprecationHeaders } from './deprecation.ts';
import { type HttpContract, replyFormatOf, successStatuses } from './http-contract.ts';
import { digestTag, etag, matches, namesTag, parseRevisions } from './etag.ts';
import { mediaTypes } from '../core/format.ts';
import { apiHeaders } from './gateway-responses.ts';
import { toLines } from './lines.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { PreparedJson } from './prepared-json.ts';
import type { ApiEvent, ApiReply, Schema } from './api-request.ts';

const revisionSchema = z.object({ revision: z.int() });

/** Headers on every reply of an endpoint, also of an error. */
export function standingHeaders({ deprecated }: HttpContract, event: ApiEvent): Record<string, string> {
  return {
    ...apiHeaders,
    [REQUEST_ID_HEADER]: requestIdOf(event),
    ...(deprecated === undefined ? {} : deprecationHeaders(deprecated)),
  };
}

function withoutContentType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Type'));
}

function statusOf(endpoint: HttpContract, { status }: ApiReply<unknown>): number {
  const declared = successStatuses(endpoint);
  const [first, ...others] = declared;
  const chosen = status ?? (others.length === 0 ? first : undefined);
  if (chosen === undefined || !declared.includes(chosen)) throw new Error('a reply without a status of its contract');
  return chosen;
}

function unchanged(headers: Record<string, string>): APIGatewayProxyResult {
  return { statusCode: 304, headers: withoutContentType(headers), body: '' };
}

/** The text of a reply, and the revision of the object in it. */
function contentOf(endpoint: HttpContract, schema: Schema, body: unknown): Pick<PreparedJson, 'text' | 'revision'> {
  if (body instanceof PreparedJson) return body;
  // These replies are validated too: a field that the contract does not contain is never returned.
  const parsed = z.parse(schema, body);
  if (replyFormatOf(endpoint) === 'ndjson')
    return { text: toLines(z.parse(z.array(z.unknown()), parsed)), revision: undefined };
  if (replyFormatOf(endpoint) === 'openmetrics') return { text: z.parse(z.string(), parsed), revision: undefined };
  const revision = endpoint.etag === 'revision' ? z.parse(revisionSchema, parsed).revision : undefined;
  return { text: JSON.stringify(parsed), revision };
}

/** Adds the ETag. @returns whether the client has this reply already. */
function addTag(
  endpoint: HttpContract,
  event: ApiEvent,
  headers: Record<string, string>,
  { text, revision }: Pick<PreparedJson, 'text' | 'revision'>,
): boolean {
  const ifNoneMatch = event.headers['if-none-match'];
  if (endpoint.etag === 'digest') {
    headers['ETag'] = digestTag(text);
    return namesTag(ifNoneMatch, headers['ETag']);
  }
  if (endpoint.etag !== 'revision') return false;
  if (revision === undefined) throw new Error('a reply without the revision that its contract requires');
  headers['ETag'] = etag(revision);
  const revisions = endpoint.method === 'GET' ? parseRevisions(ifNoneMatch, 'weak') : undefined;
  return revisions !== undefined && matches(revisions, revision);
}

/** @throws ApiError `bodyTooLarge`. */
function renderBody(
  endpoint: HttpContract,
  event: ApiEvent,
  { schema, body, reply }: { schema: Schema; body: unknown; reply: ApiReply<unknown> },
): APIGatewayProxyResult {
  const headers = standingHeaders(endpoint, event);
  const statusCode = statusOf(endpoint, reply);
  const content = contentOf(endpoint, schema, body);
  if (reply.location !== undefined) headers['Location'] = reply.location;
  if (addTag(endpoint, event, headers, content)) return unchanged(headers);
  const format = replyFormatOf(endpoint);
  if (format !== 'json') headers['Content-Type'] = mediaTypes[format];
  const result = { statusCode, headers, body: content.text };
  return fitLambdaLimit(result, event.headers['accept-encoding'], reply.remedyOfSize);
}

export function renderReply(
  endpoint: HttpContract,
  event: ApiEvent,
  reply: ApiReply<unknown> | undefined,
): APIGatewayProxyResult {
  const { schema } = endpoint.reply;
  if (schema === undefined || reply === undefined)
    return { statusCode: 204, headers: withoutContentType(standingHeaders(endpoint, event)), body: '' };
  const { body, smallerBody } = reply;
  return orSmaller(body, smallerBody, (smaller) => renderBody(endpoint, event, { schema, body: smaller, reply }));
}
