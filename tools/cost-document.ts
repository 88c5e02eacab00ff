import { TARGET_UTILIZATION } from '../infra/data/table-capacity.ts';
import { LAST_USED_EVERY_SECONDS } from '../functions/store/credentials/api-key-use.ts';
import { MEMORY_MB } from '../infra/functions/function-size.ts';
import { OBJECTS_PER_HOST, STORED_BYTES_PER_HOST } from '../tests/costs/growth.ts';
import { GATEWAY_TARGET, gatewayAtRest, gatewayTable } from './costs/agent-gateway.ts';
import { GATEWAY_RATE } from './costs/account-limits.ts';
import {
  collectorsPerHost,
  FLEETS,
  fleetTable,
  reportsPerHost,
  restTable,
  statesFor,
  targets,
  TENANT_TARGET,
  tenantAtRest,
  TUNED_TARGET,
  tunedTable,
} from './costs/fleet-tables.ts';
import { STATE_EVENTS_MINUTES } from '../functions/domain/records/state-events.ts';
import { passLimits } from '../functions/store/inventory/publish-states.ts';
import { DAYS_OF_A_MONTH, MONTH_SECONDS, stateChangeUsage, tracedShare, unitsAt } from './costs/fleets.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';
import { billOf, priceRows, PRICES_AS_OF, REGION, sumOf, usdOf } from './costs/prices.ts';
import { reporting } from './costs/reporting.ts';
import { authorizerPrices, growthTable, requestTable, usd, WATCHED_HOSTS } from './costs/request-tables.ts';
import { TABLE_MS, TRACED } from './costs/requests.ts';

const MILLION = 1e6;

const whole = (value: number) => value.toLocaleString('en');

/** USD for a host and a month, of a fleet whose requests all have the price of the first tier. */
const perHost = (...of: Parameters<typeof reportsPerHost>) => reportsPerHost(...of).toPrecision(2);

function requestSection(): string {
  const [cached, first] = authorizerPrices();
  return `## A million requests

USD, through CloudFront. A fleet sends hardly anything but reports.

${requestTable()}

\`waf\` adds ${usd(usdOf('firewallRequests', MILLION))} USD. The gateway calls the authorizer (${cached} USD) once for each credential and \`authorizerCacheSeconds\`; it writes the last use
of a key at most every ${LAST_USED_EVERY_SECONDS / 60} minutes (then ${first} USD), which the last column contains, of a host that only reports once a day. Lambda traces the first request of a second and ${TRACED * 100} % of the
others: a function with few requests costs up to ${usd(usdOf('traces', MILLION))} USD more, with 5 a second ${usd(usdOf('traces', tracedShare(5) * MILLION))}. DynamoDB bills refused writes too.

A test counts the capacity of every request: \`tests/costs/costs.ts\`.`;
}

function growthSection(): string {
  return `## Requests that grow with the inventory

The cost of other requests does not depend on the size of the inventory; a reconciliation reads its scope. A host has ${OBJECTS_PER_HOST} objects. The last
column is DynamoDB for ${whole(WATCHED_HOSTS)} hosts that one client reads once a minute, or the schedule of the cleanup and of \`stateEvents\`.

${growthTable()}`;
}

function fleetSection(): string {
  const { intervalSeconds, hostsPerRequest } = reporting;
  const [smallest] = FLEETS;
  const front =
    reportsPerHost('direct', smallest, { ...reporting, throughCloudFront: true }) - reportsPerHost('direct', smallest);
  return `## A fleet for a month

USD for hosts that report every ${intervalSeconds / 60} minutes to the address of the API, each for itself or through a relay with up to ${hostsPerRequest} hosts in a request.
The sum contains the authorizer, logs, transfer, hourly cleanups, ${(STORED_BYTES_PER_HOST / 1000).toFixed(1)} kB of the table for a host, and [what is billed at rest](#at-rest).

${fleetTable()}

With the settings for a large fleet whose hosts report for themselves, ${whole(TUNED_TARGET.hosts)} hosts cost at most ${whole(TUNED_TARGET.usd)} USD (target):

${tunedTable()}

Provisioned capacity is used to ${TARGET_UTILIZATION} %, evenly, because hosts spread their reports.

Targets: the reports of a host cost at most ${targets.direct} USD directly, now ${perHost('direct', smallest)}, and ${targets.relayed} USD through a relay, now ${perHost('relayed', smallest)}. CloudFront
adds ${front.toFixed(3)} USD.

OpAMP: one collector for each host. By HTTP at its default interval of 30 s a collector costs ${collectorsPerHost(smallest, 30).toFixed(3)} USD, at ${intervalSeconds} s
${collectorsPerHost(smallest).toFixed(3)}. Over a WebSocket, the agent gateway sends the same requests for a silent collector every ${intervalSeconds} s: the price of
the gateway comes on top.`;
}

