import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { endpoints } from '../../functions/api/endpoints.ts';
import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { loadFunctions } from '../../local/gateway/functions.ts';
import { lambdaContext } from '../../local/gateway/lambda-context.ts';
import { authorizerEvent, pathOf, proxyEvent, withBody } from '../../local/gateway/proxy-event.ts';
import { type Caller, callerToContext } from '../../functions/contract/caller.ts';
import { mediaTypes } from '../../shared/core/format.ts';
import { toLines } from '../../shared/http/lines.ts';
import { createRouter } from '../../shared/http/router.ts';

const TIMEOUT_MS = 29_000;

const route = createRouter(endpoints);

export interface Request {
  method: string;
  /** Path and query. */
  url: string;
  /** Bytes are a message of OpAMP. */
  body?: object | Uint8Array;
  /** The lines of a body that has lines. */
  lines?: readonly object[];
  headers?: Record<string, string>;
}

/** Later than any password that a measurement sets. */
export const ACCOUNT_VERSION = '2999-01-01T00:00:00.000Z';

const admin: Caller = {
  kind: 'user',
  keyId: 'admin',
  name: 'admin',
  role: 'Admin',
  accountVersion: ACCOUNT_VERSION,
};

/** The event that a function gets for a request; `caller` is whom the authorizer has let in. */
export function eventOf({ method, url, body, lines, headers = {} }: Request, caller = admin): APIGatewayProxyEvent {
  const match = route(method, pathOf(url));
  if (body instanceof Uint8Array) {
    const event = eventOf({ method, url, headers: { 'Content-Type': 'application/x-protobuf', ...headers } }, caller);
    withBody(event, Buffer.from(body));
    return event;
  }
  const text = lines === undefined ? (body === undefined ? '' : JSON.stringify(body)) : toLines(lines);
  const type = mediaTypes[lines === undefined ? 'json' : 'ndjson'];
  const all = text === '' ? headers : { 'Content-Type': type, ...headers };
  return proxyEvent(
    {
      method,
      url,
      rawHeaders: Object.entries(all).flat(),
      body: text,
      sourceIp: '127.0.0.1',
    },
    {
      requestId: randomUUID(),
      resource: match.kind === 'endpoint' ? match.endpoint.path : '/{proxy+}',
      params: match.kind === 'endpoint' ? match.params : {},
      authorizer: callerToContext(caller),
    },
  );
}

export interface Invocations {
  /** Calls the function of this endpoint as Lambda does, without authorizer and gateway. */
  invoke: (id: string, event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
  /** Calls the authorizer; resolves to whether it lets the request in. */
  authorise: (event: APIGatewayProxyEvent) => Promise<boolean>;
}

export async function openInvocations(dependencies: Dependencies): Promise<Invocations> {
  const { handlers, authorizer, catchAll } = await loadFunctions(dependencies);
  return {
    invoke(id, event) {
      const handler = id === 'catchAll' ? catchAll : handlers.get(id);
      if (handler === undefined) throw new Error(`no such function: ${id}`);
      return handler(event, lambdaContext(id, event.requestContext.requestId, TIMEOUT_MS));
    },
    async authorise(event) {
      const { policyDocument } = await authorizer(authorizerEvent(event));
      return policyDocument.Statement[0]?.Effect === 'Allow';
    },
  };
}
