import { endpoint as getAgentStates } from '../../../functions/api/agents/states/endpoint.ts';
import { endpoint as getNodeStates } from '../../../functions/api/nodes/states/endpoint.ts';
import { call } from '../../api/client.tsx';
import { watcherOf } from '../../model/agent-rules.ts';
import { agents, nodes, type Service, services } from '../../model/kinds.tsx';
import type { Column } from '../cells/column.ts';
import { healthColumn } from '../cells/health-status.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { agentColumn, insightsColumn, placeColumn } from '../list/agent-columns.tsx';
import { clusterColumn, endpointOf, environmentColumn } from '../list/service-columns.tsx';
import { agentDetails, nodeDetails, serviceDetails } from './details-of-kinds.tsx';
import { ObjectPage } from './object-page.tsx';
import { RelationTable } from './relation-table.tsx';
import { StateHistory } from './state-history.tsx';

const serviceColumns: readonly Column<Service>[] = [
  { id: 'name', header: 'Name', isRowHeader: true, cell: (service) => <NameLink kind={services} object={service} /> },
  healthColumn,
  { id: 'type', header: 'Type', cell: (service) => service.service_type },
  clusterColumn,
  environmentColumn,
  { id: 'address', header: 'Address', cell: (service) => endpointOf(service) ?? '-' },
];

const runningColumns = [agentColumn, healthColumn, insightsColumn];
const insightColumns = [agentColumn, healthColumn, placeColumn];

const insights = {
  kind: agents,
  columns: insightColumns,
  title: 'Agents that give insight into it',
  none: 'No agent gives insight into it.',
};

/** A usual host has an agent process, and agents for its metrics, its database and the queries of this. */
const HOST_AGENTS = 5;

export function NodePage() {
  return (
    <ObjectPage
      kind={nodes}
      details={nodeDetails}
      states={({ node_id: id }) => (
        <StateHistory
          id={['node', id]}
          load={(signal) => call(getNodeStates, { params: { node_id: id } }, { signal })}
        />
      )}
      sections={({ node_id: id }) => [
        <RelationTable
          key="services"
          kind={services}
          filters={{ node_id: id }}
          columns={serviceColumns}
          title="Services that run on it"
          none="No service runs on it."
          usualRows={1}
          add={{ text: 'Add a service here', query: { node_ids: id } }}
        />,
        <RelationTable
          key="agents"
          kind={agents}
          filters={{ runs_on_node_id: id }}
          columns={runningColumns}
          title="Agents that run on it"
          none="No agent runs on it."
          usualRows={HOST_AGENTS}
          add={{ text: 'Add a pmm_agent here', query: { agent_type: 'pmm_agent', runs_on_node_id: id } }}
        />,
        <RelationTable key="insights" {...insights} usualRows={1} filters={{ node_id: id }} />,
      ]}
    />
  );
}

export function ServicePage() {
  return (
    <ObjectPage
      kind={services}
      details={serviceDetails}
      sections={({ service_id: id, service_type: type }) => [
        <RelationTable
          key="insights"
          {...insights}
          filters={{ service_id: id }}
          add={{ text: 'Add an agent for it', query: { agent_type: watcherOf(type), service_ids: id } }}
        />,
      ]}
    />
  );
}

export function AgentPage() {
  return (
    <ObjectPage
      kind={agents}
      details={agentDetails}
      states={({ agent_id: id }) => (
        <StateHistory
          id={['agent', id]}
          load={(signal) => call(getAgentStates, { params: { agent_id: id } }, { signal })}
        />
      )}
      sections={({ agent_type: type, agent_id: id }) =>
        type === 'pmm_agent'
          ? [
              <RelationTable
                key="agents"
                kind={agents}
                filters={{ pmm_agent_id: id }}
                columns={runningColumns}
                title="Agents that run under it"
                none="No agent runs under it."
                usualRows={HOST_AGENTS - 1}
                add={{ text: 'Add an agent under it', query: { agent_type: 'node_exporter', pmm_agent_id: id } }}
              />,
            ]
          : []
      }
    />
  );
}
