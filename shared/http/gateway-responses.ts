import { type ErrorKind, errorBody, errorKinds } from './errors.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/**
 * What API Gateway answers by itself, before or instead of a function: every type it has, in our error shape.
 * The deployed gateway and the local one are both made from this table. Templates are filled by plain substitution
 * without escaping, so only fixed words of our own may come in (`$context.authorizer.message` is one of a closed list).
 * Types and defaults: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const responses = {
  // The authorizer never throws for a bad key: it denies and says why, so a denial is a failed authentication (401).
  ACCESS_DENIED: ['unauthenticated', '$context.authorizer.message'],
  UNAUTHORIZED: ['unauthenticated', 'Unauthorized'],
  INVALID_SIGNATURE: ['unauthenticated', 'Unauthorized'],
  EXPIRED_TOKEN: ['unauthenticated', 'Unauthorized'],
  INVALID_API_KEY: ['unauthenticated', 'Unauthorized'],
  // A table that cannot be reached fails the authorizer; never an allow, and the caller may try again.
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
  /** The variable of `$context` that goes into X-Request-Id. */
  requestId: string;
  /** JSON with `$context` variables in it, to be substituted by the gateway. */
  template: string;
}

/** Headers on every reply of the API, whoever makes it. */
export const apiHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** The client may choose `$context.requestId`, never this one. */
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

/** What the gateway answers for one type, with its `$context` variables filled in. */
export function renderGatewayResponse(
  type: GatewayResponseType,
  context: Readonly<Record<string, string>>,
): { statusCode: number; headers: Record<string, string>; body: string } {
  const { httpStatus, headers, requestId, template } = gatewayResponse(type);
  const body = template.replace(/\$context\.([A-Za-z.]+)/g, (_, name: string) => context[name] ?? '');
  return { statusCode: httpStatus, headers: { ...headers, [REQUEST_ID_HEADER]: context[requestId] ?? '' }, body };
}
