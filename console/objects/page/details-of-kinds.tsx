import Link from '@cloudscape-design/components/link';
import { type Agent, agents, type Node, nodes, type Service, services, textOf } from '../../model/kinds.tsx';
import { Moment } from '../../ui/moment.tsx';
import { href } from '../../ui/route.tsx';
import { labelOf } from '../../ui/words.ts';
import type { Details } from './object-details.tsx';
import { ObjectLink, ObjectLinks } from '../cells/object-link.tsx';

export const nodeDetails: Details<Node> = { shown: ['node_name'], pairs: () => [] };

export const serviceDetails: Details<Service> = {
  shown: ['service_name', 'node_ids', 'cluster'],
  pairs: (service) => {
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
  },
};

function placeOf(agent: Agent) {
  const node = textOf(agent, 'runs_on_node_id');
  const process = textOf(agent, 'pmm_agent_id');
  return [
    { label: 'Runs on', value: node === undefined ? 'Unknown node' : <ObjectLink kind={nodes} id={node} /> },
    ...(process === undefined ? [] : [{ label: 'Runs under', value: <ObjectLink kind={agents} id={process} /> }]),
  ];
}

function sinceOf(agent: Agent) {
  const since = textOf(agent, 'status_since');
  return since === undefined ? [] : [{ label: labelOf('status_since'), value: <Moment time={since} exact /> }];
}

export const agentDetails: Details<Agent> = {
  // Other parts show these as links or as a state.
  shown: ['runs_on_node_id', 'pmm_agent_id', 'insights', 'status', 'status_since', 'status_reason', 'connected'],
  pairs: (agent) => [
    ...sinceOf(agent),
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
  ],
};
