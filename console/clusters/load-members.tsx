import { agentsOf } from '../model/agents-of.tsx';
import { healthOf, worstFirst } from '../model/health.ts';
import { type Agent, type Node, nodes, type Service, services } from '../model/kinds.tsx';
import { presentObjects, remember } from '../model/object-cache.tsx';
import { byNumbers } from '../../shared/core/by-numbers.ts';

/** Number of members that are read. */
export const MAX_MEMBERS = 500;

/** The members of a cluster: its services, with their nodes and agents. */
export interface Members {
  /** The worst state first, then by name. */
  services: readonly Service[];
  /** Whether the cluster has more services than were read. */
  hasMore: boolean;
  /** The nodes of the services by their ids. */
  nodes: ReadonlyMap<string, Node>;
  /** The agents that give insight into each service, by its id. */
  agents: ReadonlyMap<string, readonly Agent[]>;
}

interface WithState {
  state?: (typeof worstFirst)[number] | undefined;
}

const rankOf = (object: WithState) => (object.state === undefined ? 0 : worstFirst.indexOf(object.state));

/** The worst state first, of equal ones by name. */
export const worstStateFirst = <T extends WithState>(objects: readonly T[], nameOf: (object: T) => string): T[] =>
  objects.toSorted((left, right) => rankOf(left) - rankOf(right) || byNumbers(nameOf(left), nameOf(right)));

export const isGood = (object: Parameters<typeof healthOf>[0]) => healthOf(object)?.isGood === true;

/**
 * Reads a cluster: its services with one request, then their nodes and agents with one request per 50.
 *
 * @throws ApiFailure
 */
export async function loadMembers(cluster: string, signal: AbortSignal): Promise<Members> {
  const query = { cluster, include: 'state', page_size: String(MAX_MEMBERS) };
  const { objects, next } = await services.list(query, { signal });
  remember(services, objects);
  const ids = objects.map(services.idOf);
  const nodeIds = [...new Set(objects.flatMap(({ node_ids: on }) => on))];
  const [agentLists, hosts] = await Promise.all([
    Promise.all(ids.map((id) => agentsOf('service_id', id))),
    presentObjects(nodes, nodeIds),
  ]);
  return {
    services: worstStateFirst(objects, services.nameOf),
    hasMore: next !== undefined,
    nodes: new Map(hosts.map((node) => [node.node_id, node])),
    agents: new Map(ids.map((id, index) => [id, agentLists[index] ?? []])),
  };
}
