import * as z from 'zod/mini';
import type { ApiEvent } from '../../../shared/http/api-request.ts';
import { defineEndpoint, type Endpoint, type Facade } from '../../contract/endpoint.ts';
import type { ServedRoute } from '../declarations/route.ts';
import { routeOf } from '../declarations/route.ts';
import type { Fields } from './input.ts';

/** The call of a request. */
export interface FoundCall {
  contract: Endpoint;
  /** Undefined: there is no such call. */
  route: ServedRoute | undefined;
  /** The parameters of the path; after the request is parsed all its fields. */
  input: Fields;
}

/** The contract of a call, for access checks, limits, logs and the audit. */
function contractOf(facade: Facade, route: ServedRoute | undefined): Endpoint {
  const { id, folder, summary, access } = facade;
  return defineEndpoint({
    ...{ id, folder, tag: 'PMM', summary, access, path: route?.path ?? '(unknown)' },
    method: route === undefined || route.method === 'ANY' ? 'GET' : route.method,
    // A path without a call is no secret, but only callers with credentials get this error.
    role: route?.role ?? (facade.role === 'none' ? 'none' : 'Viewer'),
    limit: route?.limit ?? 'unaffected',
    scoped: route === undefined || route.isScoped === true,
    reply: { status: 200, schema: z.unknown() },
    errors: ['notFound', 'alreadyExists', 'failedPrecondition', 'unauthenticated'],
  });
}

/** Finds the calls of a facade. @param pathOf the path by which a call is found. */
export function callFinder(facade: Facade, routes: readonly ServedRoute[], pathOf: (path: string) => string) {
  return ({ httpMethod, path }: ApiEvent): FoundCall => {
    const { route, params = {} } = routeOf(routes, httpMethod, pathOf(path)) ?? {};
    return { contract: contractOf(facade, route), route, input: params };
  };
}
