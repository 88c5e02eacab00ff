import Button from '@cloudscape-design/components/button';
import { agents } from '../../model/kinds.tsx';
import { agentColumn, insightsColumn } from '../list/agent-columns.tsx';
import { healthColumn } from '../cells/health-status.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { agentDetails } from './details-of-kinds.tsx';
import { ObjectPage } from './object-page.tsx';
import { RelationTable } from './relation-table.tsx';
import { href } from '../../ui/route.tsx';
import { Topology } from '../../topology/topology.tsx';

function AgentsUnderIt({ id }: { id: string }) {
  const mayAdd = useMay(agents.contracts.add);
  return (
    <RelationTable
      kind={agents}
      filters={{ pmm_agent_id: id }}
      columns={[agentColumn, healthColumn, insightsColumn]}
      title="Agents that run under it"
      none="No agent runs under it."
      actions={
        mayAdd && (
          <Button href={href(['agents', 'add'], { agent_type: 'node_exporter', pmm_agent_id: id })}>
            Add an agent under it
          </Button>
        )
      }
    />
  );
}

export function AgentPage() {
  return (
    <ObjectPage
      kind={agents}
      details={agentDetails}
      sections={({ agent_type: type, agent_id: id }) => [
        <Topology key="topology" subject={{ kind: 'agent', id }} />,
        ...(type === 'pmm_agent' ? [<AgentsUnderIt key="agents" id={id} />] : []),
      ]}
    />
  );
}
