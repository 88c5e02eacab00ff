import { CLEANUP_MINUTES } from '../../functions/domain/records/cleanup.ts';
import { STATE_EVENTS_MINUTES } from '../../functions/domain/records/state-events.ts';
import { markdownTable } from '../../shared/openapi/markdown.ts';
import { growth } from '../../tests/costs/growth.ts';
import { MONTH_SECONDS, slopeOf, unitsAt } from './fleets.ts';
import { billOf, plus, sumOf, times, type Usage, usdOf } from './prices.ts';
import { reporting } from './reporting.ts';
import {
  callUsage,
  changeUsage,
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
// With the same parts as a report, and the session.
const heartbeat = { function: 'opamp', request: 'a heartbeat', cpuMs: 3.2 } as const;
const heartbeatWritten = { ...heartbeat, request: 'a heartbeat, after half of stale_after' } as const;
// For one host: the processor time of a single report, which does more, is an upper bound.
const relayed = { ...report, function: 'takeReports', request: 'of a host without news' } as const;
const withDigest = {
  ...report,
  request: 'what it said last, with the digest of its targets',
  cpuMs: 4.5,
} as const;
const authorizer = { function: 'authorizer', request: 'a key', cpuMs: 1.0 } as const;
const authorizerFirstUse = {
  function: 'authorizer',
  request: 'a key, first use in five minutes',
  cpuMs: authorizer.cpuMs,
} as const;

/** The requests that the fleets consist of. */
export const reportRequests = {
  report: { unwritten: report, written },
  relayed,
  // A request of 500 hosts took 64 ms, with the engine in the same process.
  relayedCpuMs: { routine: 64 / 500, renewed: written.cpuMs },
  authorizer,
  authorizerFirstUse,
} as const;

/** Of collectors, by HTTP and, from the agent gateway in their name, by WebSocket. */
export const collectorRequests = {
  ...reportRequests,
  report: { unwritten: heartbeat, written: heartbeatWritten },
} as const;

/** Reports first: a fleet sends hardly anything else. */
const requests: readonly TimedRequest[] = [
  report,
  written,
  withDigest,
  relayed,
  heartbeat,
  { function: 'discoverTargets', request: 'of a node with a service and an exporter', cpuMs: 3.5 },
  { function: 'getNode', request: 'a node', cpuMs: 1.7 },
  { function: 'listNodes', request: '100', cpuMs: 5.0 },
  { function: 'listNodes', request: '100, with their states', cpuMs: 11.5 },
  { function: 'addNode', request: 'a node', cpuMs: 2.4 },
  { function: 'addService', request: 'on one node', cpuMs: 2.6 },
  { function: 'addAgent', request: 'under a pmm_agent, with a service as target', cpuMs: 3.1 },
  { function: 'changeNode', request: 'a label', cpuMs: 3.5 },
  { function: 'removeNode', request: 'a leaf', cpuMs: 3.5 },
];

/** One request through CloudFront. */
function requestUsage(of: TimedRequest): Usage {
  const traffic = trafficOf(of);
  const isReport = [report, written, withDigest, relayed, heartbeat].some(({ request }) => request === of.request);
  const isLogged = !isReport || reporting.functionLogs;
  return plus(
    callUsage(of),
    frontUsage(traffic, true),
    logUsage(logLineBytes.gateway + (isLogged ? logLineBytes.function : 0)),
    { traces: ['reportAgents', 'takeReports', 'opamp'].includes(of.function) ? reporting.traced.share : TRACED },
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
      part('CloudWatch', 'X-Ray', 'EventBridge'),
    ];
    return [nameOf(of), ...[...parts, sum, sum + authorized].map(usd)];
  });
  const services = ['API Gateway', 'CloudFront', 'Lambda', 'DynamoDB', 'Logs, traces, events'];
  return markdownTable(['Request', ...services, 'Sum', 'With the authorizer'], rows);
}

/** USD for a million runs of the authorizer of a key, without and with the write of its last use. */
export const authorizerPrices = (): string[] =>
  [authorizer, authorizerFirstUse].map((of) => usd(sumOf(billOf(times(callUsage(of), MILLION)))));

/** An inventory of this size is read again and again in the table of growth. */
export const WATCHED_HOSTS = 10_000;

/** Intervals of schedules, in minutes. */
const scheduled: Readonly<Record<string, number>> = { cleanUp: CLEANUP_MINUTES, stateEvents: STATE_EVENTS_MINUTES };

/** Minutes between two requests of one client, or of the schedule. */
const minutesBetween = ({ function: id }: Request) => scheduled[id] ?? 1;

/** The requests whose units grow with the inventory. */
export function growthTable(): string {
  const rows = growth.map((of) => {
    const [small, large] = of.walks;
    const perMonth = MONTH_SECONDS / 60 / minutesBetween(of);
    const readUnits = perMonth * unitsAt(of, WATCHED_HOSTS);
    return [
      nameOf(of),
      slopeOf(small.readUnits, large.readUnits).toFixed(1),
      // Not below zero: a reply of a few bytes more or less is no growth.
      Math.max(0, slopeOf(small.bytes, large.bytes) / 1000).toFixed(1),
      usd(usdOf('readUnits', readUnits)),
    ];
  });
  return markdownTable(['Request', 'Read units for 1,000 objects', 'kB', 'USD a month'], rows);
}
