import type { Table } from '../../../shared/db/table.ts';
import { shownStatus } from '../../domain/agent/never-started.ts';
import type { AgentStatus, ShownStatus } from '../../domain/agent/types.ts';
import { getVisibleObject } from '../entities/get.ts';
import type { Scope } from '../entities/key-scope.ts';
import { nodesOf, readHeartbeats } from './heartbeat.ts';
import { processOf } from './shown-state.ts';
import { statusHistories, type StatusHistory } from './status-history.ts';
import {
  bestTimeline,
  dayOf,
  type Interval,
  shareOf,
  type StateDay,
  timelineOf,
  timelineOfReport,
} from './timeline.ts';

/** A time in which an agent was in one state, with one status. Without a status before its process reported one. */
export interface StatusInterval extends Interval {
  status?: ShownStatus;
}

export interface AgentDay extends StateDay {
  intervals: readonly StatusInterval[];
}

/** The interval, divided where the status changed. While the process is offline, the status is `unknown`. */
function withStatuses(
  interval: Interval,
  history: StatusHistory,
  shownAs: (status: AgentStatus) => ShownStatus,
): StatusInterval[] {
  if (interval.state === 'offline') return [{ ...interval, status: 'unknown' }];
  const changes = history.map(([at]) => at).filter((at) => at > interval.begin && at < interval.end);
  return [interval.begin, ...changes].map((begin, index) => {
    const status = history.findLast(([at]) => at <= begin)?.[1];
    return {
      ...interval,
      begin,
      end: changes[index] ?? interval.end,
      ...(status === undefined ? {} : { status: shownAs(status) }),
    };
  });
}

/**
 * The states and statuses of an agent in the last day. It is available while it is live and, if it has a status, running. Two strongly
 * consistent reads, three if a relay reports for its node.
 *
 * @throws ApiError `notFound`, `permissionDenied`.
 */
export async function readAgentDay(
  table: Table,
  { id, scope, now }: { id: string; scope: Scope; now: Date },
): Promise<AgentDay> {
  const agent = await getVisibleObject(table, 'agent', id, scope);
  const heartbeats = await readHeartbeats(table, [agent]);
  const [heartbeat] = nodesOf(agent).flatMap((nodeId) => heartbeats.get(nodeId) ?? []);
  if (heartbeat === undefined) return dayOf(bestTimeline([]), now);
  const process = processOf(agent);
  const report = process === undefined ? undefined : heartbeat.processes.get(process);
  const day = dayOf(process === undefined ? timelineOf(heartbeat) : timelineOfReport(report, heartbeat.life), now);
  const history = report === undefined ? undefined : statusHistories(report).get(id);
  if (history === undefined) return day;
  // An agent that the gateway never starts did not wait before either.
  const shownAs = (status: AgentStatus) => shownStatus(agent.object.agent_type, status, report?.reasons?.[id]);
  const intervals = day.intervals.flatMap((interval) => withStatuses(interval, history, shownAs));
  const availability = shareOf(intervals, ({ state, status }) => state === 'live' && status === 'running');
  return { ...day, intervals, availability };
}
