import { createHash } from 'node:crypto';
import { oncePer } from '../../../shared/core/once-per.ts';
import { type AgentType, agentTypeEntry } from '../../domain/agent/types.ts';
import type { Agent } from './entity.ts';

/** The parts of the natural key of an agent: its type, its place and its targets, of a collector also its name. */
export interface KeyedAgent {
  agent_type: AgentType;
  pmm_agent_id?: string | undefined;
  runs_on_node_id?: string | undefined;
  collector_name?: string | undefined;
  insights: { node_ids: readonly string[]; service_ids: readonly string[] };
}

/**
 * The agent that an upsert by a natural key means, of the agents that have the key: a registered one, else the oldest.
 */
export function meantByKey<Alike extends Pick<Agent, 'agent_id' | 'created_at' | 'registered'>>(
  agents: readonly Alike[],
): Alike | undefined {
  const order = ({ registered, created_at: time, agent_id: id }: Alike) =>
    `${registered === true ? 0 : 1} ${time} ${id}`;
  return agents.toSorted((left, right) => (order(left) < order(right) ? -1 : 1))[0];
}

/** The natural key of an agent as declared: SHA-256 in hex, because its parts may be longer than a key of the table. */
export function agentKey(agent: KeyedAgent): string {
  const { agent_type: type, pmm_agent_id: pmmAgentId, runs_on_node_id: nodeId, collector_name: name, insights } = agent;
  // The node of an agent under a pmm_agent is that of the pmm_agent; a declaration does not contain it.
  const place = pmmAgentId === undefined ? { node: nodeId } : { pmmAgent: pmmAgentId };
  const targets = [insights.node_ids, insights.service_ids].map((ids) => [...ids].sort());
  return createHash('sha256')
    .update(JSON.stringify([type, place, targets, ...(name === undefined ? [] : [name])]))
    .digest('hex');
}

/**
 * All natural keys by which an agent can be declared. An agent that watches only the node it runs on can be declared
 * with that node as its target or without any target.
 */
export const agentKeys = oncePer((agent: KeyedAgent): readonly string[] => {
  const { agent_type: type, runs_on_node_id: ownNode, insights } = agent;
  const [target, ...others] = [...insights.node_ids, ...insights.service_ids];
  const isUntold = agentTypeEntry(type).watchesItsNode === true && target === ownNode && others.length === 0;
  return [agentKey(agent), ...(isUntold ? [agentKey({ ...agent, insights: { node_ids: [], service_ids: [] } })] : [])];
});
