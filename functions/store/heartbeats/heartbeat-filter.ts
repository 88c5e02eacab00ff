import { type ShownStatus, shownStatuses } from '../../domain/agent/types.ts';
import { newAgentStatuses } from '../../domain/agent/lifecycle.ts';
import { type State, states } from '../../domain/fields/liveness.ts';
import { wordsIn } from '../../domain/fields/list-query.ts';
import type { Entity } from '../entities/entity.ts';
import type { ObjectKind } from '../table/keys.ts';
import type { Heartbeat, Heartbeats } from './heartbeat.ts';
import { stateOf, stateOfNode, statesOn, statusOf } from './shown-state.ts';

/** The conditions of a list on heartbeats. Objects must match both; undefined: any. */
export interface HeartbeatFilter {
  states: ReadonlySet<State> | undefined;
  /** Only agents have a status. */
  statuses: ReadonlySet<ShownStatus> | undefined;
  now: Date;
}

/** @returns undefined when the list selects nothing by heartbeats. */
export function heartbeatFilter(
  { state, status }: { state?: string | undefined; status?: string | undefined },
  now: Date,
): HeartbeatFilter | undefined {
  if (state === undefined && status === undefined) return undefined;
  return { states: wordsIn(states, state), statuses: wordsIn(shownStatuses, status), now };
}

export function matchesHeartbeat(
  { states: wanted, statuses, now }: HeartbeatFilter,
  entity: Entity,
  heartbeats: Heartbeats,
): boolean {
  if (wanted?.has(stateOf(entity, heartbeats, now)) === false) return false;
  if (statuses === undefined) return true;
  const status = statusOf(entity, heartbeats, now);
  return status !== undefined && statuses.has(status);
}

/** Whether the node itself is in one of the states. */
export function isNodeInStates({ states: wanted, now }: HeartbeatFilter, heartbeat: Heartbeat): boolean {
  return wanted?.has(stateOfNode(heartbeat, now)) !== false;
}

/** Agents whose process has said nothing about them have one of these, whatever their heartbeat contains. */
function includesUnreported({ statuses }: HeartbeatFilter): boolean {
  return statuses === undefined || newAgentStatuses.some((status) => statuses.has(status));
}

/** The statuses that agents may show by the last reports of the agent processes of the node. The type of an agent is not in them. */
function reportedStatuses({ processes }: Heartbeat): Set<ShownStatus> {
  const reports = [...processes.values()].flatMap((report) => Object.values(report?.agents ?? {}));
  const statuses = new Set<ShownStatus>(reports.map(([status]) => status));
  return statuses.has('waiting') ? statuses.add('not_supported') : statuses;
}

/** Whether objects of the kind that match may be on the node. */
export function canContain(filter: HeartbeatFilter, kind: ObjectKind, heartbeat: Heartbeat): boolean {
  const { states: wanted, statuses, now } = filter;
  if (kind === 'node') return isNodeInStates(filter, heartbeat);
  if (![...statesOn(heartbeat, now)].some((state) => wanted?.has(state) !== false)) return false;
  return includesUnreported(filter) || [...reportedStatuses(heartbeat)].some((status) => statuses?.has(status));
}

/** Whether objects that are on no node may match: these are never seen, and nobody reports their status. */
export function canContainUnplaced(filter: HeartbeatFilter): boolean {
  return filter.states?.has('never_seen') !== false && includesUnreported(filter);
}
