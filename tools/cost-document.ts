import { LAST_USED_EVERY_SECONDS } from '../functions/store/credentials/api-key-use.ts';
import { MEMORY_MB } from '../infra/functions/function-size.ts';
import { OBJECTS_PER_HOST, STORED_BYTES_PER_HOST } from '../tests/costs/growth.ts';
import { GATEWAY_RATE } from './costs/account-limits.ts';
import { FLEETS, fleetTable, reportsPerHost, restTable, stateTable, targets } from './costs/fleet-tables.ts';
import { STATE_EVENTS_MINUTES } from '../functions/domain/records/state-events.ts';
import { passLimits } from '../functions/store/inventory/publish-states.ts';
import { DAYS_OF_A_MONTH, MONTH_SECONDS, stateChangeUsage, tracedShare, unitsAt } from './costs/fleets.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';
import { billOf, priceRows, PRICES_AS_OF, REGION, sumOf, usdOf } from './costs/prices.ts';
import { reporting } from './costs/reporting.ts';
import {
  authorizerTable,
  growthTable,
  refusedTable,
  requestTable,
  usd,
  WATCHED_HOSTS,
} from './costs/request-tables.ts';
import { addedHeaderBytes, CPU_SHARE, logLineBytes, TABLE_MS, TRACED } from './costs/requests.ts';

const MILLION = 1e6;

const whole = (value: number) => value.toLocaleString('en');

/** USD for a host and a month, of a fleet whose requests all have the price of the first tier. */
const perHost = (...of: Parameters<typeof reportsPerHost>) => reportsPerHost(...of).toFixed(3);

function requestSection(): string {
  return `## A million requests

USD, through CloudFront. Reports are first, because a fleet sends hardly anything else.

${requestTable()}

Most of the cost of reads and reports is API Gateway, of writes DynamoDB. With \`waf\`, a million requests cost ${usd(usdOf('firewallRequests', MILLION))} USD more.

The gateway calls the authorizer once for each credential and \`authorizerCacheSeconds\`. The authorizer writes the last use of a key at most
every ${LAST_USED_EVERY_SECONDS / 60} minutes. The first sum applies to clients whose authorizer is cached, the second to clients that call less often than both.

${authorizerTable()}

DynamoDB bills a write that a condition refuses like a write, and a cancelled transaction like its items without indexes. The write units
above contain these:

${refusedTable()}

The capacity of every request is in \`tests/costs/costs.ts\`, where a test counts it, and \`npm run jest -- tests/costs/costs\` prints missing rows.`;
}

function growthSection(): string {
  return `## Requests that grow with the inventory

The cost of other requests does not depend on the size of the inventory; a reconciliation reads the objects of its scope. These requests
read more with each object. A host has ${OBJECTS_PER_HOST} objects: a node, a pmm_agent, a service and two exporters. The last columns are for ${whole(WATCHED_HOSTS)} hosts that one client reads once a minute with gzip, or that the
scheduled cleanup and the passes of \`stateEvents\` read. The price of each request is extra.

${growthTable()}`;
}

function fleetSection(): string {
  const { intervalSeconds, writeAfterSeconds, hostsPerRequest, authorizerCacheSeconds } = reporting;
  const [smallest] = FLEETS;
  const front =
    reportsPerHost('direct', smallest, { ...reporting, throughCloudFront: true }) - reportsPerHost('direct', smallest);
  const firewall = usdOf('firewallRequests', MONTH_SECONDS / intervalSeconds);
  return `## A fleet for a month

USD for hosts that report every ${intervalSeconds / 60} minutes, each for itself or through a relay with up to ${hostsPerRequest} hosts in a request, to the address
of the API without CloudFront. A report without news is written when the last written one is ${writeAfterSeconds / 60} minutes old or more. Relayed reports are computed
from the counted units of \`reportAgents\`: those of each host, in one request to the gateway.

${fleetTable()}

Targets: the reports of a host cost at most ${targets.direct} USD a month directly, now ${perHost('direct', smallest)}, and at most ${targets.relayed} USD through a relay, now ${perHost('relayed', smallest)}.
Through CloudFront, a host that reports directly costs ${front.toFixed(3)} USD more, with \`waf\` ${firewall.toFixed(3)} USD more.

The fleets include the authorizer (cached for ${authorizerCacheSeconds} s), the write of the last use of each key, one log line of the
gateway for each request, hourly cleanups without processor time, and the table: ${(STORED_BYTES_PER_HOST / 1000).toFixed(1)} kB for a host, with point-in-time recovery.`;
}

