import { createHash } from 'node:crypto';
import { type AgentType, agentTypeEntry } from '../../domain/agent/types.ts';
import type { Agent } from './entity.ts';

/** What makes the natural key of an agent: its type, its place, and what it gives insight into. */
export interface KeyedAgent {
  agent_type: AgentType;
  pmm_agent_id?: string | undefined;
  runs_on_node_id?: string | undefined;
  insights: { node_ids: readonly string[]; service_ids: readonly string[] };
}

/** Of agents that have one key, the one that is meant by it: whoever was declared by it, or else the oldest. */
export function meantByKey<Alike extends Pick<Agent, 'agent_id' | 'created_at' | 'registered'>>(
  agents: readonly Alike[],
): Alike | undefined {
  const order = ({ registered, created_at: time, agent_id: id }: Alike) =>
    `${registered === true ? 0 : 1} ${time} ${id}`;
  return agents.toSorted((left, right) => (order(left) < order(right) ? -1 : 1))[0];
}

/** The natural key of an agent as it is declared, as a SHA-256 in hex: its parts may be longer than a key of the table. */
export function agentKey(agent: KeyedAgent): string {
  const { agent_type: type, pmm_agent_id: pmmAgentId, runs_on_node_id: nodeId, insights } = agent;
  // Under a pmm_agent, the node is that one's and nobody declares it.
  const place = pmmAgentId === undefined ? { node: nodeId } : { pmmAgent: pmmAgentId };
  const targets = [insights.node_ids, insights.service_ids].map((ids) => [...ids].sort());
  return createHash('sha256')
    .update(JSON.stringify([type, place, targets]))
    .digest('hex');
}

/**
 * Every key that an agent can be declared by. One that watches the node it runs on can be declared with that node as its
 * target or without any.
 */
export function agentKeys(agent: KeyedAgent): string[] {
  const { agent_type: type, runs_on_node_id: ownNode, insights } = agent;
  const [target, ...others] = [...insights.node_ids, ...insights.service_ids];
  const isUntold = agentTypeEntry(type).watchesItsNode === true && target === ownNode && others.length === 0;
  return [agentKey(agent), ...(isUntold ? [agentKey({ ...agent, insights: { node_ids: [], service_ids: [] } })] : [])];
}
