import { MAX_REPORTS } from '../functions/domain/agent/report.ts';
import { MAX_OPERATIONS } from '../functions/domain/bulk/batch-operation.ts';
import { MAX_IMPORT_OBJECTS } from '../functions/domain/bulk/inventory-line.ts';
import { MAX_DESIRED, MAX_IN_SCOPE } from '../functions/domain/bulk/reconcile-request.ts';
import { MAX_SHARDS } from '../functions/domain/discovery/shard.ts';
import { lifeOf, REPORT_SHARE } from '../functions/domain/fields/liveness.ts';
import { CLEANUP_WORK_SECONDS } from '../functions/domain/records/cleanup.ts';
import { MAX_API_KEYS, MAX_REGISTRARS } from '../functions/store/credentials/key-counters.ts';
import { FIRST_CHANGE_SHARDS, heartbeatPartitions, MAX_CHANGE_SHARDS } from '../functions/store/table/keys.ts';
import { passLimits } from '../functions/store/inventory/publish-states.ts';
import { countLimits } from '../functions/store/summary/count.ts';
import { readSettings } from '../infra/settings/read-settings.ts';
import { MAX_SETTINGS } from '../infra/settings/settings-table.ts';
import { GATEWAY_RATE, GATEWAY_RATE_OF_NEWER_REGIONS } from './account-limits.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';
import { growth, HOSTS, OBJECTS_PER_HOST } from '../tests/costs/growth.ts';

const { throttleRate, throttleBurst, reportRate } = readSettings({});

/** Seconds between two reports of a host with the default timers. */
const interval = REPORT_SHARE * lifeOf({}).staleAfter;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const PARTITION_WRITES = 1000;
const TABLE_UNITS = 40_000;

/** Two writes for each change: the record, and its event. See docs/changes.md. */
const WRITES_OF_A_CHANGE = 2;

/** Targets of a part that docs/large-discovery.md recommends. */
const TARGETS_OF_A_PART = 5000;

const number = (value: number) => Math.floor(value).toLocaleString('en');

const changesBy = (shards: number) => number((shards * PARTITION_WRITES) / WRITES_OF_A_CHANGE);

