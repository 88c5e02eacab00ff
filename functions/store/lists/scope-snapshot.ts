import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { isWithin, MAX_IN_SCOPE, type ReconcileScope } from '../../domain/bulk/reconcile-request.ts';
import { nodeNameClaim, objectKey, type ObjectKind, relations, serviceNameClaim, typeOrder } from '../table/keys.ts';
import { selectNodes } from './list-nodes.ts';
import { selectServices } from './list-services.ts';
import type { Page, PageOptions } from '../table/page.ts';
import {
  type Agent,
  type EntityOf,
  idOf,
  isOfKind,
  jsonOf,
  type Node,
  storedOf,
  type Service,
} from '../entities/entity.ts';
import { withLabels } from '../entities/with-labels.ts';
import { claimOwners } from '../entities/claim-owners.ts';
import type { OwnerLimit } from '../../domain/access/owned-objects.ts';
import { isWithinOwners } from '../entities/owner-limit.ts';
import { objectsInParts } from '../entities/get.ts';
import { idsInEdges, referencesOf } from '../entities/derived-items.ts';
import { readCollection } from '../table/read.ts';
import { maxHeldBytes } from './held-objects.ts';

/** The dependants of a node or a service, by kind. */
export interface Dependants {
  services: readonly string[];
  agents: readonly string[];
}

/** All objects that a reconciliation of a scope depends on, as they were read. */
export interface ScopeSnapshot {
  nodes: ReadonlyMap<string, Node>;
  services: ReadonlyMap<string, Service>;
  agents: ReadonlyMap<string, Agent>;
  /** Ids of the objects inside the scope. */
  within: ReadonlySet<string>;
  /** The dependants of each node and service inside the scope. */
  dependants: ReadonlyMap<string, Dependants>;
  /** The owners of the claims that were looked up, by the partition of the claim. */
  owners: ReadonlyMap<string, string>;
}

/** Lookups besides the scope: names of objects, and other claims. */
export interface ScopeQuery {
  scope: ReconcileScope;
  /** The owners of the caller: objects with others are outside the scope. */
  limit: OwnerLimit | undefined;
  nodeNames: Iterable<string>;
  serviceNames: Iterable<string>;
  claims: readonly Key[];
  /** The most bytes of all objects that are read. Default: a share of the heap. */
  maxBytes?: number | undefined;
}

/** Counts the bytes of the objects that are read, as JSON. */
class ReadBytes {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** The object without its stored text. @throws ApiError `failedPrecondition` when all objects exceed the memory. */
  count<Kind extends ObjectKind>(entity: EntityOf<Kind>): EntityOf<Kind> {
    this.#left -= jsonOf(entity).length;
    if (this.#left >= 0) return withLabels(entity, (labels) => labels);
    throw new ApiError('failedPrecondition', 'The objects of the scope exceed the memory. Use a smaller scope.');
  }
}

const PAGE_SIZE = 1000;

/** Ids of the objects of a list. A list by name prefix alone reads an index, so the newest objects may be missing. */
async function idsOf<T>(list: (page: PageOptions) => Promise<Page<T>>, idOf: (object: T) => string): Promise<string[]> {
  const ids: string[] = [];
  let after: PageOptions['after'];
  do {
    const { objects, next } = await list({ size: PAGE_SIZE, after });
    ids.push(...objects.map(idOf));
    after = next;
  } while (after !== undefined && ids.length <= MAX_IN_SCOPE);
  return ids;
}

/** @throws ApiError `failedPrecondition` when the scope contains too many objects. */
async function listScope(table: Table, scope: ReconcileScope): Promise<{ nodeIds: string[]; serviceIds: string[] }> {
  const [nodeIds, serviceIds] = await Promise.all([
    idsOf(
      (page) => selectNodes(table, scope, page),
      ({ object }) => object.node_id,
    ),
    idsOf(
      (page) => selectServices(table, scope, page),
      ({ object }) => object.service_id,
    ),
  ]);
  if (nodeIds.length + serviceIds.length > MAX_IN_SCOPE)
    throw new ApiError(
      'failedPrecondition',
      `The scope contains more than ${MAX_IN_SCOPE} nodes and services. Use a smaller scope.`,
    );
  return { nodeIds, serviceIds };
}

/** Number of collections that are read in parallel. */
const AT_ONCE = 16;

/** An object, and the other items of its collection; undefined: the object is missing. */
interface ReadCollection<Kind extends ObjectKind> {
  entity: EntityOf<Kind> | undefined;
  edges: readonly Item[];
}

async function collections<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  ids: readonly string[],
  bytes: ReadBytes,
): Promise<Map<string, ReadCollection<Kind>>> {
  const collections = new Map<string, ReadCollection<Kind>>();
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await Promise.all(
      ids.slice(start, start + AT_ONCE).map(async (id) => {
        const { pk, sk } = objectKey(kind, id);
        const items = await readCollection(table, pk);
        const item = items.find((candidate) => candidate['sk'] === sk);
        const edges = items.filter((edge) => edge !== item);
        collections.set(id, { entity: item && bytes.count(storedOf(kind, item)), edges });
      }),
    );
  return collections;
}

