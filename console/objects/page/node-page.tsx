import Button from '@cloudscape-design/components/button';
import { agents, nodes, type Service, services } from '../../model/kinds.tsx';
import { agentColumn, insightsColumn, placeColumn } from '../list/agent-columns.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { healthColumn } from '../cells/health-status.tsx';
import { nodeDetails } from './details-of-kinds.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { ObjectPage } from './object-page.tsx';
import type { Column } from '../cells/column.ts';
import { RelationTable } from './relation-table.tsx';
import { clusterColumn, endpointOf, environmentColumn } from '../list/service-columns.tsx';
import { href } from '../../ui/route.tsx';
import { Topology } from '../../topology/topology.tsx';

const serviceColumns: readonly Column<Service>[] = [
  { id: 'name', header: 'Name', isRowHeader: true, cell: (service) => <NameLink kind={services} object={service} /> },
  healthColumn,
  { id: 'type', header: 'Type', cell: (service) => service.service_type },
  clusterColumn,
  environmentColumn,
  { id: 'address', header: 'Address', wide: true, cell: (service) => endpointOf(service) ?? '-' },
];

export function NodePage() {
  const mayAddService = useMay(services.contracts.add);
  const mayAddAgent = useMay(agents.contracts.add);
  return (
    <ObjectPage
      kind={nodes}
      details={nodeDetails}
      sections={({ node_id: id }) => [
        <Topology key="topology" subject={{ kind: 'node', id }} />,
        <RelationTable
          key="services"
          kind={services}
          filters={{ node_id: id }}
          columns={serviceColumns}
          title="Services that run on it"
          none="No service runs on it."
          actions={
            mayAddService && <Button href={href(['services', 'add'], { node_ids: id })}>Add a service here</Button>
          }
        />,
        <RelationTable
          key="agents"
          kind={agents}
          filters={{ runs_on_node_id: id }}
          columns={[agentColumn, healthColumn, insightsColumn]}
          title="Agents that run on it"
          none="No agent runs on it."
          actions={
            mayAddAgent && (
              <Button href={href(['agents', 'add'], { agent_type: 'pmm_agent', runs_on_node_id: id })}>
                Add a pmm_agent here
              </Button>
            )
          }
        />,
        <RelationTable
          key="insights"
          kind={agents}
          filters={{ node_id: id }}
          columns={[agentColumn, healthColumn, placeColumn]}
          title="Agents that give insight into it"
          none="No agent gives insight into it."
        />,
      ]}
    />
  );
}