/** Ceilings in the order in which a growing fleet meets them. */
const rows: readonly (readonly [ceiling: string, value: string, effect: string, remedy: string])[] = [
  [
    'objects in the scope of a reconciliation',
    `${number(MAX_IN_SCOPE)}, of which ${number(MAX_DESIRED)} desired`,
    '400',
    'several scopes, for example one for each team ([reconcile.md](reconcile.md))',
  ],
  [
    'objects in a batch, an import, a request of a relay',
    `${number(MAX_OPERATIONS)}, ${number(MAX_IMPORT_OBJECTS)}, ${number(MAX_REPORTS)}`,
    '400',
    'several requests',
  ],
  [
    'requests a second to one method, without reports',
    `${number(throttleRate)}, and ${number(throttleBurst)} at once`,
    '429 with Retry-After',
    `\`throttleRate\` up to ${number(MAX_SETTINGS.throttleRate)}, \`throttleBurst\` up to ${number(MAX_SETTINGS.throttleBurst)}`,
  ],
  [
    'targets of discovery in one reply',
    number(TARGETS_OF_A_PART),
    'a 503 when the reply exceeds 6 MB or the memory of the function',
    `parts: \`?shard=i/n\` with up to ${MAX_SHARDS} parts, ${number(MAX_SHARDS * TARGETS_OF_A_PART)} targets ([large-discovery.md](large-discovery.md))`,
  ],
  [
    'services, for `GET /v1/clusters`',
    '50,000: a page reads the list of all services, 42 units and 20 ms of a processor for each 1,000',
    'a page takes more than 3 s of a function with 512 MB; 503 above some 120,000',
    'planned: an index of cluster names',
  ],
  [
    'objects that one request counts for `GET /v1/summary`',
    number(countLimits.objects),
    'the count continues in the following requests, and the numbers are those of the last whole count',
    'none is needed: 1,000,000 objects are counted within 50 requests',
  ],
  ['API keys without those of hosts', number(MAX_API_KEYS), '429', 'none; hosts have keys of their own'],
  ['service accounts of clients of PMM', number(MAX_API_KEYS), '429', 'none'],
  [
    'hosts that report directly, with the default timers',
    number(reportRate * interval),
    '429 with Retry-After; hosts repeat, and become stale only if they are refused for minutes',
    `\`reportRate\` up to ${number(MAX_SETTINGS.reportRate)}: ${number(MAX_SETTINGS.reportRate * interval)} hosts; larger \`stale_after\`; a relay`,
  ],
  [
    'functions that run at once',
    'the quota of the account, 1,000 by default',
    '429 or 503',
    'Service Quotas: Lambda, concurrent executions',
  ],
  [
    'changes a second',
    changesBy(FIRST_CHANGE_SHARDS),
    'writes are repeated, then 503',
    `\`changeShards\` up to ${MAX_CHANGE_SHARDS}: ${changesBy(MAX_CHANGE_SHARDS)} ([changes.md](changes.md))`,
  ],
  [
    'requests a second of all APIs of an account and region',
    `${number(GATEWAY_RATE)}, in newer regions ${number(GATEWAY_RATE_OF_NEWER_REGIONS)}`,
    '429',
    'Service Quotas: API Gateway; a relay sends one request for ' + `${number(MAX_REPORTS)} hosts`,
  ],
  [
    'units a second of the table',
    `${number(TABLE_UNITS)} for reads and for writes`,
    'calls are repeated, then 503',
    'Service Quotas: DynamoDB',
  ],
  [
    'nodes that one scheduled cleanup looks at',
    `what ${CLEANUP_WORK_SECONDS / 60} minutes suffice for`,
    'the next run continues',
    'none is needed; see [life-cycle.md](life-cycle.md#cleanup)',
  ],
  [
    'nodes that one pass of `stateEvents` looks at',
    number(passLimits.heartbeats),
    'the next pass continues, so changes of states are published later',
    'none is needed; see [states.md](states.md#events-of-states)',
  ],
  [
    'changes of states a second',
    number(PARTITION_WRITES / WRITES_OF_A_CHANGE),
    'writes are repeated, and the next pass continues',
    'none: they have one partition',
  ],
  [
    'agents at one agent gateway',
    '12,000 connections; on one machine 400',
    'further connections are closed, and agents try again',
    'several gateways ([agent-gateway.md](agent-gateway.md#limits)). After a restart 10,000 agents return by some 100 requests',
  ],
  ['hosts with a key', number(MAX_REGISTRARS), '429 for an enrolment', 'a second inventory'],
  [
    'stored reports a second',
    `${number(heartbeatPartitions.length * PARTITION_WRITES)} in ${heartbeatPartitions.length} partitions, which DynamoDB splits when they are hot`,
    'calls are repeated, then 503',
    'larger `stale_after`',
  ],
  [
    'one region, one account',
    'one inventory',
    '',
    'planned: an inventory for each region or account, and a client that reads all of them. Export and change feed exist for it',
  ],
];

/** The amount for 1,000 more objects. Not below zero: a reply of a few bytes more or less is no growth. */
const slope = (small: number, large: number) =>
  Math.max(0, (large - small) / (HOSTS[1] - HOSTS[0]) / OBJECTS_PER_HOST) * 1000;

/** The requests whose units grow with the inventory. */
const growthTable = (): string =>
  markdownTable(
    ['Request', 'Read units for 1,000 objects', 'kB'],
    growth.map(({ function: id, request, walks: [small, large] }) => [
      `\`${id}\`, ${request}`,
      slope(small.readUnits, large.readUnits).toFixed(1),
      (slope(small.bytes, large.bytes) / 1000).toFixed(1),
    ]),
  );

/** docs/scale.md. */
export function scaleDocument(): string {
  return `<!-- Generated by \`node tools/generate.ts\`: change tools/scale-document.ts, not this file. -->

# Scale: how far does one inventory grow?

The ceilings of one inventory, in the order in which a growing fleet meets them. Limits of AWS are the defaults of an account.

${markdownTable(['Ceiling', 'Value', 'What happens there', 'What raises it'], rows)}

With the default timers a host reports every ${number(interval)} s. [costs.md](costs.md) states what fleets cost.

## What stays the same

Gets, pages of lists, selectors with a label that few objects have, lists by state, pages of the change feed, a part of discovery, enrolments and
reports read a bounded number of items. Read units, measured in 2026-11 on the embedded engine:

| Request | 10,000 nodes | 1,000,000 nodes |
| --- | --- | --- |
| the first page of nodes | 6 | 6 |
| a selector that 50 nodes match | 53 | 53 |
| a page of the nodes that are offline, which are 50 | 223 | 185 |
| 100 changes | 39 | 37 |

## What grows with the inventory

Counted by \`tests/costs/growth.test.ts\` at two sizes; a host has ${OBJECTS_PER_HOST} objects. A million read units cost some
[0.13 USD](costs.md). A reconciliation reads its scope.

${growthTable()}
`;
}
