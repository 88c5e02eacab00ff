import { type ErrorKind, errorBody, errorKinds } from '../core/errors.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/**
 * The replies that API Gateway makes itself, before or instead of a function: every type, in our error format. The
 * deployed gateway and the local one both use this table. The gateway substitutes variables in the templates without
 * escaping, so they may contain only fixed words (`$context.authorizer.message` is one of a closed list). Types and
 * defaults: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const responses = {
  // For an invalid key the authorizer does not throw but denies, with the reason. So a denial is a failed
  // authentication (401).
  ACCESS_DENIED: ['unauthenticated', '$context.authorizer.message'],
  UNAUTHORIZED: ['unauthenticated', 'Unauthorized'],
  INVALID_SIGNATURE: ['unauthenticated', 'Unauthorized'],
  EXPIRED_TOKEN: ['unauthenticated', 'Unauthorized'],
  INVALID_API_KEY: ['unauthenticated', 'Unauthorized'],
  // The authorizer fails when the table cannot be reached. The call is never allowed, and the caller may retry.
  AUTHORIZER_FAILURE: ['unavailable', 'The service is busy. Try again.'],
  AUTHORIZER_CONFIGURATION_ERROR: ['internal', 'Internal server error.'],
  API_CONFIGURATION_ERROR: ['internal', 'Internal server error.'],
  BAD_REQUEST_BODY: ['invalidArgument', 'Invalid request body.'],
  BAD_REQUEST_PARAMETERS: ['invalidArgument', 'Invalid request parameters.'],
  UNSUPPORTED_MEDIA_TYPE: ['unsupportedMediaType', 'Send the body as application/json, in UTF-8 and not compressed.'],
  MISSING_AUTHENTICATION_TOKEN: ['notFound', 'Not Found'],
  RESOURCE_NOT_FOUND: ['notFound', 'Not Found'],
  REQUEST_TOO_LARGE: ['bodyTooLarge', 'The request is too large.'],
  THROTTLED: ['resourceExhausted', 'Too many requests. Try again.'],
  QUOTA_EXCEEDED: ['resourceExhausted', 'Too many requests. Try again.'],
  WAF_FILTERED: ['permissionDenied', 'Access denied.'],
  INTEGRATION_FAILURE: ['unavailable', 'The service is busy. Try again.'],
  INTEGRATION_TIMEOUT: ['unavailable', 'The service is busy. Try again.'],
} as const satisfies Record<string, readonly [ErrorKind, string]>;

export type GatewayResponseType = keyof typeof responses;

export interface GatewayResponse {
  type: GatewayResponseType;
  httpStatus: number;
  headers: Record<string, string>;
  /** The variable of `$context` for X-Request-Id. */
  requestId: string;
  /** JSON with `$context` variables, which the gateway substitutes. */
  template: string;
}

/** Headers on every reply of the API, including those of the gateway. */
export const apiHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** The client can choose `$context.requestId`, but not this one. */
const REQUEST_ID = 'extendedRequestId';

function gatewayResponse(type: GatewayResponseType): GatewayResponse {
  const [kind, message] = responses[type];
  const entry: { http: number; headers?: Record<string, string> } = errorKinds[kind];
  return {
    type,
    httpStatus: entry.http,
    headers: { ...apiHeaders, ...entry.headers },
    requestId: REQUEST_ID,
    template: JSON.stringify(errorBody(kind, message, `$context.${REQUEST_ID}`)),
  };
}

const types: readonly GatewayResponseType[] = Object.keys(responses).filter(
  (type): type is GatewayResponseType => type in responses,
);

export const gatewayResponses: readonly GatewayResponse[] = types.map(gatewayResponse);

/** The gateway's reply of one type, with its `$context` variables substituted. */
export function renderGatewayResponse(
  type: GatewayResponseType,
  context: Readonly<Record<string, string>>,
): { statusCode: number; headers: Record<string, string>; body: string } {
  const { httpStatus, headers, requestId, template } = gatewayResponse(type);
  const body = template.replace(/\$context\.([A-Za-z.]+)/g, (_, name: string) => context[name] ?? '');
  return { statusCode: httpStatus, headers: { ...headers, [REQUEST_ID_HEADER]: context[requestId] ?? '' }, body };
}
