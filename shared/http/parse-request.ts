import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { refusalMessages } from '../auth/refusal-messages.ts';
import { bodyFormatOf, type HttpContract, takesBody } from './http-contract.ts';
import { ApiError, invalidRequest, type Violation } from '../core/errors.ts';
import { isDeclaredAs } from './content-type.ts';
import { mediaTypes } from '../core/format.ts';
import { idempotencyKeyIn, idempotencyOf } from './idempotency.ts';
import { checkSize, validTextOf } from './json-body.ts';
import { linesToList } from './lines.ts';
import { notEncoded } from './not-encoded.ts';
import { pathParametersOf } from './path-parameters.ts';
import { preconditionsIn } from './preconditions.ts';
import { requestIdOf } from './request-id.ts';
import { sourceAddressOf } from './source-address.ts';
import { valueAt, violations } from '../core/violations.ts';
import type { ApiEvent, ApiRequest, Identity, Schema } from './api-request.ts';

/** A gateway that decodes invalid UTF-8 inserts this character. */
const REPLACEMENT = '\u{fffd}';

/**
 * Query parameters as an object, and their violations. A repeated parameter is a violation, because its value is
 * ambiguous.
 */
function queryOf(event: APIGatewayProxyEvent): { query: Record<string, string>; wrong: Violation[] } {
  const query: Record<string, string> = {};
  const wrong: Violation[] = [];
  for (const [field, values = []] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if ([field, ...values].some((text) => text.includes(REPLACEMENT))) wrong.push(notEncoded(field));
    if (values.length > 1) wrong.push({ field, reason: 'duplicate', message: 'Given more than once.' });
    Object.defineProperty(query, field, { value: values.at(-1), enumerable: true });
  }
  return { query, wrong };
}

/** The message for a parameter that the operation does not have. */
function unknownParameter(query: Schema): string {
  const names = query instanceof z.ZodMiniObject ? Object.keys(query.shape).sort() : [];
  return `Unknown parameter. ${names.length === 0 ? 'This operation has none.' : `Known: ${names.join(', ')}.`}`;
}

type Issues = readonly z.core.$ZodIssue[];

/** The issues of each item of the `itemwise` list by its index; undefined when other parts of the body are invalid. */
function issuesOfItems({ itemwise }: HttpContract, issues: Issues): ReadonlyMap<number, Issues> | undefined {
  const isOfItem = ({ path: [list, index] }: z.core.$ZodIssue) => list === itemwise && typeof index === 'number';
  return issues.every(isOfItem) ? Map.groupBy(issues, ({ path }) => Number(path[1])) : undefined;
}

/** The parsed body without the invalid items of an `itemwise` list, and the violations of these. */
function parseBody<Body extends Schema>(endpoint: HttpContract<Schema, Schema, Body>, rawBody: unknown) {
  const invalidItems = new Map<number, Violation[]>();
  const { itemwise } = endpoint;
  let body = z.safeParse(endpoint.body, rawBody);
  if (itemwise === undefined) return { body, invalidItems };
  const all: unknown = valueAt(rawBody, [itemwise]);
  let items = Array.isArray(all) ? all.map((item: unknown, index) => ({ item, index })) : [];
  // A check of the whole list is made when its items have the right types: an item may turn out to be invalid later.
  while (!body.success) {
    const invalid = issuesOfItems(endpoint, body.error.issues);
    if (invalid === undefined) break;
    for (const [at, issues] of invalid) {
      const index = items[at]?.index ?? at;
      const itemIssues = issues.map((issue) => ({ ...issue, path: issue.path.with(1, index) }));
      invalidItems.set(index, violations(itemIssues, rawBody, endpoint));
    }
    items = items.filter((_, at) => !invalid.has(at));
    body = z.safeParse(endpoint.body, { ...Object(rawBody), [itemwise]: items.map(({ item }) => item) });
  }
  return { body, invalidItems };
}

/** @param json the value of the JSON text of the body. */
export function parseRequest<Params extends Schema, Query extends Schema, Body extends Schema, Caller extends Identity>(
  endpoint: HttpContract<Params, Query, Body>,
  event: ApiEvent<Caller>,
  json: unknown,
): ApiRequest<Params, Query, Body, Caller> {
  const rawBody = takesBody(endpoint) ? json : undefined;
  const { query: rawQuery, wrong: wrongQuery } = queryOf(event);
  const rawParams = pathParametersOf(endpoint.path, event);
  const { key, wrong: wrongKey } = idempotencyKeyIn(endpoint, event);
  const { wrong: wrongPreconditions, ...preconditions } = preconditionsIn(endpoint, event);
  const wrong = [...wrongKey, ...wrongPreconditions, ...wrongQuery];
  const params = z.safeParse(endpoint.params, rawParams);
  const query = z.safeParse(endpoint.query, rawQuery);
  const { body, invalidItems } = parseBody(endpoint, rawBody);
  if (!params.success || !query.success || !body.success || wrong.length > 0)
    throw invalidRequest([
      ...wrong,
      ...(params.success ? [] : violations(params.error.issues, rawParams)),
      ...(query.success ? [] : violations(query.error.issues, rawQuery, { unknown: unknownParameter(endpoint.query) })),
      ...(body.success ? [] : violations(body.error.issues, rawBody, endpoint)),
    ]);
  const caller = () => {
    if (event.caller === undefined) throw new ApiError('unauthenticated', refusalMessages.missing);
    return event.caller;
  };
  return {
    params: params.data,
    query: query.data,
    body: body.data,
    invalidItems,
    caller,
    ...preconditions,
    idempotency:
      key === undefined
        ? undefined
        : idempotencyOf(endpoint, { key, callerId: caller().keyId, params: rawParams, query: rawQuery, body: rawBody }),
    requestId: requestIdOf(event),
    sourceIp: sourceAddressOf(event),
  };
}

function unsupportedMediaType(endpoint: HttpContract): ApiError {
  const type = mediaTypes[bodyFormatOf(endpoint)];
  return new ApiError('unsupportedMediaType', `Send the body as ${type}, in UTF-8 and not compressed.`);
}

/** Refuses a body that would be interpreted differently than its client intends. */
function checkContentType(endpoint: HttpContract, { headers }: APIGatewayProxyEvent): void {
  const declared = { contentType: headers['content-type'], contentEncoding: headers['content-encoding'] };
  if (!isDeclaredAs(acceptedTypes(endpoint), declared)) throw unsupportedMediaType(endpoint);
}

/** PATCH also accepts the media type of RFC 7396. */
function acceptedTypes(endpoint: HttpContract): string[] {
  const type = mediaTypes[bodyFormatOf(endpoint)];
  return endpoint.method === 'PATCH' && type === mediaTypes.json ? [type, 'application/merge-patch+json'] : [type];
}

/** The JSON text of the body; of lines that of their list. */
export function jsonTextOf(endpoint: HttpContract, event: APIGatewayProxyEvent): string {
  if (checkSize(endpoint, event) === 0)
    throw invalidRequest([{ field: '', reason: 'required', message: 'A JSON body is required.' }]);
  checkContentType(endpoint, event);
  const text = validTextOf(event);
  return bodyFormatOf(endpoint) === 'ndjson' ? linesToList(text) : text;
}
