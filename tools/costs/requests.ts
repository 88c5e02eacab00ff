import { reportAgents } from '../../functions/api/endpoint-table.ts';
import { endpoints } from '../../functions/api/endpoints.ts';
import type { reportLogFields } from '../../infra/gateway/access-log.ts';
import { MEMORY_MB } from '../../infra/functions/function-size.ts';
import { type Cost, costs } from '../../tests/costs/costs.ts';
import { headerBytes, traffic, type TrafficOf } from '../../tests/costs/traffic.ts';
import { plus, type Usage } from './prices.ts';

/** Lambda provides a whole processor at this size, and a share in proportion below it. */
const MB_OF_A_PROCESSOR = 1769;

const CPU_SHARE = MEMORY_MB / MB_OF_A_PROCESSOR;

/** Of DynamoDB in the same region, for one step of a request: "single-digit milliseconds". */
export const TABLE_MS = 5;

/** The line of a report in the log of the HTTP API. */
const reportLine = {
  request_id: 'x'.repeat(16),
  time: '1795640000000',
  route: `${reportAgents.method} ${reportAgents.path}`,
  status: '200',
  caller: 'x'.repeat(36),
  source_ip: '203.0.113.100',
  latency_ms: 12,
  gateway_response: '-',
} as const satisfies Record<keyof typeof reportLogFields, string | number>;

/** The log lines of a request, each with the 26 bytes that CloudWatch adds. */
export const logLineBytes = {
  gateway: 359 + 26,
  reports: JSON.stringify(reportLine).length + 26,
  function: 235 + 26,
} as const;

/** Log lines, and their storage: `logRetentionDays` is 30 by default. An upper bound, because CloudWatch stores them compressed. */
export const logUsage = (bytes: number): Usage => ({ logBytes: bytes, logStoredBytes: bytes });

/**
 * X-Ray records the first request of each second, and of the others this share.
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-console-sampling.html
 */
export const TRACED = 0.05;

/** A request of a client. */
export interface Request {
  function: string;
  request: string;
}

/** A request with its processor time in milliseconds, without the table (decision 10). */
export interface TimedRequest extends Request {
  cpuMs: number;
}

const isSame = (left: Request) => (right: Request) =>
  left.function === right.function && left.request === right.request;

/** @throws Error when nothing was measured. */
function found<One>(one: One | undefined, of: Request): One {
  if (one === undefined) throw new Error(`no measurement of ${of.function}, ${of.request}`);
  return one;
}

export const costOf = (of: Request): Cost => found(costs.find(isSame(of)), of);

export const trafficOf = (of: Request): TrafficOf => found(traffic.find(isSame(of)), of);

/** Seconds of an invocation. */
export const durationOf = (cpuMs: number, steps: number) => (cpuMs / CPU_SHARE + steps * TABLE_MS) / 1000;

/** One invocation of a function, without the table. */
export const invocation = (seconds: number) => ({
  lambdaRequests: 1,
  lambdaGbSeconds: seconds * (MEMORY_MB / 1024),
});

/** The use of Lambda and of the table by a call of a function. */
export function callUsage(of: TimedRequest): Usage {
  const { steps, readUnits, writeUnits, refusedUnits } = costOf(of);
  return { ...invocation(durationOf(of.cpuMs, steps)), readUnits, writeUnits: writeUnits + refusedUnits };
}

/** Headers of a request with a key, as machines send them. */
const requestHeaders = {
  Host: 'd111111abcdef8.cloudfront.net',
  Authorization: `Bearer minv_${'x'.repeat(52)}`,
  'Content-Type': 'application/json',
  'Content-Length': '84',
  'User-Agent': 'agent/3.5.0',
  Accept: '*/*',
  'Accept-Encoding': 'gzip',
} as const;

/** Headers that CloudFront adds to a request. */
const forwardedHeaders = {
  Via: `1.1 ${'0'.repeat(32)}.cloudfront.net (CloudFront)`,
  'X-Forwarded-For': '203.0.113.100',
  'X-Amz-Cf-Id': '0'.repeat(56),
} as const;

/** The headers that API Gateway adds to a reply. */
const gatewayHeaders = {
  Date: 'Mon, 23 Nov 2026 12:00:00 GMT',
  Connection: 'keep-alive',
  'Content-Length': '103',
  'x-amzn-RequestId': '0'.repeat(36),
  'x-amz-apigw-id': '0'.repeat(16),
  'X-Amzn-Trace-Id': `Root=1-00000000-${'0'.repeat(24)};Parent=${'0'.repeat(16)};Sampled=0;Lineage=1:00000000:0`,
} as const;

/** The headers that CloudFront adds to a reply, with those of the managed policy SecurityHeadersPolicy. */
const cloudFrontHeaders = {
  'X-Cache': 'Miss from cloudfront',
  Via: forwardedHeaders.Via,
  'X-Amz-Cf-Pop': 'IAD89-C1',
  'X-Amz-Cf-Id': forwardedHeaders['X-Amz-Cf-Id'],
  'Strict-Transport-Security': 'max-age=31536000',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '1; mode=block',
  'alt-svc': 'h3=":443"; ma=86400',
} as const;

/** First line and last line. */
const FRAME_BYTES = 'HTTP/1.1 200 OK\r\n\r\n'.length;

/** Bytes of headers that the gateway, and CloudFront in front of it, add to each reply. */
const addedHeaderBytes = (throughCloudFront: boolean) =>
  FRAME_BYTES + headerBytes(gatewayHeaders) + (throughCloudFront ? headerBytes(cloudFrontHeaders) : 0);

/** CloudFront bills the bytes of requests to the origin, except those of GET and HEAD. */
const isFreeToOrigin = (id: string) => endpoints.find((endpoint) => endpoint.id === id)?.method === 'GET';

/** The headers that an HTTP API adds to a reply. */
const httpApiHeaders = {
  Date: gatewayHeaders.Date,
  Connection: 'keep-alive',
  'Content-Length': '103',
  'Apigw-Requestid': '0'.repeat(16),
} as const;

/** The use of a report on its way to the function and back through the HTTP API. */
export const httpUsage = (of: Pick<TrafficOf, 'headerBytes' | 'replyBytes'>): Usage => ({
  httpRequests: 1,
  internetBytes: of.headerBytes + of.replyBytes + FRAME_BYTES + headerBytes(httpApiHeaders),
});

/** The use of a request on its way to the function and back. */
export function frontUsage(of: Omit<TrafficOf, 'changes' | 'request'>, throughCloudFront: boolean): Usage {
  const replyBytes = of.headerBytes + of.replyBytes + addedHeaderBytes(throughCloudFront);
  if (!throughCloudFront) return { gatewayRequests: 1, internetBytes: replyBytes };
  const headers = headerBytes(requestHeaders) + headerBytes(forwardedHeaders) + FRAME_BYTES;
  return {
    gatewayRequests: 1,
    cloudFrontRequests: 1,
    // It writes the address of the viewer.
    cloudFrontFunctions: 1,
    cloudFrontBytes: replyBytes,
    ...(isFreeToOrigin(of.function) ? {} : { cloudFrontOriginBytes: of.sentBytes + headers }),
  };
}

/** The function that publishes a change waits for one call of EventBridge, taken as one step. Batches make it cheaper. */
const publication: Usage = plus(invocation(durationOf(0, 1)), { events: 1 });

/** The use of the changes of a request. */
export const changeUsage = (changes: number): Usage =>
  Object.fromEntries(Object.entries(publication).map(([name, amount]) => [name, amount * changes]));
