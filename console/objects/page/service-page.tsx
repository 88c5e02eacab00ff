import Button from '@cloudscape-design/components/button';
import { watcherOf } from '../../model/agent-rules.ts';
import { agents, services } from '../../model/kinds.tsx';
import { agentColumn, placeColumn } from '../list/agent-columns.tsx';
import { healthColumn } from '../cells/health-status.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { serviceDetails } from './details-of-kinds.tsx';
import { ObjectPage } from './object-page.tsx';
import { RelationTable } from './relation-table.tsx';
import { href } from '../../ui/route.tsx';
import { Topology } from '../../topology/topology.tsx';

export function ServicePage() {
  const mayAddAgent = useMay(agents.contracts.add);
  return (
    <ObjectPage
      kind={services}
      details={serviceDetails}
      sections={({ service_id: id, service_type: type }) => [
        <Topology key="topology" subject={{ kind: 'service', id }} />,
        <RelationTable
          key="insights"
          kind={agents}
          filters={{ service_id: id }}
          columns={[agentColumn, healthColumn, placeColumn]}
          title="Agents that give insight into it"
          none="No agent gives insight into it."
          actions={
            mayAddAgent && (
              <Button href={href(['agents', 'add'], { agent_type: watcherOf(type), service_ids: id })}>
                Add an agent for it
              </Button>
            )
          }
        />,
      ]}
    />
  );
}