/** An agent is inside the scope if it runs on a node inside, or if it has targets and all of them are inside. */
function agentIsWithin({ runs_on_node_id: nodeId, insights }: Agent, within: ReadonlySet<string>): boolean {
  if (nodeId !== undefined && within.has(nodeId)) return true;
  const targets = [...insights.node_ids, ...insights.service_ids];
  return targets.length > 0 && targets.every((id) => within.has(id));
}

/**
 * Reads the objects of a scope, their dependants, and the objects to look up. Four rounds: lists and claims;
 * collections (one query for each object); agents; the objects that agents and services refer to. Strongly consistent,
 * except the list when the scope is a name prefix alone. The rounds are not one point in time: a writer must expect
 * that objects have changed.
 *
 * @throws ApiError `failedPrecondition` when the scope contains too many objects.
 */
export async function readScopeSnapshot(
  table: Table,
  { scope, limit, nodeNames, serviceNames, claims, maxBytes = maxHeldBytes() }: ScopeQuery,
): Promise<ScopeSnapshot> {
  const bytes = new ReadBytes(maxBytes);
  const nodeClaims = Array.from(nodeNames, nodeNameClaim);
  const serviceClaims = Array.from(serviceNames, serviceNameClaim);
  const [{ nodeIds, serviceIds }, owners] = await Promise.all([
    listScope(table, scope),
    claimOwners(table, [...nodeClaims, ...serviceClaims, ...claims]),
  ]);
  const owned = (keys: readonly Key[]) => keys.flatMap(({ pk }) => owners.get(pk) ?? []);
  const [ofNodes, ofServices] = await Promise.all([
    collections(table, 'node', [...new Set([...nodeIds, ...owned(nodeClaims)])], bytes),
    collections(table, 'service', [...new Set([...serviceIds, ...owned(serviceClaims)])], bytes),
  ]);

  const nodes = new Map<string, Node>();
  const services = new Map<string, Service>();
  const agents = new Map<string, Agent>();
  const within = new Set<string>();
  const dependants = new Map<string, Dependants>();
  const agentIds = new Set<string>();
  const note = (id: string, items: readonly Item[]) => {
    const ids = [...idsInEdges(items, relations.agents), ...idsInEdges(items, relations.insights)];
    within.add(id);
    dependants.set(id, { services: idsInEdges(items, relations.services), agents: [...new Set(ids)] });
    for (const agentId of ids) agentIds.add(agentId);
  };
  for (const [id, { entity, edges }] of ofNodes) {
    if (entity === undefined) continue;
    const { object } = entity;
    nodes.set(id, object);
    if (isWithin(scope, 'node', object) && isWithinOwners(limit, { kind: 'node', object })) note(id, edges);
    // An agent for a node outside the scope runs under the pmm_agent of that node.
    else for (const agentId of idsInEdges(edges, relations.agents + typeOrder('pmm_agent'))) agentIds.add(agentId);
  }
  for (const [id, { entity, edges }] of ofServices) {
    if (entity === undefined) continue;
    const { object } = entity;
    services.set(id, object);
    if (isWithin(scope, 'service', object) && isWithinOwners(limit, { kind: 'service', object })) note(id, edges);
  }

  for (const [id, { object }] of await objectsOf({ table, bytes }, 'agent', agentIds)) agents.set(id, object);
  for (const [id, agent] of agents)
    if (agentIsWithin(agent, within) && isWithinOwners(limit, { kind: 'agent', object: agent })) within.add(id);
  await readNames({ table, bytes }, { nodes, services, agents, dependants });
  return { nodes, services, agents, within, dependants, owners };
}

interface SnapshotReader {
  table: Table;
  bytes: ReadBytes;
}

/** The objects with these ids. */
async function objectsOf<Kind extends ObjectKind>(
  { table, bytes }: SnapshotReader,
  kind: Kind,
  ids: Iterable<string>,
): Promise<[string, EntityOf<Kind>][]> {
  const objects: [string, EntityOf<Kind>][] = [];
  const wanted = Array.from(new Set(ids), (id) => ({ kind, id }));
  for await (const part of objectsInParts(table, wanted))
    for (const entity of part) if (isOfKind(entity, kind)) objects.push([idOf(entity), bytes.count(entity)]);
  return objects;
}

/** Reads the nodes and services that are referred to and not read yet. Replies show references by name. */
async function readNames(
  reader: SnapshotReader,
  {
    nodes,
    services,
    agents,
    dependants,
  }: {
    nodes: Map<string, Node>;
    services: Map<string, Service>;
    agents: Map<string, Agent>;
    dependants: Map<string, Dependants>;
  },
): Promise<void> {
  const inAgents = Array.from(agents.values(), referencesOf);
  const missingServices = [
    ...inAgents.flatMap(({ serviceIds }) => serviceIds),
    ...[...dependants.values()].flatMap(({ services: ids }) => ids),
  ].filter((id) => !services.has(id));
  for (const [id, { object }] of await objectsOf(reader, 'service', missingServices)) services.set(id, object);
  const missingNodes = [
    ...inAgents.flatMap(({ nodeIds }) => nodeIds),
    ...[...services.values()].flatMap(({ node_ids: ids }) => ids),
  ].filter((id) => !nodes.has(id));
  for (const [id, { object }] of await objectsOf(reader, 'node', missingNodes)) nodes.set(id, object);
}
