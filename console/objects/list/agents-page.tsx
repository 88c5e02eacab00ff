import { agents } from '../../model/kinds.tsx';
import { agentColumn, insightsColumn, placeColumn } from './agent-columns.tsx';
import { healthColumn } from '../cells/health-status.tsx';
import { ListPage } from './list-page.tsx';

const columns = [agentColumn, healthColumn, placeColumn, insightsColumn];

/** Of these the list takes one at a time; together they would ask several questions at once. */
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
