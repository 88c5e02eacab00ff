import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import { watcherOf } from '../model/agent-rules.ts';
import { agents, nodes, services, textOf } from '../model/kinds.tsx';
import { agentColumn, placeColumn } from './agent-columns.tsx';
import { healthColumn } from './health.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { ObjectLinks } from './object-link.tsx';
import { ObjectPage } from './object-page.tsx';
import { RelationTable } from './relation-table.tsx';
import { href } from '../ui/route.tsx';
import { Topology } from '../topology/topology.tsx';

export function ServicePage() {
  const mayAddAgent = useMay(agents.contracts.add);
  return (
    <ObjectPage
      kind={services}
      shown={['service_name', 'node_ids', 'cluster']}
      details={(service) => {
        const cluster = textOf(service, 'cluster');
        return [
          {
            label: 'Runs on',
            value:
              service.node_ids.length === 0 ? (
                'No node (serverless)'
              ) : (
                <ObjectLinks kind={nodes} ids={service.node_ids} max={service.node_ids.length} />
              ),
          },
          {
            label: 'Cluster',
            value: cluster === undefined ? '-' : <Link href={href(['clusters', cluster])}>{cluster}</Link>,
          },
        ];
      }}
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
