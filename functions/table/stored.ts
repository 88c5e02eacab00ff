import * as z from 'zod/mini';
import { ApiError } from '../../shared/http/errors.ts';
import type { Item, Key } from '../../shared/db/table.ts';
import { agentStatuses, agentTypeEntry, agentTypes } from '../catalogue/agent-types.ts';
import { nodeTypes } from '../catalogue/node-types.ts';
import { serviceTypes } from '../catalogue/service-types.ts';
import { agentKeys } from './agent-key.ts';
import { facetKeys } from './facets.ts';
import {
  agentEdgeKey,
  agentKeyClaim,
  agentOrder,
  containerClaim,
  indexAttributes,
  insightEdgeKey,
  nodeAddressClaim,
  nodeNameClaim,
  nowherePartition,
  objectKey,
  type ObjectKind,
  serviceEdgeKey,
  serviceNameClaim,
  tableAttributes,
} from './keys.ts';

const record = {
  custom_labels: z.record(z.string(), z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int(),
  /** The id of the change that made it what it is: its history begins there. Not shown. */
  last_change: z.optional(z.string()),
  /** A forced removal in several transactions has begun: nothing new may depend on the object. */
  removing: z.optional(z.literal(true)),
};

/** What the store itself reads of a node; its other fields are not looked at. The same holds for the two below. */
export const storedNode = z.object({
  node_id: z.string(),
  node_type: z.enum(nodeTypes),
  node_name: z.string(),
  address: z.string(),
  region: z.optional(z.string()),
  container_id: z.optional(z.string()),
  ...record,
});

export const storedService = z.object({
  service_id: z.string(),
  service_type: z.enum(serviceTypes),
  service_name: z.string(),
  node_ids: z.array(z.string()),
  ...record,
});

export const storedAgent = z.object({
  agent_id: z.string(),
  agent_type: z.enum(agentTypes),
  runs_on_node_id: z.optional(z.string()),
  pmm_agent_id: z.optional(z.string()),
  insights: z.object({ node_ids: z.array(z.string()), service_ids: z.array(z.string()) }),
  disabled: z.boolean(),
  status: z.optional(z.enum(agentStatuses)),
  /** It is found by its natural key, whose claims it holds. Not shown. */
  registered: z.optional(z.literal(true)),
  ...record,
});

export type Node = z.output<typeof storedNode> & Item;
export type Service = z.output<typeof storedService> & Item;
export type Agent = z.output<typeof storedAgent> & Item;

interface Objects {
  node: Node;
  service: Service;
  agent: Agent;
}

export interface StoredOf<Kind extends ObjectKind> {
  kind: Kind;
  object: Objects[Kind];
}

/** An object of the inventory with the word for what it is. */
export type Stored = { [Kind in ObjectKind]: StoredOf<Kind> }[ObjectKind];

export const nouns = { node: 'Node', service: 'Service', agent: 'Agent' } as const;

export function notFound(kind: ObjectKind, id: string): ApiError {
  return new ApiError('notFound', `${nouns[kind]} with ID "${id}" not found.`);
}

/** The object in an item, without what belongs to the table. */
export function objectIn(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !tableAttributes.has(name)));
}

