import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

/** A request as received. */
export interface WireRequest {
  method: string;
  /** Path and query, as sent. */
  url: string;
  /** Names and values alternating, as sent. */
  rawHeaders: readonly string[];
  body: string;
  sourceIp: string;
}

const API_ID = 'local';
const STAGE = 'local';
const ACCOUNT = '000000000000';
const REGION = 'local';

function gathered(pairs: Iterable<readonly [string, string]>): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}

function headerPairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);
}

/** API Gateway's `headers` or `queryStringParameters`: the last value of each name. */
function lastOf(values: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));
}

/** The target of a request as path and query, also when it was sent as a whole URL (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  const [whole, rest = ''] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (whole === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Decodes a parameter. Invalid text ends with the replacement character, which functions refuse. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return `${spaced.replace(/%.*$/s, '')}\u{fffd}`;
  }
}

/** The parameters of a query, in order. */
function queryPairs(query: string): [string, string][] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      return [decoded(name), decoded(value.join('='))];
    });
}

export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** As the deployed gateway passes bodies on, which treats all media types as binary (infra/gateway/api.ts). */
function bodyPart(body: Buffer): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> {
  return { body: body.length === 0 ? null : body.toString('base64'), isBase64Encoded: body.length > 0 };
}

/** Adds the body to an event that was made without it. */
export function withBody(event: APIGatewayProxyEvent, body: Buffer): void {
  Object.assign(event, bodyPart(body));
}

/** The event of a REST API's Lambda proxy integration (payload format 1.0). */
export function proxyEvent(
  request: WireRequest,
  {
    requestId,
    resource,
    params,
    authorizer,
  }: {
    requestId: string;
    resource: string;
    params: Record<string, string>;
    authorizer: Record<string, unknown> | undefined;
  },
): APIGatewayProxyEvent {
  const path = pathOf(request.url);
  const headers = gathered(headerPairs(request.rawHeaders));
  const query = gathered(queryPairs(request.url.slice(path.length + 1)));
  return {
    resource,
    path,
    httpMethod: request.method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: lastOf(query),
    multiValueQueryStringParameters: query,
    pathParameters: params,
    stageVariables: null,
    ...bodyPart(Buffer.from(request.body)),
    requestContext: {
      accountId: ACCOUNT,
      apiId: API_ID,
      authorizer,
      httpMethod: request.method,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: request.sourceIp,
        user: null,
        userAgent: null,
        userArn: null,
      },
      path: `/${STAGE}${path}`,
      protocol: 'HTTP/1.1',
      requestId,
      extendedRequestId: requestId,
      requestTimeEpoch: timeOfDay().getTime(),
      resourceId: resource,
      resourcePath: resource,
      stage: STAGE,
    },
  };
}

/** The event of a REQUEST authorizer for the same request. */
export function authorizerEvent(event: APIGatewayProxyEvent): APIGatewayRequestAuthorizerEvent {
  const { resource, path, httpMethod, headers, multiValueHeaders, requestContext, ...rest } = event;
  return {
    type: 'REQUEST',
    methodArn: `arn:aws:execute-api:${REGION}:${ACCOUNT}:${API_ID}/${STAGE}/${httpMethod}${path}`,
    resource,
    path,
    httpMethod,
    headers,
    multiValueHeaders,
    pathParameters: rest.pathParameters,
    queryStringParameters: rest.queryStringParameters,
    multiValueQueryStringParameters: rest.multiValueQueryStringParameters,
    stageVariables: rest.stageVariables,
    requestContext: { ...requestContext, authorizer: undefined },
  };
}
