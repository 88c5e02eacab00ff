import { CLEANUP_MINUTES } from '../../functions/domain/records/cleanup.ts';
import { STATE_EVENTS_MINUTES } from '../../functions/domain/records/state-events.ts';
import { markdownTable } from '../../shared/openapi/markdown.ts';
import { costs } from '../../tests/costs/costs.ts';
import { growth } from '../../tests/costs/growth.ts';
import { MONTH_SECONDS, slopeOf, unitsAt, valueAt } from './fleets.ts';
import { billOf, plus, sumOf, times, type Usage, usdOf } from './prices.ts';
import { reporting } from './reporting.ts';
import {
  callUsage,
  changeUsage,
  costOf,
  frontUsage,
  logLineBytes,
  logUsage,
  type Request,
  type TimedRequest,
  TRACED,
  trafficOf,
} from './requests.ts';

const MILLION = 1e6;

export const usd = (value: number) => value.toFixed(2);

const nameOf = ({ function: id, request }: Request) => `\`${id}\`, ${request}`;

// Processor times were measured while both processors of the machine were busy, which makes them longer: upper bounds.
const report = { function: 'reportAgents', request: 'what it said last', cpuMs: 2.6 } as const;
const written = { ...report, request: 'what it said last, after half of stale_after', cpuMs: 4.0 } as const;
// For one host: the processor time of a single report, which does more, is an upper bound.
const relayed = { ...report, function: 'takeReports', request: 'of a host without news' } as const;
const relayedAndWritten = {
  ...relayed,
  request: 'of a host without news, after half of stale_after',
  cpuMs: 4.0,
} as const;
const authorizer = { function: 'authorizer', request: 'a key', cpuMs: 1.0 } as const;
const authorizerFirstUse = {
  function: 'authorizer',
  request: 'a key, first use in five minutes',
  cpuMs: authorizer.cpuMs,
} as const;

/** The requests that the fleets consist of. */
export const reportRequests = {
  report: {
    direct: { unwritten: report, written },
    relayed: { unwritten: relayed, written: relayedAndWritten },
  },
  authorizer,
  authorizerFirstUse,
} as const;

const addNodeCpuMs = 2.4;

/** Reports first: a fleet sends hardly anything else. */
const requests: readonly TimedRequest[] = [
  report,
  written,
  { function: 'reportAgents', request: 'another status', cpuMs: 4.0 },
  relayed,
  { function: 'getNode', request: 'a node', cpuMs: 1.7 },
  { function: 'listNodes', request: '100', cpuMs: 5.0 },
  { function: 'listNodes', request: '100, with their states', cpuMs: 11.5 },
  { function: 'addNode', request: 'a node', cpuMs: addNodeCpuMs },
  { function: 'addNode', request: 'with an Idempotency-Key', cpuMs: addNodeCpuMs },
  { function: 'addNode', request: 'with an Idempotency-Key, again', cpuMs: addNodeCpuMs },
  { function: 'addService', request: 'on one node', cpuMs: 2.6 },
  { function: 'addAgent', request: 'under a pmm_agent, with a service as target', cpuMs: 3.1 },
  { function: 'changeNode', request: 'a label', cpuMs: 3.5 },
  { function: 'removeNode', request: 'a leaf', cpuMs: 3.5 },
];

/** One request through CloudFront. */
function requestUsage(of: TimedRequest): Usage {
  const traffic = trafficOf(of);
  const isReport = [report, written, relayed].some(({ request }) => request === of.request);
  const isLogged = !isReport || reporting.functionLogs;
  return plus(
    callUsage(of),
    frontUsage(traffic, true),
    logUsage(logLineBytes.gateway + (isLogged ? logLineBytes.function : 0)),
    { traces: ['reportAgents', 'takeReports'].includes(of.function) ? reporting.traced.share : TRACED },
    changeUsage(traffic.changes),
  );
}

/** A million requests of each kind, in USD by service. */
export function requestTable(): string {
  const authorized = sumOf(billOf(times(callUsage(authorizerFirstUse), MILLION)));
  const rows = requests.map((of) => {
    const bill = billOf(times(requestUsage(of), MILLION));
    const part = (...services: Parameters<typeof bill.get>[0][]) =>
      services.reduce((sum, service) => sum + (bill.get(service) ?? 0), 0);
    const sum = sumOf(bill);
    const parts = [
      part('API Gateway'),
      part('CloudFront'),
      part('Lambda'),
      part('DynamoDB'),
      part('CloudWatch', 'X-Ray'),
      part('EventBridge'),
    ];
    return [nameOf(of), ...[...parts, sum, sum + authorized].map(usd)];
  });
  const services = ['API Gateway', 'CloudFront', 'Lambda', 'DynamoDB', 'Logs, traces', 'Events'];
  return markdownTable(['Request', ...services, 'Sum', 'Sum with the authorizer'], rows);
}

/** A million runs of the authorizer. */
export function authorizerTable(): string {
  const rows = [authorizer, authorizerFirstUse].map((of) => {
    const { readUnits, writeUnits } = costOf(of);
    const bill = billOf(times(callUsage(of), MILLION));
    const parts = [bill.get('Lambda') ?? 0, bill.get('DynamoDB') ?? 0, sumOf(bill)];
    return [of.request, String(readUnits), String(writeUnits), ...parts.map(usd)];
  });
  return markdownTable(['Authorizer', 'Read units', 'Write units', 'Lambda', 'DynamoDB', 'Sum'], rows);
}

/** Requests with a write that a condition refused. */
export function refusedTable(): string {
  const rows = costs
    .filter(({ refusedUnits }) => refusedUnits > 0)
    .map((cost) => [nameOf(cost), String(cost.writeUnits + cost.refusedUnits), String(cost.refusedUnits)]);
  return markdownTable(['Request', 'Write units', 'Refused'], rows);
}

/** An inventory of this size is read again and again in the table of growth. */
export const WATCHED_HOSTS = 10_000;

/** Intervals of schedules, in minutes. */
const scheduled: Readonly<Record<string, number>> = { cleanUp: CLEANUP_MINUTES, stateEvents: STATE_EVENTS_MINUTES };

/** Minutes between two requests of one client, or of the schedule. */
const minutesBetween = ({ function: id }: Request) => scheduled[id] ?? 1;

/** What grows with the inventory. */
export function growthTable(): string {
  const rows = growth.map((of) => {
    const [small, large] = of.walks;
    const perMonth = MONTH_SECONDS / 60 / minutesBetween(of);
    const readUnits = perMonth * unitsAt(of, WATCHED_HOSTS);
    const bytes = perMonth * valueAt(WATCHED_HOSTS, small.bytes, large.bytes);
    return [
      nameOf(of),
      slopeOf(small.readUnits, large.readUnits).toFixed(1),
      // Not below zero: a reply of a few bytes more or less is no growth.
      Math.max(0, slopeOf(small.bytes, large.bytes) / 1000).toFixed(1),
      usd(usdOf('readUnits', readUnits)),
      usd(usdOf('cloudFrontBytes', bytes)),
    ];
  });
  const monthly = ['DynamoDB, USD a month', 'CloudFront, USD a month'];
  return markdownTable(['Request', 'Read units for 1,000 objects', 'kB for 1,000 objects', ...monthly], rows);
}
