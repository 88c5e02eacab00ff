import { type Agent, agents, nodes, services, textOf } from '../../model/kinds.tsx';
import { Moment, shortDistanceText } from '../../ui/moment.tsx';
import { RelatedValue } from '../cells/related-value.tsx';
import { changedColumn, fieldColumn, textCell } from '../cells/text-column.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { FirstLink, ObjectLink } from '../cells/object-link.tsx';
import type { Column } from '../cells/column.ts';
import { plural } from '../../ui/words.ts';

/** The type of an agent: its host is in the column beside it. */
export const agentColumn: Column<Agent> = {
  id: 'agent',
  header: 'Agent',
  sortBy: 'agent_type',
  isRowHeader: true,
  textOf: agents.typeOf,
  cell: (agent) => <NameLink kind={agents} object={agent} part={agents.typeOf(agent)} />,
};

/** The nodes from which the region of an agent follows. */
function placesOf(agent: Agent): readonly string[] {
  const node = textOf(agent, 'runs_on_node_id');
  return node === undefined ? agent.insights.node_ids : [node];
}

export const placeColumn: Column<Agent> = {
  id: 'place',
  header: 'Runs on',
  sortBy: 'runs_on_node_id',
  width: 170,
  cell: (agent) => {
    const node = textOf(agent, 'runs_on_node_id');
    return node === undefined ? '-' : <ObjectLink kind={nodes} id={node} />;
  },
};

export const regionColumn: Column<Agent> = {
  id: 'region',
  header: 'Region',
  spare: true,
  width: 150,
  cell: (agent) => <RelatedValue kind={nodes} ids={placesOf(agent)} field="region" />,
};

/** Hidden unless the user selects them. */
export const moreAgentColumns: readonly Column<Agent>[] = [
  {
    id: 'az',
    header: 'Zone',
    optional: true,
    width: 150,
    cell: (agent) => <RelatedValue kind={nodes} ids={placesOf(agent)} field="az" />,
  },
  {
    id: 'environment',
    header: 'Environment',
    optional: true,
    width: 150,
    cell: ({ insights: { service_ids: ids } }) => <RelatedValue kind={services} ids={ids} field="environment" />,
  },
  fieldColumn('listen_port', 'Port', { id: 'port', optional: true }),
  { ...changedColumn, optional: true },
];

export const clusterOfAgentColumn: Column<Agent> = {
  id: 'cluster',
  header: 'Cluster',
  optional: true,
  width: 190,
  cell: ({ insights: { service_ids: ids } }) => <RelatedValue kind={services} ids={ids} field="cluster" />,
};

/** Since when the agent has the status that is its health. */
export const sinceColumn: Column<Agent> = {
  id: 'since',
  header: 'Since',
  sortBy: 'status_since',
  textOf: (agent) => {
    const since = textOf(agent, 'status_since');
    return since === undefined ? '-' : shortDistanceText(since);
  },
  cell: (agent) => {
    const since = textOf(agent, 'status_since');
    return since === undefined ? '-' : <Moment time={since} />;
  },
};

export const versionColumn: Column<Agent> = {
  id: 'version',
  header: 'Version',
  spare: true,
  ...textCell((agent) => textOf(agent, 'version') ?? '-'),
};

export const insightsColumn: Column<Agent> = {
  id: 'insights',
  header: 'Gives insight into',
  width: 190,
  cell: ({ insights: { node_ids: nodeIds, service_ids: serviceIds } }) =>
    serviceIds.length > 0 ? (
      <>
        <FirstLink kind={services} ids={serviceIds} />
        {nodeIds.length > 0 && `, ${plural(nodeIds.length, 'node')}`}
      </>
    ) : (
      <FirstLink kind={nodes} ids={nodeIds} />
    ),
};
