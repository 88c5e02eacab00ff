import { ApiError } from '../../../shared/http/errors.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import { agentTypeEntry } from '../../domain/agent/types.ts';
import { agentKeys } from './agent-natural-key.ts';
import { labelIndexKeys } from './label-index.ts';
import {
  agentEdgeKey,
  agentKeyClaim,
  containerClaim,
  insightEdgeKey,
  nameOfKey,
  nodeAddressClaim,
  nodeNameClaim,
  unplacedPartition,
  type ObjectKind,
  serviceEdgeKey,
  serviceNameClaim,
} from '../table/keys.ts';
import { type Agent, idOf, type Node, orderOf, type Service, type Entity } from './entity.ts';

/** What a guard counts: what depends on the object, by kind. */
export const counters = ['services', 'agents', 'pmm_agents', 'insights'] as const;

export type Counter = (typeof counters)[number];

/** A dependency on another object: it must exist, stay, and be of an accepted type. */
export interface Dependency {
  kind: ObjectKind;
  id: string;
  counter: Counter;
  /** Types that will do; undefined means any. */
  types?: readonly string[];
  /** What is wrong when it is of another type. */
  wrongType?: (type: string) => ApiError;
}

/** An item that exists because of an object: it comes with the object, moves with its fields, and goes with it. */
export interface DerivedItem {
  key: Key;
  attributes: Item;
  /** For a claim: what it means that somebody else has it. */
  taken?: ApiError;
  dependency?: Dependency;
}

function claimed(key: Key, ownerId: string, message: string): DerivedItem {
  return { key, attributes: { owner_id: ownerId }, taken: new ApiError('alreadyExists', message) };
}

function nodeLinks(node: Node): DerivedItem[] {
  const { node_id: id, node_name: name, address, region, container_id: containerId } = node;
  return [
    claimed(nodeNameClaim(name), id, `Node with name "${name}" already exists.`),
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

function serviceLinks(service: Service): DerivedItem[] {
  const { service_id: id, service_name: name, node_ids: nodeIds } = service;
  return [
    claimed(serviceNameClaim(name), id, `Service with name "${name}" already exists.`),
    ...nodeIds.map((nodeId): DerivedItem => ({
      key: serviceEdgeKey(nodeId, name),
      attributes: { object_id: id },
      dependency: { kind: 'node', id: nodeId, counter: 'services' },
    })),
  ];
}

/**
 * The next state of an object. An agent that can no longer be declared by every key that it holds is no longer registered:
 * its new keys may belong to another agent. A declaration by a new key registers it again.
 */
export function nextState(old: Entity, next: Entity): Entity {
  if (old.kind !== 'agent' || next.kind !== 'agent') return next;
  const keys = agentKeys(next.object);
  if (old.object.registered !== true || agentKeys(old.object).every((key) => keys.includes(key))) return next;
  const { registered: _, ...object } = next.object;
  return { kind: 'agent', object };
}

function agentLinks(agent: Agent): DerivedItem[] {
  const { agent_id: id, agent_type: type, runs_on_node_id: nodeId, pmm_agent_id: pmmAgentId, insights } = agent;
  const attributes = { object_id: id };
  const entry = agentTypeEntry(type);
  const insight = (kind: 'node' | 'service', target: string, types: readonly string[] | undefined): DerivedItem => ({
    key: insightEdgeKey(kind, target, agent),
    attributes,
    dependency: {
      kind,
      id: target,
      counter: 'insights',
      ...(types === undefined ? {} : { types }),
      wrongType: (found) =>
        new ApiError('failedPrecondition', `invalid combination of ${kind} type ${found} and agent type ${type}`),
    },
  });
  return [
    ...(agent.registered === true
      ? // Where it runs never changes, so whoever finds it can read its state along with it.
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
      // An agent that may give insight into nodes may do so into the one that it runs on, whatever that is.
      insight('node', target, target === nodeId && entry.nodes.length > 0 ? undefined : entry.nodes),
    ),
    ...insights.service_ids.map((target) => insight('service', target, entry.services)),
  ];
}

function ownLinks(entity: Entity): DerivedItem[] {
  if (entity.kind === 'node') return nodeLinks(entity.object);
  if (entity.kind === 'service') return serviceLinks(entity.object);
  return agentLinks(entity.object);
}

/** What is on no node is in no node's collection: lists by state find it here. */
function nowhereKeys(entity: Entity): Key[] {
  if (entity.kind === 'node') return [];
  const isNowhere =
    entity.kind === 'service' ? entity.object.node_ids.length === 0 : entity.object.runs_on_node_id === undefined;
  return isNowhere ? [{ pk: unplacedPartition(entity.kind), sk: orderOf(entity) }] : [];
}

export function derivedItemsOf(entity: Entity): DerivedItem[] {
  const attributes = { object_id: idOf(entity) };
  const facets = labelIndexKeys(entity.kind, entity.object, orderOf(entity));
  return [...ownLinks(entity), ...[...facets, ...nowhereKeys(entity)].map((key) => ({ key, attributes }))];
}

/** What the object claims for itself: two that claim the same cannot both be there. */
export function claimsOf(entity: Entity): Key[] {
  return derivedItemsOf(entity).flatMap(({ key, taken }) => (taken === undefined ? [] : [key]));
}

export interface DerivedItemChanges {
  gone: DerivedItem[];
  come: DerivedItem[];
}

export function derivedItemChanges(old: Entity, next: Entity): DerivedItemChanges {
  const name = ({ key }: DerivedItem) => nameOfKey(key);
  const before = derivedItemsOf(old);
  const after = derivedItemsOf(next);
  const beforeNames = new Set(before.map(name));
  const afterNames = new Set(after.map(name));
  return {
    gone: before.filter((link) => !afterNames.has(name(link))),
    come: after.filter((link) => !beforeNames.has(name(link))),
  };
}
