import { agentsOf } from '../model/agents-of.tsx';
import {
  type Agent,
  fieldOf,
  type InventoryObject,
  type Node,
  nodes,
  type Service,
  services,
} from '../model/kinds.tsx';
import { objectsByIds } from '../model/read-all.tsx';
import type { BulkVerb } from '../objects/bulk/bulk-dialog.tsx';
import type { Members } from './load-members.tsx';

/** Nodes whose services are read at the same time. */
const AT_ONCE = 4;

/** Services of one node that are read: one of another cluster among them is enough. */
const SERVICES_PER_NODE = 100;

/** The objects of an action on a whole cluster. */
export interface ClusterScope {
  services: readonly Service[];
  /** The nodes on which only services of this cluster run. */
  ownNodes: readonly Node[];
  /** The nodes on which other services run as well: they are no part of the cluster. */
  sharedNodes: readonly Node[];
  /** The agents of the services, and those that run on the own nodes. */
  agents: readonly Agent[];
}

/** Whether a service that is not in the cluster runs on a node. */
async function isShared(node: Node, members: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
  const query = { node_id: node.node_id, fields: services.idField, page_size: String(SERVICES_PER_NODE) };
  const { objects, next } = await services.list(query, { signal });
  return next !== undefined || objects.some(({ service_id: id }) => !members.has(id));
}

/** The nodes on which only these services run. */
async function nodesOfServicesOnly(
  hosts: readonly Node[],
  serviceIds: readonly string[],
  signal: AbortSignal,
): Promise<Node[]> {
  const clusterServices = new Set(serviceIds);
  const ownNodes: Node[] = [];
  for (let from = 0; from < hosts.length; from += AT_ONCE) {
    const group = hosts.slice(from, from + AT_ONCE);
    const shared = await Promise.all(group.map((node) => isShared(node, clusterServices, signal)));
    ownNodes.push(...group.filter((_, index) => shared[index] === false));
  }
  return ownNodes;
}

/**
 * The nodes of a cluster that run nothing else.
 *
 * @throws ApiFailure
 */
export const loadOwnNodes = (members: Members, signal: AbortSignal): Promise<Node[]> =>
  nodesOfServicesOnly([...members.nodes.values()], members.services.map(services.idOf), signal);

/**
 * Reads the objects of an action on a cluster as they are now: the revisions of the page may be old.
 *
 * @throws ApiFailure
 */
export async function loadScope(members: Members, signal: AbortSignal): Promise<ClusterScope> {
  const serviceIds = members.services.map(services.idOf);
  const present = await objectsByIds(services, serviceIds, signal);
  const hosts = await objectsByIds(nodes, [...members.nodes.keys()], signal);
  const ownNodes = await nodesOfServicesOnly(hosts, serviceIds, signal);
  const agentLists = await Promise.all([
    ...present.map(({ service_id: id }) => agentsOf('service_id', id)),
    ...ownNodes.map(({ node_id: id }) => agentsOf('runs_on_node_id', id)),
  ]);
  return {
    services: present,
    ownNodes,
    sharedNodes: hosts.filter((node) => !ownNodes.includes(node)),
    agents: [...new Map(agentLists.flat().map((agent) => [agent.agent_id, agent])).values()],
  };
}

/** The objects that an action changes. Services are removed before the nodes that they run on. */
export function objectsOf(
  { services: all, ownNodes, agents }: ClusterScope,
  verb: BulkVerb,
): readonly InventoryObject[] {
  switch (verb) {
    case 'set_label':
    case 'remove_label':
      return [...all, ...ownNodes, ...agents];
    case 'disable':
    case 'enable':
      return agents.filter((agent) => fieldOf(agent, 'disabled') === (verb === 'enable'));
    case 'remove':
      return [...all, ...ownNodes];
  }
}
