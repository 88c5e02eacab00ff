import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
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
import { MAX_OWNERS } from '../functions/store/summary/property-counter.ts';
import { readSettings } from '../infra/settings/read-settings.ts';
import { MAX_SETTINGS } from '../infra/settings/settings-table.ts';
import { GATEWAY_RATE, GATEWAY_RATE_OF_NEWER_REGIONS } from './account-limits.ts';
import { markdownTable } from '../shared/openapi/markdown.ts';
import { costs } from '../tests/costs/costs.ts';
import { MAX_KEPT_HEARTBEATS } from '../functions/store/heartbeats/heartbeat.ts';
import { growth, HOSTS, OBJECTS_PER_HOST } from '../tests/costs/growth.ts';

const SCALE = new URL('../tests/costs/scale.json', import.meta.url);

const { throttleRate, throttleBurst, reportRate } = readSettings({});

/** Seconds between two reports of a host with the default timers. */
const interval = REPORT_SHARE * lifeOf({}).staleAfter;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const PARTITION_WRITES = 1000;
const TABLE_UNITS = 40_000;

/** Two writes for each change: the record, and its event. See docs/changes.md. */
const WRITES_OF_A_CHANGE = 2;

/** Of each of the two objects. */
const IMPORT_UNITS =
  (costs.find(({ function: id, request }) => id === 'importInventory' && request === 'a node and a service on it')
    ?.writeUnits ?? NaN) / 2;

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
    'objects that one request counts for `GET /v1/groups` with filters that no index has',
    '20,000',
    'the reply says where the next request continues',
    'filters: only what matches is counted',
  ],
  [
    'nodes, for lists by state, status or version that few objects have',
    'some 300,000: 26 heartbeats are one unit',
    'a page that is not full after 12 s is short, and the next one continues',
    'another filter, which begins at an index',
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

const scaleSchema = z.object({
  nodes: z.array(z.number()),
  rows: z.array(z.object({ request: z.string(), way: z.string(), readUnits: z.array(z.number()) })),
});

/** The measured units of the requests with these ways: a row for each path; one number where all inventories have it. */
function scaleTable(ways: readonly string[]): string {
  const { nodes, rows: measured } = z.parse(scaleSchema, JSON.parse(readFileSync(SCALE, 'utf8')));
  const byPath = new Map<string, string[]>();
  for (const { request, way, readUnits } of measured.filter((row) => ways.includes(row.way))) {
    const [path = '', query = ''] = request.split('?');
    const name = `\`${path.split(' ')[0] ?? ''}\`${way === 'kept' ? ', summary' : ''}`;
    const units = (new Set(readUnits).size === 1 ? readUnits.slice(0, 1) : readUnits).join('/');
    byPath.set(name, [...(byPath.get(name) ?? []), query === '' ? units : `\`${query}\` ${units}`]);
  }
  const sizes = new Intl.ListFormat('en-GB').format(nodes.map(number));
  return markdownTable(
    ['Request', `Query, and read units at ${sizes} nodes`],
    [...byPath].map(([name, queries]) => [name, queries.join(', ')]),
  );
}

/** docs/scale.md. */
export function scaleDocument(): string {
  return `<!-- Generated by \`node tools/generate.ts\`: change tools/scale-document.ts, not this file. -->

# Scale: how far does one inventory grow?

The ceilings of one inventory, in the order in which a growing fleet meets them. Limits of AWS are the defaults of an account.

${markdownTable(['Ceiling', 'Value', 'What happens there', 'What raises it'], rows)}

With the default timers a host reports every ${number(interval)} s. [costs.md](costs.md) states what fleets cost.

## What stays the same

Read units of the same question with the same reply: a dozen nodes of a region, a cluster or an owner, and what is on them; 30,000 nodes have 60,000 services and 90,000 agents. Measured by
\`tests/costs/measure-scale.ts\` on the embedded engine; a node has 2 services and 3 agents. \`tests/costs/flat-reads.test.ts\` refuses more than 1.5 times
the units for five times the inventory.

${scaleTable(['index', 'kept'])}

A page of a list, a get, a page of the change feed, an enrolment and a report do not depend on the inventory either. Totals and groups marked with "summary"
come from the last summary ([summary.md](summary.md)), which requests compute in parts of ${number(countLimits.objects)} objects.

## What a walk costs

States, statuses and versions follow from reports, and no index contains them. A list by one that few objects have reads heartbeats, or objects, until its page is full;
[decision 43](decisions/0043-reads-that-do-not-grow.md) says why:

${scaleTable(['walk'])}

Up to ${number(heartbeatPartitions.length * MAX_KEPT_HEARTBEATS)} nodes, groups with such a filter and the summary read all heartbeats. Each takes 1.3 KB of memory with two exporters, nearly as much again while it is
read, and some 45 us of a processor, of which a function has 0.29. In a larger inventory they read one by one those that they need, half a unit each.
Above ${number(MAX_OWNERS)} nodes or services, the groups of others by their regions or clusters are counted from the lists, 20,000 objects in a request.

## Imports

An object of an import is one transaction, a node or a service on it of ${IMPORT_UNITS} write units on average. A request of 1,000
objects makes 1,000 transactions, 400 gets and 10 batches of reads, 8 side by side and the objects of one host one after the other, because each counts at its node: some 200
rounds. So a request is limited by the time of a transaction: with 15 ms it takes 3 s, 330 objects a second. Several requests add up, to ${number(TABLE_UNITS / IMPORT_UNITS)} objects a second, where
the units of the table end. On one machine the processor is the limit.

## What grows with the inventory

Counted by \`tests/costs/growth.test.ts\` at two sizes; a host has ${OBJECTS_PER_HOST} objects. A million read units cost some
[0.13 USD](costs.md). A reconciliation reads its scope.

${growthTable()}
`;
}
