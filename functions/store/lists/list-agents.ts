import type { Table } from '../../../shared/db/table.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { type ListReader, listObjects } from './list-objects.ts';
import { type Question, type RelationFilter, type Selection, selectObjects, withValue } from './query-planner.ts';
import type { Agent, EntityOf } from '../entities/entity.ts';

export interface AgentFilters extends Selection {
  agent_type?: AgentType | undefined;
  runs_on_node_id?: string | undefined;
  pmm_agent_id?: string | undefined;
  /** Agents with this node as a target. */
  node_id?: string | undefined;
  /** Agents with this service as a target. */
  service_id?: string | undefined;
}

/** For each filter: the kind of its object, the relation of the edges to read, and the check on the agent itself. */
const relationFilters = [
  ['runs_on_node_id', 'node', 'agents', (agent: Agent, id: string) => agent.runs_on_node_id === id],
  ['pmm_agent_id', 'agent', 'agents', (agent: Agent, id: string) => agent.pmm_agent_id === id],
  ['node_id', 'node', 'insights', ({ insights }: Agent, id: string) => insights.node_ids.includes(id)],
  ['service_id', 'service', 'insights', ({ insights }: Agent, id: string) => insights.service_ids.includes(id)],
] as const;

function relatedBy(filters: AgentFilters): RelationFilter<'agent'> | undefined {
  for (const [filter, kind, relation, has] of relationFilters) {
    const id = filters[filter];
    if (id !== undefined) return { kind, id, relation, holds: (agent) => has(agent, id) };
  }
  return undefined;
}

function questionOf(filters: AgentFilters): Question<'agent'> {
  const requirements = withValue('agent_type', filters.agent_type);
  return { requirements, related: relatedBy(filters), selection: filters };
}

/**
 * The agents that match, each as JSON. At most one of the four relations may be given.
 *
 * @throws ApiError `notFound` when the node, service or agent of the relation does not exist.
 */
export function listAgents(
  table: Table,
  filters: AgentFilters,
  page: PageOptions,
  reader: ListReader,
): Promise<Page<string>> {
  return listObjects(table, 'agent', questionOf(filters), page, reader);
}

/** The agents that match, as they are stored. As `listAgents`. */
export function selectAgents(table: Table, filters: AgentFilters, page: PageOptions): Promise<Page<EntityOf<'agent'>>> {
  return selectObjects(table, 'agent', questionOf(filters), page);
}
