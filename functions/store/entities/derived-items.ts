import { ApiError } from '../../../shared/core/errors.ts';
import { oncePer } from '../../../shared/core/once-per.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { agentTypeEntry } from '../../domain/agent/types.ts';
import { agentKeys } from './agent-natural-key.ts';
import { labelIndexKeys } from './label-index.ts';
import {
  addressAttributes,
  agentEdgeKey,
  clusterAttributes,
  agentKeyClaim,
  containerClaim,
  insightEdgeKey,
  labelIndexPartition,
  nameClaims,
  nameOfKey,
  nodeAddressClaim,
  unplacedPartition,
  type ObjectKind,
  serviceEdgeKey,
} from '../table/keys.ts';
import { type Agent, idOf, type Node, nouns, orderOf, type Service, type Entity } from './entity.ts';

/** The numbers in a dependents counter: the dependants of the object by kind. */
export const counters = ['services', 'agents', 'pmm_agents', 'insights'] as const;

export type Counter = (typeof counters)[number];

/** A dependency on another object, which must exist, must not be being removed, and must have an accepted type. */
export interface Dependency {
  kind: ObjectKind;
  id: string;
  counter: Counter;
  /** Accepted types; undefined: any. */
  types?: readonly string[];
  /** The error for an object of another type. */
  wrongType?: (type: string) => ApiError;
}

/** The key, the contents and the conditions of a derived item. */
interface Derivation {
  key: Key;
  attributes: Item;
  /** Of a claim: the error when another object has it. */
  taken?: () => ApiError;
  dependency?: Dependency;
}

/** An item that is derived from an object: added, moved and removed together with it. */
export interface DerivedItem extends Derivation {
  /** The key as one string, for maps and sets. */
  name: string;
}

function claimed(key: Key, ownerId: string, message: string): Derivation {
  return { key, attributes: { owner_id: ownerId }, taken: () => new ApiError('alreadyExists', message) };
}

/** The claim of a name, which an index lists by the address of its owner: a list by address costs no item of its own. */
function claimedName(kind: keyof typeof nameClaims, name: string, id: string, address: string | undefined): Derivation {
  const claim = claimed(nameClaims[kind](name), id, `${nouns[kind]} with name "${name}" already exists.`);
  const listed = address === undefined ? {} : addressAttributes(kind, address, name);
  return { ...claim, attributes: { ...claim.attributes, ...listed } };
}

function nodeItems(node: Node): Derivation[] {
  const { node_id: id, node_name: name, address, region, container_id: containerId } = node;
  return [
    claimedName('node', name, id, address),
    ...(region === undefined
      ? []
      : [
          claimed(
            nodeAddressClaim(region, address),
            id,
            `Node with address "${address}" and region "${region}" already exists.`,
          ),
        ]),
    ...(containerId === undefined
      ? []
      : [claimed(containerClaim(containerId), id, `Node with container ID "${containerId}" already exists.`)]),
  ];
}

function serviceItems(service: Service): Derivation[] {
  const { service_id: id, service_name: name, node_ids: nodeIds } = service;
  return [
    claimedName('service', name, id, labelOf('service', service, 'address')),
    ...nodeIds.map((nodeId): Derivation => ({
      key: serviceEdgeKey(nodeId, name),
      attributes: { object_id: id },
      dependency: { kind: 'node', id: nodeId, counter: 'services' },
    })),
  ];
}

/**
 * The next state of an object. An agent loses `registered` when its new fields no longer match all natural keys that it
 * holds, because its new keys may belong to another agent. A declaration by a new key registers it again.
 */
export function nextState(old: Entity, next: Entity): Entity {
  if (old.kind !== 'agent' || next.kind !== 'agent') return next;
  const keys = agentKeys(next.object);
  if (old.object.registered !== true || agentKeys(old.object).every((key) => keys.includes(key))) return next;
  const { registered: _, ...object } = next.object;
  return { kind: 'agent', object };
}

function agentItems(agent: Agent): Derivation[] {
  const { agent_id: id, agent_type: type, runs_on_node_id: nodeId, pmm_agent_id: pmmAgentId, insights } = agent;
  const attributes = { object_id: id };
  const entry = agentTypeEntry(type);
  const insight = (kind: 'node' | 'service', target: string, types: readonly string[] | undefined): Derivation => ({
    key: insightEdgeKey(kind, target, agent),
    attributes,
    dependency: {
      kind,
      id: target,
      counter: 'insights',
      ...(types === undefined ? {} : { types }),
      wrongType: (targetType) =>
        new ApiError('failedPrecondition', `invalid combination of ${kind} type ${targetType} and agent type ${type}`),
    },
  });
  return [
    ...(agent.registered === true
      ? // The node of an agent never changes: a reader of the claim can read the node's heartbeat with the agent.
        agentKeys(agent).map((key) => ({
          key: agentKeyClaim(key),
          attributes: { owner_id: agent.agent_id, ...(nodeId === undefined ? {} : { node_id: nodeId }) },
        }))
      : []),
    ...(pmmAgentId === undefined
      ? []
      : [
          {
            key: agentEdgeKey('agent', pmmAgentId, agent),
            attributes,
            dependency: { kind: 'agent', id: pmmAgentId, counter: 'agents' } as const,
          },
        ]),
    ...(nodeId === undefined
      ? []
      : [
          {
            key: agentEdgeKey('node', nodeId, agent),
            attributes,
            dependency: { kind: 'node', id: nodeId, counter: type === 'pmm_agent' ? 'pmm_agents' : 'agents' } as const,
          },
        ]),
    ...insights.node_ids.map((target) =>
      // An agent of a type that watches its own node by default accepts that node, whatever its type.
      insight('node', target, target === nodeId && entry.watchesItsNode === true ? undefined : entry.nodes),
    ),
    ...insights.service_ids.map((target) => insight('service', target, entry.services)),
  ];
}

