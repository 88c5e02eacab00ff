import type { AgentStatus, AgentType } from './types.ts';
import { agentTypeEntry, isReporter } from './types.ts';
import { markFields } from '../fields/internal-fields.ts';
import { recordFields } from '../fields/common-fields.ts';

interface AddedAgent {
  agent_type: AgentType;
  disabled: boolean;
  insights: { node_ids: readonly string[]; service_ids: readonly string[] };
}

export interface AgentPlace {
  runs_on_node_id?: string;
  pmm_agent_id?: string;
}

/** The statuses of agents that nobody has reported on. */
export const newAgentStatuses = ['done', 'unknown'] as const satisfies readonly AgentStatus[];

/** A disabled agent is done; any other is unknown until the first report. */
function firstStatus(disabled: boolean): (typeof newAgentStatuses)[number] {
  return disabled ? 'done' : 'unknown';
}

/** The targets of an agent. Without any, an agent of a type that watches its own node gets that node. */
export function targetsOrDefault<Targets extends AddedAgent['insights']>(
  type: AgentType,
  insights: Targets,
  { runs_on_node_id: nodeId }: { runs_on_node_id?: string | undefined },
) {
  const hasTargets = insights.node_ids.length + insights.service_ids.length > 0;
  if (hasTargets || nodeId === undefined || agentTypeEntry(type).watchesItsNode !== true) return insights;
  return { ...insights, node_ids: [nodeId] };
}

/** A new agent: with its place, its first status, and the default targets of its type. */
export function newAgent<Body extends AddedAgent>(body: Body, place: AgentPlace) {
  const { agent_type: type, disabled, insights } = body;
  return {
    ...body,
    ...place,
    insights: targetsOrDefault(type, insights, place),
    ...(isReporter(type) ? { connected: false } : {}),
    ...(type === 'pmm_agent' ? {} : { status: firstStatus(disabled) }),
  };
}

/** Fields that only the server sets, in addition to ids and to what is computed when an object is read. */
export const serverFields: readonly string[] = [...recordFields, ...markFields, 'status', 'connected'];

/** Fields of an agent that an add does not contain: set by the server or the store, or derived from its pmm_agent. */
export function keptFields(agent: { pmm_agent_id?: string | undefined }): string[] {
  return ['agent_id', ...serverFields, ...(agent.pmm_agent_id === undefined ? [] : ['runs_on_node_id'])];
}

/**
 * Disabling an agent sets its status to done at once. After it is enabled again, the status stays until its process
 * reports.
 */
export function statusAfterChange(agent: Record<string, unknown>): Record<string, unknown> {
  return agent['disabled'] === true && agent['status'] !== undefined ? { ...agent, status: 'done' } : agent;
}

/**
 * The statuses that an agent process can report next, by the status that it reported last; the same status is always
 * possible. `unknown` is the status before the first report, and while the agent process is offline: it is never
 * reported, and any status may follow. Other transitions are refused.
 */
export const statusTransitions: Readonly<Record<AgentStatus, readonly AgentStatus[]>> = {
  unknown: ['starting', 'running', 'waiting', 'stopping', 'done'],
  starting: ['running', 'waiting', 'stopping'],
  running: ['waiting', 'stopping'],
  waiting: ['starting', 'stopping', 'done'],
  stopping: ['done'],
  done: ['starting'],
};

/** The statuses that can follow one; any after a status of a newer version. */
export const statusesAfter = (status: AgentStatus): readonly AgentStatus[] =>
  statusTransitions[Object.hasOwn(statusTransitions, status) ? status : 'unknown'];
