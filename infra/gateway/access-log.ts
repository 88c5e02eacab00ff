import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * One line for each request, in named fields. It contains no header, no query string and no path as sent (which may
 * contain ids and mistyped keys), and no value into which a client could put quotes, because API Gateway does not
 * escape. Variables:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
export const accessLogFields = {
  // The only id that the client cannot choose; every error and the log of the function contain it.
  request_id: '$context.extendedRequestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  // The id of the key or session, or the name of the user; never the credential.
  caller: '$context.authorizer.principalId',
  source_ip: '$context.identity.sourceIp',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integration.latency',
  response_bytes: '$context.responseLength',
  // The type of the gateway's own reply, if it made one: ACCESS_DENIED, THROTTLED, INTEGRATION_FAILURE, ...
  gateway_response: '$context.error.responseType',
  trace_id: '$context.xrayTraceId',
  // Of Lambda, not of its function: 429 when it starts none.
  lambda_status: '$context.integration.status',
} as const;

/** A field of a line, as patterns of metric filters name it. */
export const fieldOf = (name: keyof typeof accessLogFields) => `$.${name}`;

/** A metric is made of numbers only if they are not in quotes. Every reply has this one. */
const numeric: keyof typeof accessLogFields = 'latency_ms';

const lineOf = (fields: Readonly<Record<string, string>>) =>
  JSON.stringify(fields).replace(`"${accessLogFields[numeric]}"`, accessLogFields[numeric]);

export const accessLogFormat = AccessLogFormat.custom(lineOf(accessLogFields));

/**
 * The same of the HTTP API for reports, with the fields that metrics, the runbook and searches by caller need: the price
 * of a line is a tenth of that of a report. An HTTP API names the route with its method, and has no other id.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
export const reportLogFields = {
  request_id: accessLogFields.request_id,
  time: accessLogFields.time,
  route: '$context.routeKey',
  status: accessLogFields.status,
  caller: accessLogFields.caller,
  source_ip: accessLogFields.source_ip,
  latency_ms: accessLogFields.latency_ms,
  gateway_response: accessLogFields.gateway_response,
} as const satisfies Partial<Record<keyof typeof accessLogFields, string>>;

export const reportLogFormat = lineOf(reportLogFields);
