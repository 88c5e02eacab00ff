import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import { redact } from '../core/redact.ts';
import { inTime } from '../core/deadline.ts';
import { commonErrors, type Endpoint, takesBody } from './endpoint.ts';
import { ApiError, errorBody } from '../core/errors.ts';
import { describeError, type Log } from '../core/log.ts';
import { requestIdOf } from './request-id.ts';
import { sourceAddressOf } from './source-address.ts';
import type { ApiEvent, EndpointHandler, LambdaHandler, PipelineDependencies, Schema } from './api-request.ts';
import { notJson, parseRequest, prepareBody } from './parse-request.ts';
import { admit, causeOf } from './admit.ts';
import { renderReply, standingHeaders } from './render-reply.ts';

/** With the authorizer's 5 s and a cold start this is less than the 29 s after which API Gateway times out. */
export const DEADLINE_MS = 22_000;

/** For the write that counts a refusal. If it is not finished by then, the count is written with the next one. */
const NOTE_REFUSAL_MS = 500;

const middyErrorSchema = z.object({ statusCode: z.int() });

/** Our own errors are unchanged, those of the body parser get our message, all others are faults of the service. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { data } = z.safeParse(middyErrorSchema, error);
  if (data?.statusCode === 422) return notJson();
  return new ApiError('internal', 'Internal server error.', { cause: error });
}

/** Logs the outcome of a request. An error that the contract does not declare is logged as a fault of the service. */
export function logOutcome(
  endpoint: Endpoint,
  log: Log,
  event: ApiEvent,
  outcome: { status: number; error?: ApiError },
): void {
  const { status, error } = outcome;
  const isUndeclared =
    error !== undefined &&
    error.kind !== 'internal' &&
    ![...commonErrors(endpoint), ...endpoint.errors].includes(error.kind);
  const isError = isUndeclared || error?.kind === 'internal' || error?.fault !== undefined;
  log({
    level: isError ? 'error' : 'info',
    message: isUndeclared ? 'an error that the contract does not declare' : 'request',
    endpoint: endpoint.id,
    request_id: requestIdOf(event),
    status,
    caller_kind: event.caller?.kind,
    caller_id: event.caller?.keyId,
    error: error?.kind,
    fault: error?.fault,
    cause: error !== undefined && (isError || error.kind === 'unavailable') ? describeError(error) : undefined,
  });
}

/** Counts the request if it was refused because of its caller. */
export async function countRefusal(
  endpoint: Endpoint,
  { noteRefusal }: PipelineDependencies,
  event: ApiEvent,
  error: ApiError,
): Promise<void> {
  const cause = causeOf(endpoint, event, error);
  if (cause === undefined) return;
  const sourceIp = sourceAddressOf(event);
  await noteRefusal(
    { endpoint, caller: event.caller, cause, sourceIp, requestId: requestIdOf(event) },
    NOTE_REFUSAL_MS,
  );
}

/** The error in the form from whose fields the error handler makes the response. */
function toHttpError(endpoint: Endpoint, event: ApiEvent, error: ApiError): Error {
  const body = errorBody(error.kind, error.message, requestIdOf(event), error.details);
  return Object.assign(new Error(redact(JSON.stringify(body))), {
    statusCode: error.httpStatus,
    expose: true,
    headers: { ...standingHeaders(endpoint, event), ...error.headers },
  });
}

/** DEADLINE_MS ends a request earlier than a timer of middy would: it would only cost time. */
const withoutTimeout = { timeoutEarlyInMillis: 0 };

function inLowerCase(headers: APIGatewayProxyEvent['headers']): APIGatewayProxyEvent['headers'] {
  const lower: APIGatewayProxyEvent['headers'] = {};
  for (const name in headers) lower[name.toLowerCase()] = headers[name];
  return lower;
}

/**
 * The Lambda handler of an endpoint: converts a proxy event to a proxy result, and calls the handler with the parsed
 * request.
 */
export function createHandler<
  Dependencies extends PipelineDependencies,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Reply extends Schema,
>(
  endpoint: Endpoint<Params, Query, Body, Reply>,
  handle: EndpointHandler<Dependencies, Endpoint<Params, Query, Body, Reply>>,
  dependencies: () => Dependencies,
): LambdaHandler {
  const handler = middy<ApiEvent, APIGatewayProxyResult>(async (event: ApiEvent) => {
    const request = parseRequest(endpoint, event);
    const reply = await inTime(DEADLINE_MS, () => handle(request, dependencies()));
    const result = renderReply(endpoint, event, reply);
    if (reply?.isRoutine !== true) logOutcome(endpoint, dependencies().log, event, { status: result.statusCode });
    return result;
  }, withoutTimeout);

  handler.use(httpErrorHandler({ logger: false }));
  handler.onError(async (request) => {
    const { event } = request;
    const error = toApiError(request.error);
    logOutcome(endpoint, dependencies().log, event, { status: error.httpStatus, error });
    await countRefusal(endpoint, dependencies(), event, error);
    request.error = toHttpError(endpoint, event, error);
  });
  handler.before(async ({ event }) => {
    event.headers = inLowerCase(event.headers);
    if (endpoint.role !== 'none') await admit(endpoint, event, dependencies());
    if (takesBody(endpoint)) prepareBody(endpoint, event);
  });
  if (takesBody(endpoint)) handler.use(httpJsonBodyParser({ disableContentTypeCheck: true }));
  return (event, context) => handler(event, context);
}
