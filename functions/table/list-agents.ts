import type { Table } from '../../shared/db/table.ts';
import type { AgentType } from '../catalogue/agent-types.ts';
import { typeOrder } from './keys.ts';
import { listByIndex, listByRelation, type Page, type PageOptions } from './lists.ts';
import { mustExist } from './objects.ts';
import type { Agent, Stored } from './stored.ts';

export interface AgentFilters {
  agent_type?: AgentType | undefined;
  runs_on_node_id?: string | undefined;
  pmm_agent_id?: string | undefined;
  /** Gives insight into this node. */
  node_id?: string | undefined;
  /** Gives insight into this service. */
  service_id?: string | undefined;
}

/** What each relation asks: whose collection, and which of its edges. */
const relationFilters = [
  ['runs_on_node_id', 'node', 'agents'],
  ['pmm_agent_id', 'agent', 'agents'],
  ['node_id', 'node', 'insights'],
  ['service_id', 'service', 'insights'],
] as const;

/**
 * Which agents match? At most one of the four relations may be given.
 *
 * @throws ApiError `notFound` when there is no such node, service or agent.
 */
export async function listAgents(table: Table, filters: AgentFilters, page: PageOptions): Promise<Page<Agent>> {
  const prefix = filters.agent_type === undefined ? '' : typeOrder(filters.agent_type);
  for (const [filter, kind, relation] of relationFilters) {
    const id = filters[filter];
    if (id === undefined) continue;
    const [found] = await Promise.all([
      listByRelation(table, { kind, id, relation, prefix }, page),
      mustExist(table, kind, id),
    ]);
    return agentPage(found);
  }
  return agentPage(await listByIndex(table, { kind: 'agent', prefix }, page));
}

function agentPage({ objects, next }: Page<Stored>): Page<Agent> {
  return { objects: objects.flatMap((stored) => (stored.kind === 'agent' ? [stored.object] : [])), next };
}
