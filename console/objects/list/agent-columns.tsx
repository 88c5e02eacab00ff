import SpaceBetween from '@cloudscape-design/components/space-between';
import { type Agent, agents, nodes, services, textOf } from '../../model/kinds.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { ObjectLink, ObjectLinks } from '../cells/object-link.tsx';
import type { Column } from '../cells/column.ts';

export const agentColumn: Column<Agent> = {
  id: 'agent',
  header: 'Agent',
  sortBy: 'agent_type',
  isRowHeader: true,
  cell: (agent) => <NameLink kind={agents} object={agent} />,
};

export const placeColumn: Column<Agent> = {
  id: 'place',
  header: 'Runs on',
  sortBy: 'runs_on_node_id',
  wide: true,
  cell: (agent) => {
    const node = textOf(agent, 'runs_on_node_id');
    return node === undefined ? '-' : <ObjectLink kind={nodes} id={node} />;
  },
};

export const insightsColumn: Column<Agent> = {
  id: 'insights',
  header: 'Gives insight into',
  wide: true,
  cell: ({ insights: { node_ids: nodeIds, service_ids: serviceIds } }) =>
    nodeIds.length + serviceIds.length === 0 ? (
      '-'
    ) : (
      <SpaceBetween size="xxs">
        {serviceIds.length > 0 && <ObjectLinks kind={services} ids={serviceIds} max={2} />}
        {nodeIds.length > 0 && <ObjectLinks kind={nodes} ids={nodeIds} max={2} />}
      </SpaceBetween>
    ),
};
