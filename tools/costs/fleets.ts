import { CLEANUP_MINUTES } from '../../functions/domain/records/cleanup.ts';
import { STATE_EVENTS_MINUTES } from '../../functions/domain/records/state-events.ts';
import { indexes } from '../../functions/store/table/keys.ts';
import { SHARE_OF_INDEX, TARGET_UTILIZATION } from '../../infra/data/table-capacity.ts';
import { capacity } from '../../infra/settings/settings-table.ts';
import { GROUPED_HOSTS, groupedUnits } from '../../tests/costs/grouped.ts';
import { growth, HOSTS, OBJECTS_PER_HOST, STORED_BYTES_PER_HOST } from '../../tests/costs/growth.ts';
import { plus, times, type Usage } from './prices.ts';
import type { Reporting } from './reporting.ts';
import {
  callUsage,
  changeUsage,
  costOf,
  durationOf,
  frontUsage,
  httpUsage,
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
  /** Of a host that reports for itself. */
  report: Record<'unwritten' | 'written', TimedRequest>;
  /** Of one host through a relay, for its traffic. */
  relayed: TimedRequest;
  /** Processor time for a host in a request of a relay that says nothing new, and for one whose report is stored, in milliseconds. */
  relayedCpuMs: Record<'routine' | 'renewed', number>;
  authorizer: TimedRequest;
  /** The authorizer with the write of the last use. */
  authorizerFirstUse: Request;
}

/** The mean of requests of which this share writes. */
const meanOf = (unwritten: number, written: number, share: number) => (1 - share) * unwritten + share * written;

/** The share of reports without news that are written. */
const writtenShare = (of: Reporting) => 1 / intervalsIn(of.writeAfterSeconds, of.intervalSeconds);

const reportLogs = (of: Reporting) =>
  logUsage(
    logLineBytes[of.endpoint === 'http' ? 'reports' : 'gateway'] + (of.functionLogs ? logLineBytes.function : 0),
  );

const reportFront = (traffic: Parameters<typeof frontUsage>[0], of: Reporting) =>
  of.endpoint === 'http' ? httpUsage(traffic) : frontUsage(traffic, of.throughCloudFront);

/** The report of a host without news: the mean of written and unwritten ones. */
function directUsage({ unwritten, written }: ReportRequests['report'], of: Reporting): Usage {
  const mean = (value: (request: TimedRequest) => number) => meanOf(value(unwritten), value(written), writtenShare(of));
  return plus(
    invocation(
      durationOf(
        mean(({ cpuMs }) => cpuMs),
        mean((one) => costOf(one).steps),
      ),
    ),
    { readUnits: mean((one) => costOf(one).readUnits), writeUnits: mean((one) => costOf(one).writeUnits) },
    reportFront(trafficOf(unwritten), of),
    reportLogs(of),
  );
}

/** Calls of the table, one after the other, in a request of a relay. */
const GROUPED_STEPS = 6;

/**
 * One request with reports without news of some hosts, at most 500. Its units are those of 500 hosts: a group is read and
 * written as a whole.
 */
function relayedUsage({ relayed, relayedCpuMs }: ReportRequests, hosts: number, of: Reporting): Usage {
  const { sentBytes, headerBytes, replyBytes } = trafficOf(relayed);
  const { unwritten, written } = groupedUnits;
  const share = writtenShare(of);
  return plus(
    invocation(durationOf(hosts * relayedCpuMs.routine, GROUPED_STEPS)),
    {
      readUnits: meanOf(unwritten.readUnits, written.readUnits, share),
      writeUnits: meanOf(unwritten.writeUnits, written.writeUnits, share),
    },
    reportFront(
      { function: relayed.function, headerBytes, sentBytes: hosts * sentBytes, replyBytes: hosts * replyBytes },
      of,
    ),
    reportLogs(of),
  );
}

/** A month of the heartbeats that are stored again once a day. The invocations are those of the reports. */
function renewalUsage({ relayedCpuMs }: ReportRequests, hosts: number): Usage {
  const { readUnits, writeUnits } = groupedUnits.renewed;
  const { lambdaGbSeconds } = invocation(durationOf(hosts * relayedCpuMs.renewed, 0));
  return times(
    {
      lambdaGbSeconds,
      readUnits: (readUnits * hosts) / GROUPED_HOSTS,
      writeUnits: (writeUnits * hosts) / GROUPED_HOSTS,
    },
    DAYS_OF_A_MONTH,
  );
}

/**
 * The authorizer of one key, for requests at this interval: a run when the cache is over, a write when the last one is.
 *
 * @param everySeconds how often the last use of the key is written at most.
 */
function authorizerUsage(
  requests: ReportRequests,
  intervalSeconds: number,
  everySeconds: number,
  of: Reporting,
): Usage {
  const runSeconds = intervalSeconds * intervalsIn(of.authorizerCacheSeconds, intervalSeconds);
  const writeSeconds = runSeconds * intervalsIn(everySeconds, runSeconds);
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
  const request = way === 'direct' ? directUsage(requests.report, of) : relayedUsage(requests, hosts / sent, of);
  return plus(
    times(request, sent * perMonth),
    way === 'direct' ? {} : renewalUsage(requests, hosts),
    times(authorizerUsage(requests, (of.intervalSeconds * keys) / sent, of.lastUseSeconds[way], of), keys),
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

/** Hours of the capacity that a month of these units needs if they are spread evenly, and that the table has at least. */
const capacityHours = (units: number, least: number) =>
  (MONTH_SECONDS / 3600) * Math.max(least, (units / MONTH_SECONDS) * (100 / TARGET_UTILIZATION));

/** The month with the units of the table as they are billed; an index has its least capacity. */
export function withBilling(month: Usage, { billing }: Pick<Reporting, 'billing'>): Usage {
  if (billing === 'onDemand') return month;
  const { readUnits = 0, writeUnits = 0, ...others } = month;
  const { minReadUnits, minWriteUnits } = capacity;
  const ofIndexes = Object.keys(indexes).length * SHARE_OF_INDEX;
  return plus(others, {
    readCapacityHours: capacityHours(readUnits, minReadUnits) + capacityHours(0, ofIndexes * minReadUnits),
    writeCapacityHours: capacityHours(writeUnits, minWriteUnits) + capacityHours(0, ofIndexes * minWriteUnits),
  });
}
