import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import { redact } from '../../../shared/core/redact.ts';
import { refusalMessages } from '../../../shared/auth/refusal-messages.ts';
import { admit } from '../../../shared/http/admit.ts';
import type { ApiEvent, LambdaHandler, PipelineDependencies } from '../../../shared/http/api-request.ts';
import { bodyTooLarge } from '../../../shared/http/body-too-large.ts';
import { fitLambdaLimit, MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { inTime } from '../../../shared/core/deadline.ts';
import { defineEndpoint, type Endpoint, type Facade, maxBodyBytesOf } from '../../../shared/http/endpoint.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { apiHeaders } from '../../../shared/http/gateway-responses.ts';
import { countRefusal, DEADLINE_MS, logOutcome, toApiError } from '../../../shared/http/pipeline.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '../../../shared/http/request-id.ts';
import { sourceAddressOf } from '../../../shared/http/source-address.ts';
import { createDependencies, type Dependencies } from '../../runtime/dependencies.ts';
import { type EndpointFunction, forPipeline } from '../../runtime/endpoint-function.ts';
import { type Route, routeOf } from '../declarations/route.ts';
import type { Operation, Operations } from './call.ts';
import { errorMessage, GrpcError, REFUSED_ROLE, statuses, unimplemented, wordsOf } from './errors.ts';
import type { Form, Refusal } from './form.ts';
import { type Fields, withoutPrefix } from './input.ts';
import { readInput } from './read-input.ts';
import { tooLarge } from './reply-size.ts';

/** The contract of a call, for access checks, limits, logs and the audit. */
function contractOf(facade: Facade, route: Route | undefined): Endpoint {
  const { id, folder, summary, access } = facade;
  return defineEndpoint({
    ...{ id, folder, tag: 'PMM', summary, access, path: route?.path ?? '(unknown)' },
    method: route === undefined || route.method === 'ANY' ? 'GET' : route.method,
    // A path without a call is no secret, but only callers with credentials are told so.
    role: route?.role ?? (facade.role === 'none' ? 'none' : 'Viewer'),
    scoped: route === undefined || route.isScoped === true,
    reply: { status: 200, schema: z.unknown() },
    errors: ['notFound', 'alreadyExists', 'failedPrecondition', 'unauthenticated'],
  });
}

function resultOf(event: ApiEvent, statusCode: number, text: string): APIGatewayProxyResult {
  const headers = { ...apiHeaders, [REQUEST_ID_HEADER]: requestIdOf(event) };
  return { statusCode, headers, body: text };
}

/** The reply of a call, if it fits. */
function success(event: ApiEvent, route: Route, text: string): APIGatewayProxyResult {
  if (Buffer.byteLength(text) > MAX_RESULT_BYTES) throw tooLarge(route);
  try {
    return fitLambdaLimit(resultOf(event, route.status ?? 200, text), event.headers['accept-encoding']);
  } catch (error) {
    throw error instanceof ApiError ? tooLarge(route) : error;
  }
}

/** Ids in error messages have the prefix that the request has. */
function withGivenIds(message: string, input: Fields): string {
  return Object.values(input).reduce<string>((text, value) => {
    if (typeof value !== 'string') return text;
    return text.replace(`with ID "${withoutPrefix(value)}"`, () => `with ID "${value}"`);
  }, message);
}

/** The form of PMM's gateway. */
const pmm: Form = {
  pathOf: (path) => path,
  textOf: (message) => JSON.stringify(message, null, 2),
  refusalOf: ({ event, error, generation, input, thrown }) => {
    const isRole = error.kind === 'permissionDenied' && event.refusedFor === 'role';
    const own = isRole ? REFUSED_ROLE : statuses[error.kind];
    const { http, code } = thrown instanceof GrpcError ? thrown.status : own;
    const message = wordsOf(withGivenIds(error.message, input), generation);
    return { http, message: errorMessage(code, message) };
  },
};

function failure(form: Form, refusal: Refusal): APIGatewayProxyResult {
  const { event, error } = refusal;
  const { http, message } = form.refusalOf(refusal);
  const result = resultOf(event, http, redact(form.textOf(message)));
  return { ...result, headers: { ...result.headers, ...error.headers } };
}

function checkSize(facade: Endpoint, { body, isBase64Encoded }: ApiEvent): void {
  const bytes = Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > maxBodyBytesOf(facade)) throw bodyTooLarge(facade);
}

type Running = Dependencies & PipelineDependencies;

/** What a function does, by the names in its routes. */
interface FacadeOperations {
  reads: Operations;
  /** The operations that change something, in a file that the first of them loads: they are most of the code. */
  changes?: () => Promise<Operations>;
}

interface FacadeDefinition {
  facade: Facade;
  routes: readonly Route[];
  served: FacadeOperations;
  form: Form;
}

async function operationOf({ reads, changes }: FacadeOperations, { operation }: Route): Promise<Operation | undefined> {
  return reads[operation] ?? (await changes?.())?.[operation];
}

function createHandler({ facade, routes, served, form }: FacadeDefinition, of: () => Running): LambdaHandler {
  return async (event: ApiEvent) => {
    const { httpMethod: method, path } = event;
    event.headers = Object.fromEntries(
      Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const found = routeOf(routes, method, form.pathOf(path));
    const contract = contractOf(facade, found?.route);
    const generation = found?.route.generation ?? 3;
    let input: Fields = found?.params ?? {};
    try {
      if (contract.role !== 'none') await admit(contract, event, of());
      if (found === undefined) throw new ApiError('notFound', `Endpoint not found: ${path}, http method: ${method}`);
      const { route, params } = found;
      const operation = await operationOf(served, route);
      if (operation === undefined) throw unimplemented(path);
      checkSize(contract, event);
      input = readInput(event, params);
      const caller = () => {
        if (event.caller === undefined) throw new ApiError('unauthenticated', refusalMessages.missing);
        return event.caller;
      };
      const call = {
        route,
        generation,
        input,
        caller,
        requestId: requestIdOf(event),
        sourceIp: sourceAddressOf(event),
        dependencies: of(),
      };
      const message = await inTime(DEADLINE_MS, () => operation(call));
      const result = success(event, route, form.textOf(message));
      logOutcome(contract, of().log, event, { status: result.statusCode });
      return result;
    } catch (thrown) {
      // An error that none of ours is counts as an error of the request.
      const error = thrown instanceof GrpcError ? new ApiError('notFound', thrown.message) : toApiError(thrown);
      const result = failure(form, { event, error, generation, input, thrown });
      logOutcome(contract, of().log, event, { status: result.statusCode, error });
      await countRefusal(contract, of(), event, error);
      return result;
    }
  };
}

/** Joins the calls of a facade to the function that is deployed. @param form default: that of PMM's gateway. */
export function createFacadeFunction(
  facade: Facade,
  routes: readonly Route[],
  served: FacadeOperations,
  form: Form = pmm,
): EndpointFunction {
  const declared = { facade, routes, served, form };
  return {
    handler: createHandler(declared, () => forPipeline(createDependencies())),
    handlerWith: (others) => createHandler(declared, () => forPipeline(others)),
  };
}
