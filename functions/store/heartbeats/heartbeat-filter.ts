import { type ShownStatus, shownStatuses } from '../../domain/agent/types.ts';
import { newAgentStatuses } from '../../domain/agent/lifecycle.ts';
import { statusPeriodSeconds } from '../../domain/agent/status-period.ts';
import { type State, states } from '../../domain/fields/liveness.ts';
import { wordsIn } from '../../domain/fields/list-query.ts';
import type { Entity } from '../entities/entity.ts';
import type { ObjectKind } from '../table/keys.ts';
import type { Heartbeat, Heartbeats } from './heartbeat.ts';
import { offlineAtOf } from './report-history.ts';
import { agentVersionsOn, stateOf, stateOfNode, statesOn, statusOf, statusSinceOf } from './shown-state.ts';
import { statusHistories } from './status-history.ts';

/** The conditions of a list on heartbeats. Objects must match all; undefined: any. */
export interface HeartbeatFilter {
  states: ReadonlySet<State> | undefined;
  /** Only agents have a status. */
  statuses: ReadonlySet<ShownStatus> | undefined;
  /** Agents that have their status for at least so long, in milliseconds. */
  statusForMs?: number | undefined;
  /** Nodes with an agent of this version; empty: with none that reports a version. */
  agentVersion?: string | undefined;
  now: Date;
}

export interface HeartbeatFilterTexts {
  state?: string | undefined;
  status?: string | undefined;
  status_for?: string | undefined;
  agent_version?: string | undefined;
}

/** @returns undefined when the list selects nothing by heartbeats. */
export function heartbeatFilter(
  { state, status, status_for: period, agent_version: agentVersion }: HeartbeatFilterTexts,
  now: Date,
): HeartbeatFilter | undefined {
  if ([state, status, period, agentVersion].every((text) => text === undefined)) return undefined;
  const statusForMs = period === undefined ? undefined : (statusPeriodSeconds(period) ?? 0) * 1000;
  return { states: wordsIn(states, state), statuses: wordsIn(shownStatuses, status), statusForMs, agentVersion, now };
}

function hasAgentVersion(version: string, heartbeat: Heartbeat | undefined): boolean {
  const versions = heartbeat === undefined ? new Set<string>() : agentVersionsOn(heartbeat);
  return version === '' ? versions.size === 0 : versions.has(version);
}

export function matchesHeartbeat(
  { states: wanted, statuses, statusForMs, agentVersion, now }: HeartbeatFilter,
  entity: Entity,
  heartbeats: Heartbeats,
): boolean {
  if (wanted?.has(stateOf(entity, heartbeats, now)) === false) return false;
  if (agentVersion !== undefined && entity.kind === 'node')
    if (!hasAgentVersion(agentVersion, heartbeats.get(entity.object.node_id))) return false;
  if (statusForMs !== undefined) {
    const since = statusSinceOf(entity, heartbeats, now);
    if (since === undefined || since > now.getTime() - statusForMs) return false;
  }
  if (statuses === undefined) return true;
  const status = statusOf(entity, heartbeats, now);
  return status !== undefined && statuses.has(status);
}

/** Whether the node itself is in one of the states, and has an agent of the version. */
export function isNodeInStates({ states: wanted, agentVersion, now }: HeartbeatFilter, heartbeat: Heartbeat): boolean {
  if (agentVersion !== undefined && !hasAgentVersion(agentVersion, heartbeat)) return false;
  return wanted?.has(stateOfNode(heartbeat, now)) !== false;
}

/** Agents whose process has said nothing about them have one of these, whatever their heartbeat contains, and no time of it. */
function includesUnreported({ statuses, statusForMs }: HeartbeatFilter): boolean {
  if (statusForMs !== undefined) return false;
  return statuses === undefined || newAgentStatuses.some((status) => statuses.has(status));
}

/**
 * The statuses that agents may have shown for long enough, by the last reports of the agent processes of the node. The type of an agent
 * is not in them.
 */
function reportedStatuses({ processes, life }: Heartbeat, { statusForMs, now }: HeartbeatFilter): Set<ShownStatus> {
  const isOld = (since: number) => statusForMs === undefined || since <= now.getTime() - statusForMs;
  const statuses = new Set<ShownStatus>();
  for (const report of processes.values()) {
    if (report === undefined) continue;
    const present = [...statusHistories(report).values()].flatMap((history) => history.slice(-1));
    for (const [since, status] of present) if (isOld(since)) statuses.add(status);
    if (statusForMs !== undefined && isOld(offlineAtOf(report, life))) statuses.add('unknown');
  }
  return statuses.has('waiting') ? statuses.add('not_supported') : statuses;
}

/** Whether objects of the kind that match may be on the node. */
export function canContain(filter: HeartbeatFilter, kind: ObjectKind, heartbeat: Heartbeat): boolean {
  const { states: wanted, statuses, now } = filter;
  if (kind === 'node') return isNodeInStates(filter, heartbeat);
  if (![...statesOn(heartbeat, now)].some((state) => wanted?.has(state) !== false)) return false;
  if (includesUnreported(filter)) return true;
  return [...reportedStatuses(heartbeat, filter)].some((status) => statuses?.has(status) !== false);
}

/** Whether objects that are on no node may match: these are never seen, and nobody reports their status. Nodes are not among them. */
export function canContainUnplaced(filter: HeartbeatFilter): boolean {
  return filter.states?.has('never_seen') !== false && includesUnreported(filter);
}
