import { CLEANUP_MINUTES } from '../../functions/domain/records/cleanup.ts';
import { STATE_EVENTS_MINUTES } from '../../functions/domain/records/state-events.ts';
import { LAST_USED_EVERY_SECONDS } from '../../functions/store/credentials/api-key-use.ts';
import { growth, HOSTS, OBJECTS_PER_HOST, STORED_BYTES_PER_HOST } from '../../tests/costs/growth.ts';
import { plus, times, type Usage } from './prices.ts';
import type { Reporting } from './reporting.ts';
import {
  callUsage,
  changeUsage,
  costOf,
  durationOf,
  frontUsage,
  invocation,
  logLineBytes,
  logUsage,
  type Request,
  type TimedRequest,
  TRACED,
  trafficOf,
} from './requests.ts';

export const DAYS_OF_A_MONTH = 30;

export const MONTH_SECONDS = DAYS_OF_A_MONTH * 86_400;

/** Number of intervals of this length until a period is over, at least one. */
const intervalsIn = (periodSeconds: number, intervalSeconds: number) =>
  Math.max(1, Math.ceil(periodSeconds / intervalSeconds));

export type Way = 'direct' | 'relayed';

/**
 * The measured requests that the model of reports uses. A fleet reports without news: another status is rare, and the
 * table of requests states its cost.
 */
export interface ReportRequests {
  report: Record<Way, { unwritten: TimedRequest; written: TimedRequest }>;
  authorizer: TimedRequest;
  /** The authorizer with the write of the last use. */
  authorizerFirstUse: Request;
}

/**
 * One request with reports of some hosts: the counted units of a report for each host, the mean of written and unwritten
 * reports. The table calls of hosts overlap, their processor time adds up.
 */
function reportUsage({ unwritten, written }: ReportRequests['report'][Way], hosts: number, of: Reporting): Usage {
  const share = 1 / intervalsIn(of.writeAfterSeconds, of.intervalSeconds);
  const mean = (value: (request: TimedRequest) => number) => (1 - share) * value(unwritten) + share * value(written);
  const { sentBytes, headerBytes, replyBytes } = trafficOf(unwritten);
  return plus(
    invocation(
      durationOf(
        hosts * mean(({ cpuMs }) => cpuMs),
        mean((one) => costOf(one).steps),
      ),
    ),
    {
      readUnits: hosts * mean((one) => costOf(one).readUnits),
      writeUnits: hosts * mean((one) => costOf(one).writeUnits),
    },
    frontUsage(
      { ...trafficOf(unwritten), sentBytes: hosts * sentBytes, headerBytes, replyBytes: hosts * replyBytes },
      of.throughCloudFront,
    ),
    logUsage(logLineBytes.gateway + (of.functionLogs ? logLineBytes.function : 0)),
  );
}

/** The authorizer of one key, for requests at this interval: a run when the cache is over, a write when the last one is. */
function authorizerUsage(requests: ReportRequests, intervalSeconds: number, of: Reporting): Usage {
  const runSeconds = intervalSeconds * intervalsIn(of.authorizerCacheSeconds, intervalSeconds);
  const writeSeconds = runSeconds * intervalsIn(LAST_USED_EVERY_SECONDS, runSeconds);
  const { writeUnits } = costOf(requests.authorizerFirstUse);
  return plus(times(callUsage(requests.authorizer), MONTH_SECONDS / runSeconds), {
    writeUnits: (writeUnits * MONTH_SECONDS) / writeSeconds,
  });
}

/** The share of requests at this rate of which X-Ray records traces. By default as Lambda selects them. */
export function tracedShare(perSecond: number, traced: Reporting['traced'] = { perSecond: 1, share: TRACED }): number {
  const first = Math.min(perSecond, traced.perSecond);
  return (first + traced.share * (perSecond - first)) / perSecond;
}

/** A month of reports of a fleet. A relay has one key for all of its requests. */
export function monthOfReports(way: Way, hosts: number, requests: ReportRequests, of: Reporting): Usage {
  const perRequest = way === 'direct' ? 1 : of.hostsPerRequest;
  const sent = Math.ceil(hosts / perRequest);
  const keys = way === 'direct' ? hosts : 1;
  const perMonth = MONTH_SECONDS / of.intervalSeconds;
  return plus(
    times(reportUsage(requests.report[way], hosts / sent, of), sent * perMonth),
    times(authorizerUsage(requests, (of.intervalSeconds * keys) / sent, of), keys),
    { traces: sent * perMonth * tracedShare(sent / of.intervalSeconds, of.traced) },
  );
}

/** The value at this number of hosts, on a line through the measurements at both sizes. */
export const valueAt = (hosts: number, small: number, large: number) =>
  small + ((hosts - HOSTS[0]) * (large - small)) / (HOSTS[1] - HOSTS[0]);

/** Read units at this number of hosts of a request that grows with the inventory. */
export function unitsAt(of: Request, hosts: number): number {
  const grown = growth.find((one) => one.function === of.function && one.request === of.request);
  if (grown === undefined) throw new Error(`no growth of ${of.function}, ${of.request}`);
  const [small, large] = grown.walks;
  return valueAt(hosts, small.readUnits, large.readUnits);
}

/** The increase by 1,000 more objects. */
export const slopeOf = (small: number, large: number) =>
  (1000 * (large - small)) / ((HOSTS[1] - HOSTS[0]) * OBJECTS_PER_HOST);

/** A month of scheduled cleanups that find nothing, without their processor time. */
export function monthOfCleanups(hosts: number): Usage {
  const runs = MONTH_SECONDS / 60 / CLEANUP_MINUTES;
  const readUnits = unitsAt({ function: 'cleanUp', request: 'nothing is due' }, hosts);
  return times({ ...invocation(durationOf(0, 1)), readUnits }, runs);
}

/** Processor time to read a heartbeat and compute its state, in milliseconds: an upper bound. */
const STATE_CPU_MS = 0.01;

/** A month of passes over the states that find no change. */
export function monthOfStatePasses(hosts: number): Usage {
  const runs = MONTH_SECONDS / 60 / STATE_EVENTS_MINUTES;
  const of = { function: 'stateEvents', request: 'nothing has changed' };
  const steps = costOf({ ...of, request: `${of.request} (260 nodes)` }).steps;
  return times({ ...invocation(durationOf(hosts * STATE_CPU_MS, steps)), readUnits: unitsAt(of, hosts) }, runs);
}

/** Changes of states: the write and its event. Their reads are part of the pass. */
export function stateChangeUsage(changes: number): Usage {
  const { writeUnits } = costOf({ function: 'stateEvents', request: 'a node became offline' });
  return plus({ writeUnits: changes * writeUnits }, changeUsage(changes));
}

/** A month of the objects of a fleet in the table. */
export const monthOfStorage = (hosts: number): Usage => ({
  storedBytes: hosts * STORED_BYTES_PER_HOST,
  recoveryBytes: hosts * STORED_BYTES_PER_HOST,
});
