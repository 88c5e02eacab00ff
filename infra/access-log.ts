import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * A line per request, in named fields and nothing else: no header, no query string, no path as sent (ids and mistyped keys
 * may stand in it), and nothing that a client could put quotes into, since API Gateway does not escape.
 * Variables: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
export const accessLogFields = {
  // The one id that no client chooses; it stands in every error and in the log of the function.
  request_id: '$context.extendedRequestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  // Id of the key or session, or name of the user; which one it was, and never the credential.
  caller: '$context.authorizer.principalId',
  source_ip: '$context.identity.sourceIp',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integration.latency',
  response_bytes: '$context.responseLength',
  // Which of its own answers the gateway gave, if it did: ACCESS_DENIED, THROTTLED, INTEGRATION_FAILURE, ...
  gateway_response: '$context.error.responseType',
  trace_id: '$context.xrayTraceId',
} as const;

export const accessLogFormat = AccessLogFormat.custom(JSON.stringify(accessLogFields));
