import { agents } from '../../model/kinds.tsx';
import {
  agentColumn,
  clusterOfAgentColumn,
  insightsColumn,
  moreAgentColumns,
  placeColumn,
  regionColumn,
  sinceColumn,
  versionColumn,
} from './agent-columns.tsx';
import { healthColumn } from '../cells/health-status.tsx';
import { ListPage } from './list-page.tsx';

const columns = [
  agentColumn,
  healthColumn,
  placeColumn,
  sinceColumn,
  regionColumn,
  insightsColumn,
  clusterOfAgentColumn,
  versionColumn,
  ...moreAgentColumns,
];

/** The list accepts one of these filters at a time. */
const relations = ['runs_on_node_id', 'pmm_agent_id', 'node_id', 'service_id'];

export function AgentsPage() {
  return (
    <ListPage
      kind={agents}
      columns={columns}
      exclusive={relations}
      firstSteps="Add a pmm_agent on a node first. It starts the other agents of the node."
    />
  );
}
