import type { Endpoint, Facade } from '../../functions/contract/endpoint.ts';
import { methodsOf, methodsOfFacade } from '../../shared/http/http-contract.ts';
import { gatewayResponses } from '../../shared/http/gateway-responses.ts';
import { REQUEST_ID_HEADER } from '../../shared/http/request-id.ts';

/** Larger replies are compressed for clients that accept it; the local server has the same setting. */
const COMPRESS_ABOVE_BYTES = 1024;

/** The name of the authorizer in the definition. */
export const AUTHORIZER = 'authorizer';

/** The key of the methods that have no operation of their own. */
export const ANY_METHOD = 'x-amazon-apigateway-any-method';

/** A function as the gateway calls it. */
export interface FunctionTarget {
  readonly uri: string;
  /** The ARN of the role that calls it. */
  readonly credentials: string;
}

export interface Operation {
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, never>>;
  readonly security?: readonly Readonly<Record<string, readonly []>>[];
  readonly 'x-amazon-apigateway-integration': FunctionTarget & {
    readonly type: 'aws_proxy';
    readonly httpMethod: 'POST';
  };
}

/** By its method in lower case, or ANY_METHOD. */
export type PathItem = Readonly<Record<string, Operation>>;

export interface ApiParts {
  readonly title: string;
  readonly version: string;
  readonly endpoints: readonly (readonly [Endpoint, FunctionTarget])[];
  /** Functions of whole paths. */
  readonly facades: readonly (readonly [Facade, FunctionTarget])[];
  /** Handles requests without an endpoint. */
  readonly catchAll: FunctionTarget;
  /** Serves the site, if there is no CloudFront. */
  readonly site: FunctionTarget | undefined;
  readonly authorizer: FunctionTarget;
  readonly authorizerCacheSeconds: number;
}

/** Where the site is, if the gateway serves it: all paths that are not of the API. */
export const SITE_PATHS = ['/', '/{proxy+}'] as const;
export const SITE_METHODS = ['GET', 'HEAD'] as const;

const secured = { security: [{ [AUTHORIZER]: [] }] } as const;

function operation(path: string, target: FunctionTarget, isOpen = false): Operation {
  const parameters = [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {},
    ...(isOpen ? {} : secured),
    'x-amazon-apigateway-integration': { type: 'aws_proxy', httpMethod: 'POST', ...target },
  };
}

/** The paths of the endpoints, every path that leads to one, and all other paths. */
function allPaths(endpoints: ApiParts['endpoints']): string[] {
  const segments = endpoints.map(([{ path }]) => path.split('/').slice(1));
  const leading = segments.flatMap((parts) => parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`));
  return ['/', ...new Set(leading), '/{proxy+}'];
}

/**
 * ANY replies 405 to other methods of existing paths, and 404 to other paths, for authenticated callers. The gateway
 * itself would reply 403 to both, and would echo an Authorization header that it cannot parse.
 */
function pathsOf({ endpoints, facades, catchAll, site }: ApiParts): Record<string, PathItem> {
  const items = allPaths(endpoints).map((path): [string, PathItem] => {
    const ownMethods = endpoints
      .filter(([endpoint]) => endpoint.path === path)
      // The function handles HEAD as GET; the gateway, like every HTTP server, then sends no body.
      .flatMap(([endpoint, target]) =>
        methodsOf(endpoint).map((name): [string, Operation] => [
          name.toLowerCase(),
          operation(path, target, endpoint.role === 'none'),
        ]),
      );
    return [path, { ...Object.fromEntries(ownMethods), [ANY_METHOD]: operation(path, catchAll) }];
  });
  const whole = facades.flatMap(([facade, target]) =>
    facade.paths.map((path): [string, PathItem] => {
      const anyMethod = operation(path, target, facade.role === 'none');
      const only = methodsOfFacade(facade)?.map((name) => [name.toLowerCase(), anyMethod] as const);
      if (only === undefined) return [path, { [ANY_METHOD]: anyMethod }];
      return [path, { ...Object.fromEntries(only), [ANY_METHOD]: operation(path, catchAll) }];
    }),
  );
  const paths = Object.fromEntries([...items, ...whole]);
  if (site === undefined) return paths;
  for (const path of SITE_PATHS) {
    const siteOperations = SITE_METHODS.map((method) => [method.toLowerCase(), operation(path, site, true)] as const);
    paths[path] = { ...paths[path], ...Object.fromEntries(siteOperations) };
  }
  // Other paths of the API are no files of the site.
  return { ...paths, '/v1/{proxy+}': { [ANY_METHOD]: operation('/v1/{proxy+}', catchAll) } };
}

const ourReplies = () =>
  Object.fromEntries(
    gatewayResponses.map(({ type, httpStatus, headers, requestId, template }) => {
      // A value in single quotes is literal. Single quotes inside it, as in a content security policy, need no escaping.
      const literals = Object.entries(headers).map(([name, value]) => [name, `'${value}'`] as const);
      // Without quotes and dollar sign: the value of a variable.
      const all = [...literals, [REQUEST_ID_HEADER, `context.${requestId}`] as const];
      const reply = {
        statusCode: String(httpStatus),
        responseParameters: Object.fromEntries(all.map(([name, value]) => [`gatewayresponse.header.${name}`, value])),
        responseTemplates: { 'application/json': template },
      };
      return [type, reply];
    }),
  );

function authorizerScheme({ authorizer, authorizerCacheSeconds }: ApiParts) {
  return {
    type: 'apiKey',
    name: 'Authorization',
    in: 'header',
    'x-amazon-apigateway-authtype': 'custom',
    'x-amazon-apigateway-authorizer': {
      type: 'request',
      authorizerUri: authorizer.uri,
      authorizerCredentials: authorizer.credentials,
      // Also without a cache: a request without the header gets the same 401 from the gateway as from the authorizer.
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: authorizerCacheSeconds,
    },
  };
}

/**
 * TLS 1.2 or newer; without it a regional API accepts TLS 1.0. Every policy whose name begins with `SecurityPolicy_`
 * needs an access mode, and `BASIC` is the one that refuses nothing else.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const transportSecurity = {
  securityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06',
  endpointAccessMode: 'BASIC',
} as const;

/**
 * The whole gateway as one document, which it imports at once: an operation for each endpoint, the authorizer, and our
 * error format for the replies of the gateway itself. Without schemas, because the functions validate. API Gateway reads
 * OpenAPI 3.0, not 3.1. https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */
export function apiDefinition(parts: ApiParts) {
  return {
    openapi: '3.0.1',
    info: { title: parts.title, version: parts.version },
    'x-amazon-apigateway-security-policy': transportSecurity.securityPolicy,
    'x-amazon-apigateway-endpoint-access-mode': transportSecurity.endpointAccessMode,
    'x-amazon-apigateway-minimum-compression-size': COMPRESS_ABOVE_BYTES,
    // Permits functions to return bodies that they have compressed themselves (shared/http/carry.ts). With a specific
    // type, the gateway would depend on Accept, which some clients omit. A consequence: it passes request bodies as
    // Base64. https://docs.aws.amazon.com/apigateway/latest/developerguide/lambda-proxy-binary-media.html
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    paths: pathsOf(parts),
    components: { securitySchemes: { [AUTHORIZER]: authorizerScheme(parts) } },
    'x-amazon-apigateway-gateway-responses': ourReplies(),
  };
}

export type ApiDocument = ReturnType<typeof apiDefinition>;
