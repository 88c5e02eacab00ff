import {
  type Agent,
  agents,
  type ListQuery,
  type Node,
  nodes,
  type Service,
  services,
  textOf,
} from '../model/kinds.tsx';
import type { InventoryObject, Kind } from '../model/kinds.tsx';
import { agentsOf } from '../model/agents-of.tsx';
import { cachedObject } from '../model/object-cache.tsx';
import { ApiFailure } from '../api/client.tsx';
import { href } from '../ui/route.tsx';
import type { GraphSource } from './graph.ts';

/** Number of objects that are read for each relation; the graph names the rest. */
const PAGE_SIZE = 100;

/** Number of services that are read, or whose agents are read. */
const MAX_SERVICES = 20;

/** The subject of the page; of a cluster its services, as far as the page has read them. */
export type Subject =
  | { kind: 'node' | 'service' | 'agent'; id: string }
  | { kind: 'cluster'; name: string; services: readonly Service[]; hasMore: boolean };

/** Identifies what is read for the subject. */
export const keyOfSubject = (subject: Subject): readonly string[] =>
  subject.kind === 'cluster'
    ? [subject.kind, subject.name, ...subject.services.map(({ service_id: id }) => id)]
    : [subject.kind, subject.id];

export interface GraphData {
  sources: readonly GraphSource[];
  /** A list that was not read to its end, or whose objects are not all drawn: its address, by kind. */
  lists: Readonly<Partial<Record<GraphSource['kind'], string>>>;
  /** The kinds of which there are more than were read. */
  unread: ReadonlySet<GraphSource['kind']>;
}

const sourceOfNode = (node: Node): GraphSource => ({
  kind: 'node',
  id: node.node_id,
  name: node.node_name,
  type: node.node_type,
  object: node,
  runsOn: [],
  insights: [],
});

const sourceOfService = (service: Service): GraphSource => ({
  kind: 'service',
  id: service.service_id,
  name: service.service_name,
  type: service.service_type,
  object: service,
  runsOn: service.node_ids,
  insights: [],
});

const processOf = (agent: Agent) => textOf(agent, 'pmm_agent_id') ?? [];

const nodeOf = (agent: Agent) => textOf(agent, 'runs_on_node_id') ?? [];

const sourceOfAgent = (agent: Agent): GraphSource => ({
  kind: 'agent',
  id: agent.agent_id,
  name: agents.nameOf(agent),
  type: agent.agent_type,
  object: agent,
  runsOn: [nodeOf(agent)].flat(),
  runsUnder: textOf(agent, 'pmm_agent_id'),
  insights: [...agent.insights.service_ids, ...agent.insights.node_ids],
});

async function listed<T extends InventoryObject>(kind: Kind<T>, filters: ListQuery, signal: AbortSignal) {
  const { objects, next } = await kind.list({ ...filters, include: 'state', page_size: String(PAGE_SIZE) }, { signal });
  return { objects, hasMore: next !== undefined };
}

/**
 * Objects that others refer to; those that were removed in the meantime, or that the caller may not see, are left out.
 */
async function known<T extends InventoryObject>(kind: Kind<T>, ids: Iterable<string>): Promise<T[]> {
  const found = [...new Set(ids)].map((id) =>
    cachedObject(kind, id).catch((error: unknown) => {
      if (error instanceof ApiFailure && (error.status === 404 || error.status === 403)) return undefined;
      throw error;
    }),
  );
  return (await Promise.all(found)).filter((object) => object !== undefined);
}