function stateSection(): string {
  const most = Math.round(unitsAt({ function: 'stateEvents', request: 'nothing has changed' }, passLimits.heartbeats));
  return `## Events of states for a month

USD of the setting \`stateEvents\`, which is off by default: a pass every ${STATE_EVENTS_MINUTES} minutes reads the heartbeat of each node.

${stateTable()}

A pass reads at most ${whole(passLimits.heartbeats)} heartbeats, some ${whole(most)} read units; the next one continues. A million changes of states cost ${usd(sumOf(billOf(stateChangeUsage(MILLION))))} USD
with their events.`;
}

function restSection(): string {
  return `## At rest

Nothing else is billed without requests. Nothing is billed by the hour unless \`provisionedConcurrency\` is set, or a VPC has endpoints.

${restTable()}

Requests to provisioned instances cost ${usd(usdOf('provisionedRunGbSeconds', MILLION))} USD for a million GB-seconds instead of ${usd(usdOf('lambdaGbSeconds', MILLION))}. The metric behind the alarm on 429 costs up
to ${usd(usdOf('metrics', 1))} USD a month, for the hours in which there was such a reply. Contributor Insights also counts events of throttled keys, of which there
are none at rest. With \`customerManagedKey\`, AWS's services ask the key on behalf of functions: ${usd(usdOf('keyRequests', MILLION))} USD for a million requests, far
fewer than those to the API, because DynamoDB caches data keys.`;
}

function mostSection(): string {
  const requests = GATEWAY_RATE * MONTH_SECONDS;
  return `## The most that requests cost

The throttles apply to each method by itself, so that all methods together accept more than the ${whole(GATEWAY_RATE)} requests a second of an
account and region. These cost ${whole(Math.round(usdOf('gatewayRequests', requests)))} USD a month for API Gateway alone.`;
}

/** Requests a second for which the price of traces is stated. */
const TRACED_RATES = [0.4, 5, 50] as const;

function traceSection(): string {
  const rows = TRACED_RATES.map((perSecond) => [
    String(perSecond),
    usd(usdOf('traces', tracedShare(perSecond) * MILLION)),
  ]);
  return `## Traces at a low rate

Lambda traces the first request of a second and ${TRACED * 100} % of the others, of each function. The prices above contain ${TRACED * 100} %. USD for the traces of a
million requests that one function gets:

${markdownTable(['Requests a second', 'X-Ray'], rows)}`;
}

function sourceSection(): string {
  const { gateway, function: own } = logLineBytes;
  return `## Prices

USD in ${REGION}, without the free tier, as of ${PRICES_AS_OF}. Tiers are amounts of a month.

${markdownTable(['Service', 'For a', 'USD'], priceRows())}

## Where the figures come from

- Capacity units, bytes of bodies and headers, and changes: counted for each request by a test (\`tests/costs/\`). The gateway adds ${addedHeaderBytes(false)} bytes
  of headers to each reply, CloudFront ${addedHeaderBytes(true) - addedHeaderBytes(false)} more. Replies are not compressed, except those that grow with the inventory.
- Growth: counted at two sizes of the inventory. The figures are on the line through both.
- Milliseconds: [decision 10](decisions/0010-memory.md), processor time of the fastest batch of calls at ${MEMORY_MB} MB, that is with ${Math.round(CPU_SHARE * 100)} % of a processor; plus ${TABLE_MS} ms for each step at
  the table. Cold starts are not included.
- Logs: ${gateway} bytes of the gateway and ${own} of the function for a request, as measured, stored for a month without compression.
- Traces: none of reports (\`infra/functions/inventory-functions.ts\`), ${TRACED * 100} % of other requests: [more at a low rate](#traces-at-a-low-rate).
- Events: one for each change, and one invocation of the function that publishes it, which waits ${TABLE_MS} ms. It costs less when changes are
  frequent, because an invocation publishes up to 100. \`changeEvents\` is the setting.
- A month has ${DAYS_OF_A_MONTH} days. Requests are evenly spread.`;
}

/** docs/costs.md. */
export function costDocument(): string {
  return `<!-- Generated by \`node tools/generate.ts\` from what tests/costs counts and bench/ measures: change those, not this file. -->

# What it costs

USD in ${REGION}, without the free tier. [Prices](#prices) contains the price lists.

${[
  requestSection(),
  traceSection(),
  mostSection(),
  growthSection(),
  fleetSection(),
  stateSection(),
  restSection(),
  sourceSection(),
].join('\n\n')}
`;
}
