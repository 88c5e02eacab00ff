import { fieldNames } from '../../../shared/core/field-names.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { type ListReader, listObjects } from './list-objects.ts';
import { type Question, type RelationFilter, type Selection, withValue } from './question.ts';
import { selectObjects } from './read-plan.ts';
import { relatedRequirements } from './related-values.ts';
import type { Agent, EntityOf } from '../entities/entity.ts';

export interface AgentFilters extends Selection {
  agent_type?: AgentType | undefined;
  /** Comma-separated ids, as those of the other relations. */
  runs_on_node_id?: string | undefined;
  pmm_agent_id?: string | undefined;
  /** Agents with one of these nodes as a target. */
  node_id?: string | undefined;
  /** Agents with one of these services as a target. */
  service_id?: string | undefined;
  /** Those of the node on which the agent runs. */
  region?: string | undefined;
  az?: string | undefined;
  /** Those of the services that are its targets. */
  cluster?: string | undefined;
  environment?: string | undefined;
}

/** For each filter: the kind of its object, the relation of the edges to read, and the ids in the agent itself. */
const relationFilters = [
  ['runs_on_node_id', 'node', 'agents', (agent: Agent) => [agent.runs_on_node_id]],
  ['pmm_agent_id', 'agent', 'agents', (agent: Agent) => [agent.pmm_agent_id]],
  ['node_id', 'node', 'insights', ({ insights }: Agent) => insights.node_ids],
  ['service_id', 'service', 'insights', ({ insights }: Agent) => insights.service_ids],
] as const;

function relatedBy(filters: AgentFilters): RelationFilter<'agent'> | undefined {
  for (const [filter, kind, relation, idsIn] of relationFilters) {
    const list = filters[filter];
    if (list === undefined) continue;
    const ids = new Set(fieldNames(list));
    const holds = (agent: Agent) => idsIn(agent).some((id) => id !== undefined && ids.has(id));
    return { kind, ids: [...ids], relation, holds };
  }
  return undefined;
}

export function agentQuestion(filters: AgentFilters): Question<'agent'> {
  const requirements = withValue('agent_type', filters.agent_type);
  const through = relatedRequirements('agent', filters);
  return { requirements, related: relatedBy(filters), through, selection: filters };
}

/**
 * The agents that match, each as JSON. At most one of the four relations may be given.
 *
 * @throws ApiError `notFound` when the one node, service or agent of the relation does not exist.
 */
export function listAgents(
  table: Table,
  filters: AgentFilters,
  page: PageOptions,
  reader: ListReader,
): Promise<Page<string>> {
  return listObjects(table, 'agent', agentQuestion(filters), page, reader);
}

/** The agents that match, as they are stored. As `listAgents`. */
export function selectAgents(table: Table, filters: AgentFilters, page: PageOptions): Promise<Page<EntityOf<'agent'>>> {
  return selectObjects(table, 'agent', agentQuestion(filters), page);
}
