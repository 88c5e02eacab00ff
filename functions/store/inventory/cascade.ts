import { stale } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import { dependentsKey, type ObjectKind, relations } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { nextRecord } from '../../domain/fields/record.ts';
import { type Agent, dependentsTypeOf, type Entity, idOf } from '../entities/entity.ts';
import { objectsById } from '../entities/get.ts';
import { idsInEdges, nextState } from '../entities/derived-items.ts';

export interface Cascade {
  /** The objects to remove, dependants before the objects that they depend on; the object itself is the last. */
  removed: Entity[];
  /** The objects that stay, but lose targets or nodes. */
  changed: { old: Entity; next: (old: Entity, now: Date) => Entity }[];
}

/** @throws StaleRead when one of them was removed after its edge was read. */
async function readObjects<Kind extends ObjectKind>(table: Table, kind: Kind, ids: readonly string[]) {
  const objects = await objectsById(table, kind, ids);
  if (ids.some((id) => !objects.has(id))) throw stale();
  return Array.from(objects.values(), ({ object }) => object);
}

/** The ids of the dependants of an object by relation, from the edges in its collection. */
async function dependantsOf(table: Table, kind: ObjectKind, id: string) {
  const items = await readCollection(table, dependentsKey(kind, id).pk);
  return {
    services: idsInEdges(items, relations.services),
    agents: idsInEdges(items, relations.agents),
    insights: idsInEdges(items, relations.insights),
  };
}

const without = (ids: readonly string[], gone: ReadonlySet<string>) => ids.filter((id) => !gone.has(id));

/**
 * The effect of a forced removal:
 * - A node: removes the agents that run on it and the services that run on no other node. A service that also runs
 *   elsewhere loses this node; an agent elsewhere loses it as a target.
 * - A service: removes the agents that have no other target left. Other agents lose it as a target.
 * - A pmm_agent: removes the agents under it.
 */
export async function cascadeOf(table: Table, target: Entity): Promise<Cascade> {
  const id = idOf(target);
  const direct = await dependantsOf(table, target.kind, id);
  const services = await readObjects(table, 'service', direct.services);
  // A service that has left the node since its edge was read is not affected.
  if (services.some(({ node_ids: nodeIds }) => !nodeIds.includes(id))) throw stale();
  const goneServices = services.filter(({ node_ids: nodeIds }) => nodeIds.every((nodeId) => nodeId === id));
  const ofServices = await Promise.all(
    goneServices.map((service) => dependantsOf(table, 'service', service.service_id)),
  );

  const goneNodes = new Set(target.kind === 'node' ? [id] : []);
  const goneServiceIds = new Set(goneServices.map((service) => service.service_id));
  if (target.kind === 'service') goneServiceIds.add(id);

  const running = new Set(direct.agents);
  const targeting = [...direct.insights, ...ofServices.flatMap(({ insights }) => insights)];
  const agents = await readObjects(table, 'agent', [...running, ...targeting]);
  const left = (agent: Agent) => ({
    node_ids: without(agent.insights.node_ids, goneNodes),
    service_ids: without(agent.insights.service_ids, goneServiceIds),
  });
  const targets = ({ insights }: Pick<Agent, 'insights'>) => insights.node_ids.length + insights.service_ids.length;
  if (agents.some((agent) => !running.has(agent.agent_id) && targets({ insights: left(agent) }) === targets(agent)))
    throw stale();
  const goes = (agent: Agent) => {
    if (running.has(agent.agent_id)) return true;
    const { node_ids: nodeIds, service_ids: serviceIds } = left(agent);
    return serviceIds.length < agent.insights.service_ids.length && nodeIds.length + serviceIds.length === 0;
  };

  const next = (old: Entity, now: Date): Entity => {
    const record = nextRecord(old.object, now);
    if (old.kind === 'agent')
      return nextState(old, { kind: 'agent', object: { ...old.object, insights: left(old.object), ...record } });
    if (old.kind === 'node') throw new Error('a node loses nothing');
    const nodeIds = without(old.object.node_ids, goneNodes);
    return { kind: 'service', object: { ...old.object, node_ids: nodeIds, ...record } };
  };

  const removedAgents = agents.filter(goes).map((object): Entity => ({ kind: 'agent', object }));
  const removedServices = goneServices.map((object): Entity => ({ kind: 'service', object }));
  const isProcess = (entity: Entity) => entity.kind === 'agent' && dependentsTypeOf(entity) !== undefined;
  return {
    removed: [
      ...removedAgents.filter((entity) => !isProcess(entity)),
      ...removedAgents.filter(isProcess),
      ...removedServices,
      target,
    ],
    changed: [
      ...agents.filter((agent) => !goes(agent)).map((object) => ({ old: { kind: 'agent', object } as const, next })),
      ...services
        .filter((service) => !goneServiceIds.has(service.service_id))
        .map((object) => ({ old: { kind: 'service', object } as const, next })),
    ],
  };
}