function gatewaySection(): string {
  const { hosts, usd: most } = GATEWAY_TARGET;
  return `## The agent gateway for a month

USD with the setting \`agentGateway\`, for agents with a stream each, with everything else of the service. Resources are counted in the template; there is no NAT gateway
and no endpoint. Reports are an upper bound: each host as early as the gateway permits, in requests with hosts of all groups.

${gatewayTable()}

Target: ${whole(hosts)} hosts cost at most ${most} USD a month. Without agents, two containers cost ${usd(gatewayAtRest(2))} USD, one costs ${usd(gatewayAtRest(1))}.
Many reports that arrive early, changes, and calls of pmm-admin are billed as those of other clients.`;
}

function stateSection(): string {
  const most = Math.round(unitsAt({ function: 'stateEvents', request: 'nothing has changed' }, passLimits.heartbeats));
  return `## Events of states for a month

A pass of \`stateEvents\` every ${STATE_EVENTS_MINUTES} minutes costs ${statesFor(WATCHED_HOSTS)} USD for ${whole(WATCHED_HOSTS)} hosts, in proportion to their number. It reads at most
${whole(passLimits.heartbeats)} heartbeats, some ${whole(most)} read units. A million changes cost ${usd(sumOf(billOf(stateChangeUsage(MILLION))))} USD with their events.`;
}

function restSection(): string {
  return `## At rest

Nothing else is billed without requests.

${restTable()}

A million GB-seconds of requests to provisioned instances cost ${usd(usdOf('provisionedRunGbSeconds', MILLION))} USD instead of ${usd(usdOf('lambdaGbSeconds', MILLION))}. The metric of replies with 429 costs up to ${usd(usdOf('metrics', 1))} USD
in months with such a reply.

Target: a [tenant](tenants.md) at rest costs less than ${usd(TENANT_TARGET)} USD a month, now ${usd(sumOf(billOf(tenantAtRest)))}. Without \`cdn\` it has one secret.`;
}

function mostSection(): string {
  const requests = GATEWAY_RATE * MONTH_SECONDS;
  return `## The most that requests cost

The throttles apply to each method. All methods together accept more than the ${whole(GATEWAY_RATE)} requests a second of an account and region, which
cost ${whole(Math.round(usdOf('gatewayRequests', requests)))} USD a month for API Gateway alone.`;
}

function sourceSection(): string {
  return `## Prices

USD in ${REGION}, without the free tier, as of ${PRICES_AS_OF}.

${markdownTable(['Service', 'USD'], priceRows())}

Units, bytes and changes are counted for each request by a test (\`tests/costs/\`); growth is counted at two sizes. Processor times are measured at
${MEMORY_MB} MB ([decision 10](decisions/0010-memory.md)), with ${TABLE_MS} ms for each step at the table and without cold starts. A change with \`changeEvents\` is one event and
at most one invocation. Only replies that grow with the inventory are compressed. A month has ${DAYS_OF_A_MONTH} days.`;
}

/** docs/costs.md. */
export function costDocument(): string {
  return `<!-- Generated by \`node tools/generate.ts\` from what tests/costs counts: change that, not this file. -->

# What it costs

${[
  requestSection(),
  growthSection(),
  fleetSection(),
  gatewaySection(),
  stateSection(),
  restSection(),
  mostSection(),
  sourceSection(),
].join('\n\n')}
`;
}
