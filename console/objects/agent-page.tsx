import Button from '@cloudscape-design/components/button';
import { type Agent, agents, nodes, services, textOf } from '../model/kinds.tsx';
import { agentColumn, insightsColumn } from './agent-columns.tsx';
import { healthColumn } from './health.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { ObjectLink, ObjectLinks } from './object-link.tsx';
import { ObjectPage } from './object-page.tsx';
import { RelationTable } from './relation-table.tsx';
import { href } from '../ui/route.tsx';
import { Topology } from '../topology/topology.tsx';

/** Fields that are shown as links or as a state. */
const shown = ['runs_on_node_id', 'pmm_agent_id', 'insights', 'status', 'connected'];

function placeOf(agent: Agent) {
  const node = textOf(agent, 'runs_on_node_id');
  const process = textOf(agent, 'pmm_agent_id');
  return [
    { label: 'Runs on', value: node === undefined ? 'Unknown node' : <ObjectLink kind={nodes} id={node} /> },
    ...(process === undefined ? [] : [{ label: 'Runs under', value: <ObjectLink kind={agents} id={process} /> }]),
  ];
}

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
      shown={shown}
      details={(agent) => [
        ...placeOf(agent),
        ...(agent.agent_type === 'pmm_agent'
          ? []
          : [
              {
                label: 'Gives insight into services',
                value: <ObjectLinks kind={services} ids={agent.insights.service_ids} max={20} />,
              },
              {
                label: 'Gives insight into nodes',
                value: <ObjectLinks kind={nodes} ids={agent.insights.node_ids} max={20} />,
              },
            ]),
      ]}
      sections={({ agent_type: type, agent_id: id }) => [
        <Topology key="topology" subject={{ kind: 'agent', id }} />,
        ...(type === 'pmm_agent' ? [<AgentsUnderIt key="agents" id={id} />] : []),
      ]}
    />
  );
}