function ownItems(entity: Entity): Derivation[] {
  if (entity.kind === 'node') return nodeItems(entity.object);
  if (entity.kind === 'service') return serviceItems(entity.object);
  return agentItems(entity.object);
}

/** The unplaced entry of an object on no node. It is in no node's collection, so lists by state find it here. */
function nowhereKeys(entity: Entity): Key[] {
  if (entity.kind === 'node') return [];
  const isNowhere =
    entity.kind === 'service' ? entity.object.node_ids.length === 0 : entity.object.runs_on_node_id === undefined;
  return isNowhere ? [{ pk: unplacedPartition(entity.kind), sk: orderOf(entity) }] : [];
}

/** The attributes of the entry of the cluster of a service, which is in the list of clusters. */
function listedCluster({ kind, object }: Entity, { pk }: Key): Item {
  const cluster = kind === 'service' ? labelOf(kind, object, 'cluster') : undefined;
  if (cluster === undefined || pk !== labelIndexPartition('service', 'cluster', cluster)) return {};
  return clusterAttributes(cluster, String(object['service_id']));
}

/** The derived items of an object, computed once. */
export const derivedItemsOf = oncePer((entity: Entity): readonly DerivedItem[] => {
  const attributes = { object_id: idOf(entity) };
  const entries = labelIndexKeys(entity.kind, entity.object, orderOf(entity)).map((key): Derivation => ({
    key,
    attributes: { ...attributes, ...listedCluster(entity, key) },
  }));
  const items: Derivation[] = [
    ...[...ownItems(entity), ...entries],
    ...nowhereKeys(entity).map((key) => ({ key, attributes })),
  ];
  return items.map((item) => ({ ...item, name: nameOfKey(item.key) }));
});

/** The claims of the object that no other object may hold: its name first. */
export function claimsOf(entity: Entity): Key[] {
  return derivedItemsOf(entity).flatMap(({ key, taken }) => (taken === undefined ? [] : [key]));
}

/** Objects with a common conflict key are written one after the other: an object that both refer to, or a claim. */
export function conflictKeysOf(entity: Entity | undefined): string[] {
  if (entity === undefined) return [];
  return derivedItemsOf(entity).flatMap(({ key, taken, dependency }) => [
    ...(taken === undefined ? [] : [key.pk]),
    ...(dependency === undefined ? [] : [dependency.id]),
  ]);
}

/** The ids of the nodes and services that an agent refers to: the node that it runs on, and its targets. */
export function referencesOf({ runs_on_node_id: nodeId, insights }: Agent) {
  return {
    nodeIds: [...(nodeId === undefined ? [] : [nodeId]), ...insights.node_ids],
    serviceIds: insights.service_ids,
  };
}

/** The ids of the dependants in those items of a collection whose sort key has the prefix, which is one of `relations`. */
export function idsInEdges(items: readonly Item[], prefix: string): string[] {
  return items
    .filter(({ sk }) => String(sk).startsWith(prefix))
    .map(({ object_id: id }) => {
      if (typeof id !== 'string') throw new TypeError('an edge without an id');
      return id;
    });
}

export interface DerivedItemChanges {
  toDelete: DerivedItem[];
  toPut: DerivedItem[];
  /** Items that stay and belong to another place of an index. */
  toMove: DerivedItem[];
}

export function derivedItemChanges(old: Entity, next: Entity): DerivedItemChanges {
  const without = (items: readonly DerivedItem[], others: readonly DerivedItem[]) => {
    const names = new Set(others.map(({ name }) => name));
    return items.filter(({ name }) => !names.has(name));
  };
  const [before, after] = [derivedItemsOf(old), derivedItemsOf(next)];
  const places = new Map(before.map(({ name, attributes }) => [name, attributes['list_pk']]));
  const toMove = after.filter(({ name, attributes }) => places.has(name) && places.get(name) !== attributes['list_pk']);
  return { toDelete: without(before, after), toPut: without(after, before), toMove };
}
