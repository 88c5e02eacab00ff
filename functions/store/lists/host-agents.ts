import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import { idsInEdges } from '../entities/derived-items.ts';
import { type Agent, type Entity, entityIn, notFound, orderOf } from '../entities/entity.ts';
import { findObjects } from '../entities/get.ts';
import { type Heartbeat, toHeartbeat } from '../heartbeats/heartbeat.ts';
import { reportedPorts } from '../heartbeats/shown-state.ts';
import { heartbeatKey, objectKey, type ObjectKind, relations, typeOrder } from '../table/keys.ts';
import { readCollection, readItem } from '../table/read.ts';
import { type AgentsWithTargets, keep, type ReferenceCache, referencesWithNodes } from './agents-with-targets.ts';

export interface HostQuery {
  nodeId: string;
  types: readonly AgentType[];
  /** The heartbeat of the node, if the caller has read it. */
  heartbeat?: Heartbeat;
  /** Default: true. */
  isConsistent?: boolean;
}

/** The only type whose agents can run on no node. */
const UNPLACED_TYPE: AgentType = 'external_exporter';

/** External exporters of exporters of services, of their services, of their nodes. */
const MAX_ROUNDS = 3;

interface Reader {
  table: Table;
  isConsistent: boolean;
}

const collectionOf = ({ table, isConsistent }: Reader, kind: ObjectKind, id: string, prefix?: string) =>
  readCollection(table, objectKey(kind, id).pk, prefix, isConsistent);

const externalInsights = relations.insights + typeOrder(UNPLACED_TYPE);

/** The external exporters of these services: one query each. */
async function externalExportersOf(reader: Reader, serviceIds: readonly string[]): Promise<string[]> {
  const edges = await Promise.all(serviceIds.map((id) => collectionOf(reader, 'service', id, externalInsights)));
  return edges.flatMap((items) => idsInEdges(items, externalInsights));
}

/** Reads objects by their ids, and adds them. Ids of missing objects are left out. */
async function learn(
  { table, isConsistent }: Reader,
  wanted: readonly { kind: ObjectKind; id: string }[],
  cache: ObjectCache,
) {
  for (const entity of await findObjects(table, wanted, isConsistent)) note(cache, entity);
}

interface ObjectCache extends ReferenceCache {
  agents: Map<string, Agent>;
}

function note(cache: ObjectCache, entity: Entity): void {
  if (entity.kind === 'agent') cache.agents.set(entity.object.agent_id, entity.object);
  else keep(cache, entity);
}

/** The nodes and services of these agents that are not known yet. */
function missingReferences(cache: ObjectCache): { kind: ObjectKind; id: string }[] {
  const references = [...cache.agents.values()].map((agent) => referencesWithNodes(agent, cache));
  const missing = (kind: ObjectKind, ids: readonly string[], there: ReadonlyMap<string, unknown>) =>
    [...new Set(ids)].filter((id) => !there.has(id)).map((id) => ({ kind, id }));
  return [
    ...missing(
      'node',
      references.flatMap(({ nodeIds }) => nodeIds),
      cache.nodes,
    ),
    ...missing(
      'service',
      references.flatMap(({ serviceIds }) => serviceIds),
      cache.services,
    ),
  ];
}

/** Whether an agent runs on the node, or runs on no node and monitors nothing elsewhere. */
function belongsTo(nodeId: string, agent: Agent, cache: ObjectCache): boolean {
  if (agent.runs_on_node_id !== undefined) return agent.runs_on_node_id === nodeId;
  const { nodeIds, serviceIds } = referencesWithNodes(agent, cache);
  const isOnlyHere = (ids: readonly string[]) => ids.length > 0 && ids.every((id) => id === nodeId);
  return isOnlyHere(nodeIds) && serviceIds.every((id) => isOnlyHere(cache.services.get(id)?.node_ids ?? []));
}

async function readOnce(
  reader: Reader,
  { nodeId, types }: HostQuery,
): Promise<Omit<AgentsWithTargets, 'reportedPorts'>> {
  const { pk, sk } = objectKey('node', nodeId);
  const items = await collectionOf(reader, 'node', nodeId);
  const item = items.find((candidate) => candidate['pk'] === pk && candidate['sk'] === sk);
  if (item === undefined) throw notFound('node', nodeId);
  const cache: ObjectCache = { agents: new Map(), nodes: new Map(), services: new Map() };
  note(cache, entityIn('node', item));
  const isExternal = types.includes(UNPLACED_TYPE);
  const agentIds = new Set([
    ...types.flatMap((type) => idsInEdges(items, relations.agents + typeOrder(type))),
    ...(isExternal ? idsInEdges(items, externalInsights) : []),
  ]);
  const serviceIds = isExternal ? idsInEdges(items, relations.services) : [];
  const agents = Array.from(agentIds, (id) => ({ kind: 'agent' as const, id }));
  const services = serviceIds.map((id) => ({ kind: 'service' as const, id }));
  const [external] = await Promise.all([
    externalExportersOf(reader, serviceIds),
    learn(reader, [...agents, ...services], cache),
  ]);
  const others = external.filter((id) => !agentIds.has(id)).map((id) => ({ kind: 'agent' as const, id }));
  let wanted = [...others, ...missingReferences(cache)];
  for (let round = 0; round < MAX_ROUNDS && wanted.length > 0; round += 1) {
    await learn(reader, wanted, cache);
    wanted = missingReferences(cache);
  }
  // An object was removed, or is not visible yet, between two of the reads.
  if (wanted.length > 0) throw new StaleRead();
  const ownAgents = [...cache.agents.values()].filter((agent) => belongsTo(nodeId, agent, cache));
  const order = (object: Agent) => orderOf({ kind: 'agent', object });
  ownAgents.sort((left, right) => (order(left) < order(right) ? -1 : 1));
  return { agents: ownAgents, nodes: cache.nodes, services: cache.services };
}

/**
 * The agents of these types that a scraper on a node reaches, by type, then by id, with their nodes and services: those
 * that run on the node, and external exporters on no node that monitor only the node and services on it. One query of the
 * node and one of each service, the heartbeat, and batch reads of the agents, the services and what else they refer to.
 *
 * @throws ApiError `notFound`, `unavailable` when objects are removed faster than they can be read.
 */
export async function readHostAgents(table: Table, query: HostQuery): Promise<AgentsWithTargets> {
  const { nodeId, heartbeat, isConsistent = true } = query;
  let attempts = 0;
  return retryOnContention(table, async () => {
    // Indexes are not used. What an eventually consistent read misses is read again, strongly consistent.
    const reader = { table, isConsistent: isConsistent || attempts > 0 };
    attempts += 1;
    const [item, hostObjects] = await Promise.all([
      heartbeat === undefined ? readItem(table, heartbeatKey(nodeId), reader.isConsistent) : undefined,
      readOnce(reader, query),
    ]);
    const present = item === undefined ? heartbeat : toHeartbeat(item);
    return { ...hostObjects, reportedPorts: reportedPorts(present === undefined ? [] : [present]) };
  });
}
