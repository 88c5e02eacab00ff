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
} as const;

/** A metric is made of numbers only if they are not in quotes. Every reply has this one. */
const numeric: keyof typeof accessLogFields = 'latency_ms';

export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify(accessLogFields).replace(`"${accessLogFields[numeric]}"`, accessLogFields[numeric]),
);