/** In the order of their names: an engine keeps no order, and one revision is to have one text. */
function sorted(labels: unknown): unknown {
  if (typeof labels !== 'object' || labels === null) return labels;
  return Object.fromEntries(Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Checks instead of copying: an engine gives each item another order of names, and copies of such objects are slow. */
function assertNode(item: Item): asserts item is Node {
  z.parse(storedNode, item);
}

function assertService(item: Item): asserts item is Service {
  z.parse(storedService, item);
}

function assertAgent(item: Item): asserts item is Agent {
  z.parse(storedAgent, item);
}

/** The object that an item is. What belongs to the table may still be in it: a reply's contract leaves that out. */
export function toStored(kind: ObjectKind, item: Item): Stored {
  item['custom_labels'] = sorted(item['custom_labels']);
  if (kind === 'node') {
    assertNode(item);
    return { kind, object: item };
  }
  if (kind === 'service') {
    assertService(item);
    return { kind, object: item };
  }
  assertAgent(item);
  return { kind, object: item };
}

interface Marks {
  last_change?: string | undefined;
  removing?: true | undefined;
}

/** Without what the store alone keeps in it: what behaviours work with. */
export function withoutMark<Object extends Marks>(object: Object): Object {
  const rest = { ...object };
  delete rest.last_change;
  delete rest.removing;
  return rest;
}

export function unmarked(stored: Stored): Stored {
  if (stored.kind === 'node') return { kind: 'node', object: withoutMark(stored.object) };
  if (stored.kind === 'service') return { kind: 'service', object: withoutMark(stored.object) };
  return { kind: 'agent', object: withoutMark(stored.object) };
}

export function idOf(stored: Stored): string {
  if (stored.kind === 'node') return stored.object.node_id;
  if (stored.kind === 'service') return stored.object.service_id;
  return stored.object.agent_id;
}

/** What the objects of a kind are sorted by in every list: nodes and services by name, agents by type, then id. */
export function orderOf(stored: Stored): string {
  if (stored.kind === 'node') return stored.object.node_name;
  if (stored.kind === 'service') return stored.object.service_name;
  return agentOrder(stored.object);
}

export function keyOf(stored: Stored): Key {
  return objectKey(stored.kind, idOf(stored));
}

/** The item of an object, index entries included. */
export function itemOf(stored: Stored): Item {
  const index =
    stored.kind === 'node'
      ? indexAttributes.node(stored.object)
      : stored.kind === 'service'
        ? indexAttributes.service(stored.object)
        : indexAttributes.agent(stored.object);
  return { ...stored.object, ...keyOf(stored), ...index };
}

/** What others can depend on has a guard, which knows its type. Nothing depends on an agent but on a pmm_agent. */
export function guardTypeOf(stored: Stored): string | undefined {
  if (stored.kind === 'node') return stored.object.node_type;
  if (stored.kind === 'service') return stored.object.service_type;
  return stored.object.agent_type === 'pmm_agent' ? 'pmm_agent' : undefined;
}

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
export interface Link {
  key: Key;
  attributes: Item;
  /** For a claim: what it means that somebody else has it. */
  taken?: ApiError;
  dependency?: Dependency;
}

function claimed(key: Key, ownerId: string, message: string): Link {
  return { key, attributes: { owner_id: ownerId }, taken: new ApiError('alreadyExists', message) };
}

function nodeLinks(node: Node): Link[] {
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

function serviceLinks(service: Service): Link[] {
  const { service_id: id, service_name: name, node_ids: nodeIds } = service;
  return [
    claimed(serviceNameClaim(name), id, `Service with name "${name}" already exists.`),
    ...nodeIds.map((nodeId): Link => ({
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
export function nextState(old: Stored, next: Stored): Stored {
  if (old.kind !== 'agent' || next.kind !== 'agent') return next;
  const keys = agentKeys(next.object);
  if (old.object.registered !== true || agentKeys(old.object).every((key) => keys.includes(key))) return next;
  const { registered: _, ...object } = next.object;
  return { kind: 'agent', object };
}

function agentLinks(agent: Agent): Link[] {
  const { agent_id: id, agent_type: type, runs_on_node_id: nodeId, pmm_agent_id: pmmAgentId, insights } = agent;
  const attributes = { object_id: id };
  const entry = agentTypeEntry(type);
  const insight = (kind: 'node' | 'service', target: string, types: readonly string[] | undefined): Link => ({
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

function ownLinks(stored: Stored): Link[] {
  if (stored.kind === 'node') return nodeLinks(stored.object);
  if (stored.kind === 'service') return serviceLinks(stored.object);
  return agentLinks(stored.object);
}

/** What is on no node is in no node's collection: lists by state find it here. */
function nowhereKeys(stored: Stored): Key[] {
  if (stored.kind === 'node') return [];
  const isNowhere =
    stored.kind === 'service' ? stored.object.node_ids.length === 0 : stored.object.runs_on_node_id === undefined;
  return isNowhere ? [{ pk: nowherePartition(stored.kind), sk: orderOf(stored) }] : [];
}

export function linksOf(stored: Stored): Link[] {
  const attributes = { object_id: idOf(stored) };
  const facets = facetKeys(stored.kind, stored.object, orderOf(stored));
  return [...ownLinks(stored), ...[...facets, ...nowhereKeys(stored)].map((key) => ({ key, attributes }))];
}

/** What the object claims for itself: two that claim the same cannot both be there. */
export function claimsOf(stored: Stored): Key[] {
  return linksOf(stored).flatMap(({ key, taken }) => (taken === undefined ? [] : [key]));
}
