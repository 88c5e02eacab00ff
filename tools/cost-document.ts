import { MEMORY_MB } from '../infra/function-size.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';
import { type Cost, costs } from '../tests/costs/costs.ts';

/** USD in us-east-1, without what is free each month, as of 2026-11; the addresses are in the document. */
const prices = {
  gatewayRequest: 3.5e-6,
  cloudFrontRequest: 1e-6,
  cloudFrontByte: 0.085e-9,
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 0.0000133334,
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  logByte: 0.5e-9,
  trace: 5e-6,
  storedGbMonth: 0.25,
  recoveryGbMonth: 0.2,
  secretMonth: 0.4,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  keyMonth: 1,
  firewallMonth: 7,
} as const;

/** As many as cost nothing; a test of the stack holds it to this. */
export const MAX_ALARMS = 13;

/** X-Ray keeps the first request of each second, and of the others this share. */
const TRACED = 0.05;

/** Of DynamoDB in the same region, for one step of a request: "single-digit milliseconds". */
const TABLE_MS = 5;

/** Lines of log that a request leaves, each with the 26 bytes that CloudWatch adds: the gateway's and the function's. */
const LOG_BYTES = 337 + 235 + 2 * 26;

/** Stored for one object, indexes and the items around it included, 100 bytes of overhead for each item. */
const storedBytes = { node: 2109, pmmAgent: 1090, service: 2486, exporter: 2138 } as const;

/** Milliseconds at MEMORY_MB with the table's own time (`node bench/main.ts memory`), and bytes of the reply. */
interface Figures {
  function: string;
  request: string;
  handlerMs: number;
  replyBytes: number;
}

const figures: readonly Figures[] = [
  { function: 'getNode', request: 'a node', handlerMs: 4.5, replyBytes: 400 },
  { function: 'listNodes', request: '100', handlerMs: 24, replyBytes: 40_000 },
  { function: 'addNode', request: 'a node', handlerMs: 4, replyBytes: 400 },
  { function: 'addService', request: 'on one node', handlerMs: 4, replyBytes: 450 },
  { function: 'addAgent', request: 'under a pmm_agent, with a service as target', handlerMs: 6, replyBytes: 500 },
  { function: 'changeNode', request: 'a label', handlerMs: 6, replyBytes: 400 },
  { function: 'removeNode', request: 'a leaf', handlerMs: 6, replyBytes: 0 },
];

const AUTHORIZER = { function: 'authorizer', request: 'a key', handlerMs: 3.4 } as const;

const MILLION = 1_000_000;

const usd = (value: number) => value.toFixed(2);

function costOf(of: { function: string; request: string }): Cost {
  const cost = costs.find((one) => one.function === of.function && one.request === of.request);
  if (cost === undefined) throw new Error(`nothing was counted for ${of.function}, ${of.request}`);
  return cost;
}

/** One call of a function, in USD: what Lambda and the table take for it. */
function callPrices(of: { function: string; request: string; handlerMs: number }): { lambda: number; table: number } {
  const { steps, readUnits, writeUnits } = costOf(of);
  const seconds = (of.handlerMs + steps * TABLE_MS) / 1000;
  return {
    lambda: prices.lambdaRequest + seconds * (MEMORY_MB / 1024) * prices.lambdaGbSecond,
    table: readUnits * prices.readUnit + writeUnits * prices.writeUnit,
  };
}

function requestTable(): string {
  const authorizer = callPrices(AUTHORIZER);
  const authorized = authorizer.lambda + authorizer.table;
  const rows = figures.map((figure) => {
    const { lambda, table } = callPrices(figure);
    const fronts = prices.gatewayRequest + prices.cloudFrontRequest + figure.replyBytes * prices.cloudFrontByte;
    const watching = LOG_BYTES * prices.logByte + TRACED * prices.trace;
    const parts = [fronts, lambda, table, watching].map((part) => part * MILLION);
    const sum = parts.reduce((total, part) => total + part, 0);
    return [`\`${figure.function}\`, ${figure.request}`, ...[...parts, sum, sum + authorized * MILLION].map(usd)];
  });
  return markdownTable(
    ['Request', 'Gateway, CloudFront', 'Lambda', 'DynamoDB', 'Logs, traces', 'Sum', 'Sum without cached authorizer'],
    rows,
  );
}

function restTable(): string {
  const host = storedBytes.node + storedBytes.pmmAgent + storedBytes.service + 2 * storedBytes.exporter;
  const gigabytes = (10_000 * host) / 1e9;
  return markdownTable(
    ['At rest', 'USD a month'],
    [
      ['Secret of the admin password', usd(prices.secretMonth)],
      [`${MAX_ALARMS} alarms (the first 10 of an account are free)`, usd(MAX_ALARMS * prices.alarmMonth)],
      ['Dashboard (the first three of an account are free)', usd(prices.dashboardMonth)],
      [
        `10,000 hosts, each a node, a pmm_agent, a service and two exporters: ${gigabytes.toFixed(2)} GB in the table`,
        usd(gigabytes * prices.storedGbMonth),
      ],
      ['Point-in-time recovery of them', usd(gigabytes * prices.recoveryGbMonth)],
      ['With `customerManagedKey`', usd(prices.keyMonth)],
      ['With `waf`: a web ACL and two rules', usd(prices.firewallMonth)],
    ],
  );
}

/** docs/costs.md. */
export function costDocument(): string {
  return `<!-- Generated by \`node tools/generate.ts\` from what tests/costs counts and bench/ measures: change those, not this file. -->

# What it costs

Idle, it costs what the second table says; nothing runs, and nothing is paid by the hour. A request costs the same whether there are
ten objects or a million.

## A million requests

USD in us-east-1, without what is free each month.

${requestTable()}

The authorizer is asked once per credential and \`authorizerCacheSeconds\` (30 s): a client that calls more often than that pays the
first sum, one that calls now and then the second. Most of it is API Gateway; the table of any request is in \`tests/costs/costs.ts\`, where a test
counts it, and \`node bench/main.ts capacity\` prints it.

## A month

${restTable()}

The metric behind the alarm on 429 costs up to 0.30 USD a month, for the hours in which there was such a reply.

## Where the figures come from

- Capacity units: counted for each request by a test (\`tests/costs/\`).
- Milliseconds: \`node bench/main.ts memory\`, the function at ${MEMORY_MB} MB, that is with ${Math.round((MEMORY_MB / 1769) * 100)} % of a processor; plus ${TABLE_MS} ms for each step at
  the table. Starts are not in them.
- Bytes: ${LOG_BYTES} of log for a request, as measured; replies of usual size; items with their indexes.
- Prices: [API Gateway](https://aws.amazon.com/api-gateway/pricing/), [CloudFront](https://aws.amazon.com/cloudfront/pricing/),
  [Lambda](https://aws.amazon.com/lambda/pricing/), [DynamoDB](https://aws.amazon.com/dynamodb/pricing/on-demand/),
  [CloudWatch](https://aws.amazon.com/cloudwatch/pricing/), [X-Ray](https://aws.amazon.com/xray/pricing/),
  [Secrets Manager](https://aws.amazon.com/secrets-manager/pricing/), [KMS](https://aws.amazon.com/kms/pricing/),
  [WAF](https://aws.amazon.com/waf/pricing/).
`;
}