async function aroundNode(id: string, signal: AbortSignal): Promise<GraphData> {
  const [[node], on, running, targeting] = await Promise.all([
    known(nodes, [id]),
    listed(services, { node_id: id }, signal),
    listed(agents, { runs_on_node_id: id }, signal),
    listed(agents, { node_id: id }, signal),
  ]);
  const onIt = new Set(on.objects.map(({ service_id: serviceId }) => serviceId));
  const targets = running.objects.flatMap(({ insights }) => insights.service_ids).filter((one) => !onIt.has(one));
  const elsewhere = await known(services, targets.slice(0, MAX_SERVICES));
  return {
    sources: [
      ...(node === undefined ? [] : [sourceOfNode(node)]),
      ...[...running.objects, ...targeting.objects].map(sourceOfAgent),
      ...[...on.objects, ...elsewhere].map(sourceOfService),
    ],
    lists: { service: href(['services'], { node_id: id }), agent: href(['agents'], { runs_on_node_id: id }) },
    unread: new Set([...(on.hasMore ? ['service' as const] : []), ...(running.hasMore ? ['agent' as const] : [])]),
  };
}

/** Services with the agents that give insight into them, the processes of those, and the nodes of all. */
async function aroundServices(
  around: readonly Service[],
): Promise<Pick<GraphData, 'sources'> & { hasMoreAgents: boolean }> {
  const ids = around.slice(0, MAX_SERVICES).map(({ service_id: id }) => id);
  const targeting = (await Promise.all(ids.map((id) => agentsOf('service_id', id)))).flat();
  const processes = await known(agents, targeting.flatMap(processOf));
  const places = [...targeting, ...processes].flatMap(nodeOf);
  const hosts = await known(nodes, [...around.flatMap(({ node_ids: nodeIds }) => nodeIds), ...places]);
  return {
    sources: [
      ...hosts.map(sourceOfNode),
      ...[...processes, ...targeting].map(sourceOfAgent),
      ...around.map(sourceOfService),
    ],
    hasMoreAgents: around.length > MAX_SERVICES,
  };
}

async function aroundService(id: string): Promise<GraphData> {
  const { sources, hasMoreAgents } = await aroundServices(await known(services, [id]));
  return {
    sources,
    lists: { agent: href(['agents'], { service_id: id }) },
    unread: new Set(hasMoreAgents ? (['agent'] as const) : []),
  };
}

async function aroundCluster({ name, services: members, hasMore }: Subject & { kind: 'cluster' }): Promise<GraphData> {
  const { sources, hasMoreAgents } = await aroundServices(members);
  return {
    sources,
    lists: { service: href(['services'], { cluster: name }) },
    unread: new Set([...(hasMore ? (['service'] as const) : []), ...(hasMoreAgents ? (['agent'] as const) : [])]),
  };
}

/** An agent with its process, the agents under it, what they give insight into, and the nodes of all. */
async function aroundAgent(id: string, signal: AbortSignal): Promise<GraphData> {
  const [subject, under] = await Promise.all([known(agents, [id]), listed(agents, { pmm_agent_id: id }, signal)]);
  const processes = await known(agents, subject.flatMap(processOf));
  const targeting = [...subject, ...under.objects];
  const serviceIds = new Set(targeting.flatMap(({ insights }) => insights.service_ids));
  const targets = await known(services, [...serviceIds].slice(0, MAX_SERVICES));
  const hosts = await known(nodes, [
    ...[...targeting, ...processes].flatMap(nodeOf),
    ...subject.flatMap(({ insights }) => insights.node_ids),
    ...targets.flatMap(({ node_ids: ids }) => ids),
  ]);
  return {
    sources: [
      ...hosts.map(sourceOfNode),
      ...[...processes, ...targeting].map(sourceOfAgent),
      ...targets.map(sourceOfService),
    ],
    lists: { agent: href(['agents'], { pmm_agent_id: id }) },
    unread: new Set([
      ...(under.hasMore ? (['agent'] as const) : []),
      ...(serviceIds.size > MAX_SERVICES ? (['service'] as const) : []),
    ]),
  };
}

/**
 * Reads a subject and the objects that it is related to.
 *
 * @throws ApiFailure
 */
export function loadSources(subject: Subject, signal: AbortSignal): Promise<GraphData> {
  switch (subject.kind) {
    case 'node':
      return aroundNode(subject.id, signal);
    case 'service':
      return aroundService(subject.id);
    case 'agent':
      return aroundAgent(subject.id, signal);
    case 'cluster':
      return aroundCluster(subject);
  }
}
