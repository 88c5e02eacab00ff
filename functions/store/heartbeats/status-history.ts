import type { AgentStatus } from '../../domain/agent/types.ts';
import { HISTORY_MS } from './report-history.ts';
import { isStatus, type Report } from './stored-report.ts';

/** The most former statuses of all agents of a process that are kept: some 22 bytes each, so that a report remains one write unit. */
export const MAX_FORMER_STATUSES = 16;

/** From this time on, in milliseconds since 1970, an agent had this status. */
export type StatusStep = readonly [at: number, status: AgentStatus];

/** The statuses of an agent in ascending order. The last one is the present one. */
export type StatusHistory = readonly StatusStep[];

const sortedIds = ({ agents }: Pick<Report, 'agents'>) => Object.keys(agents).sort();

/**
 * The statuses of the agents of a process by the id of the agent. Of a report of a version without histories, each status begins with
 * this report.
 *
 * They are stored as a list beside `agents`, because versions before it read the entries there as lists of exactly three values: the
 * times since which the agents have their status, in the order of their ids; then of each former status the index of the agent, the
 * status and its begin.
 */
export function statusHistories(report: Report): ReadonlyMap<string, StatusHistory> {
  const { at, statuses } = report;
  const values: readonly unknown[] = Array.isArray(statuses) ? statuses : [];
  const ids = sortedIds(report);
  const former: StatusStep[][] = ids.map(() => []);
  for (let index = ids.length; index + 2 < values.length; index += 3) {
    const [agent, status, begin] = values.slice(index, index + 3);
    if (isStatus(status) && typeof begin === 'number') former[Number(agent)]?.push([begin, status]);
  }
  return new Map(
    ids.map((id, index) => {
      const [since, [status = 'unknown'] = []] = [values[index], report.agents[id]];
      return [id, [...(former[index] ?? []), [typeof since === 'number' ? since : at, status]]];
    }),
  );
}

/** The time since which an agent has the status in this report; undefined for an agent that is not in it. */
export const statusSince = (report: Report, agentId: string): number | undefined =>
  statusHistories(report).get(agentId)?.at(-1)?.[0];

/** The history with a status at this time. If the clock was set back, it forgets what is later now. */
function historyWith(status: AgentStatus, last: StatusHistory, at: number): StatusHistory {
  const upToNow = last.filter(([begin]) => begin <= at);
  const next: StatusHistory = upToNow.at(-1)?.[1] === status ? upToNow : [...upToNow, [at, status]];
  return next.filter((_, index) => (next[index + 1]?.[0] ?? Infinity) > at - HISTORY_MS);
}

/** The statuses to store with a report at this time, which replaces the last one. With too many, it forgets those that ended first. */
export function statusTimesAfter(
  last: Report | undefined,
  agents: Report['agents'],
  at: number,
): { statuses?: (number | string)[] } {
  const ids = sortedIds({ agents });
  if (ids.length === 0) return {};
  const lastHistories = last === undefined ? new Map<string, StatusHistory>() : statusHistories(last);
  const histories = ids.map((id) => historyWith(agents[id]?.[0] ?? 'unknown', lastHistories.get(id) ?? [], at));
  const former = histories
    .flatMap((history, agent) =>
      history
        .slice(0, -1)
        .map(([begin, status], index) => ({ agent, status, begin, end: history[index + 1]?.[0] ?? at })),
    )
    .sort((left, right) => left.end - right.end)
    .slice(-MAX_FORMER_STATUSES);
  return {
    statuses: [
      ...histories.map((history) => history.at(-1)?.[0] ?? at),
      ...former.flatMap(({ agent, status, begin }) => [agent, status, begin]),
    ],
  };
}
