import * as z from 'zod/mini';
import { ApiError } from '../../../shared/http/errors.ts';
import { isRecord } from '../../../shared/db/item.ts';
import { lazily as onFirstUse } from '../../../shared/lazily.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import { agentStatuses, agentTypes } from '../../domain/agent/types.ts';
import { internalFields, storeFields } from '../../domain/fields/internal-fields.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { serviceTypes } from '../../domain/service/types.ts';
import { agentOrder, idInKey, indexAttributes, objectKey, type ObjectKind, tableAttributes } from '../table/keys.ts';
import type { Place } from '../../domain/agent/lifecycle.ts';

const record = onFirstUse(() => ({
  custom_labels: z.record(z.string(), z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int(),
  /** The id of the last change of the object: its history begins there. Not part of replies. */
  last_change: z.optional(z.string()),
  /** A forced removal in several transactions has begun: no dependants may be added. */
  removing: z.optional(z.literal(true)),
}));

/** The fields of a node that the store reads; it does not check the others. The same holds for services and agents. */
const storedNode = onFirstUse(() =>
  z.object({
    node_id: z.string(),
    node_type: z.enum(nodeTypes),
    node_name: z.string(),
    address: z.string(),
    region: z.optional(z.string()),
    container_id: z.optional(z.string()),
    ...record(),
  }),
);

const storedService = onFirstUse(() =>
  z.object({
    service_id: z.string(),
    service_type: z.enum(serviceTypes),
    service_name: z.string(),
    node_ids: z.array(z.string()),
    ...record(),
  }),
);

const storedAgent = onFirstUse(() =>
  z.object({
    agent_id: z.string(),
    agent_type: z.enum(agentTypes),
    runs_on_node_id: z.optional(z.string()),
    pmm_agent_id: z.optional(z.string()),
    insights: z.object({ node_ids: z.array(z.string()), service_ids: z.array(z.string()) }),
    disabled: z.boolean(),
    status: z.optional(z.enum(agentStatuses)),
    /** The agent is found by its natural key, whose claims it holds. Not part of replies. */
    registered: z.optional(z.literal(true)),
    ...record(),
  }),
);

export type Node = z.output<ReturnType<typeof storedNode>> & Item;
export type Service = z.output<ReturnType<typeof storedService>> & Item;
export type Agent = z.output<ReturnType<typeof storedAgent>> & Item;

interface Objects {
  node: Node;
  service: Service;
  agent: Agent;
}

export interface EntityFields<Kind extends ObjectKind> {
  kind: Kind;
  object: Objects[Kind];
}

/** An object of the inventory with its kind. */
export type Entity = { [Kind in ObjectKind]: EntityFields<Kind> }[ObjectKind];

export const nouns = { node: 'Node', service: 'Service', agent: 'Agent' } as const;

export function notFound(kind: ObjectKind, id: string): ApiError {
  return new ApiError('notFound', `${nouns[kind]} with ID "${id}" not found.`);
}

/** Sorts labels by name: a client gives them in any order, and the JSON of a revision must always be the same. */
function sorted(labels: unknown): unknown {
  if (typeof labels !== 'object' || labels === null) return labels;
  return Object.fromEntries(Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Asserts the type instead of copying, which would be slow. */
function assertNode(item: Item): asserts item is Node {
  z.parse(storedNode(), item);
}

function assertService(item: Item): asserts item is Service {
  z.parse(storedService(), item);
}

function assertAgent(item: Item): asserts item is Agent {
  z.parse(storedAgent(), item);
}

/** The object with its kind. @throws ZodError when a field that the store reads is wrong. */
export function toEntity(kind: ObjectKind, item: Item): Entity {
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

/** Removes the fields that only the store uses. Transitions work with the result. */
export function withoutInternalFields<Object extends Partial<Record<(typeof storeFields)[number], unknown>>>(
  object: Object,
): Object {
  const rest = { ...object };
  for (const name of storeFields) Reflect.deleteProperty(rest, name);
  return rest;
}

export function entityWithoutInternalFields(entity: Entity): Entity {
  if (entity.kind === 'node') return { kind: 'node', object: withoutInternalFields(entity.object) };
  if (entity.kind === 'service') return { kind: 'service', object: withoutInternalFields(entity.object) };
  return { kind: 'agent', object: withoutInternalFields(entity.object) };
}

export function idOf(entity: Entity): string {
  if (entity.kind === 'node') return entity.object.node_id;
  if (entity.kind === 'service') return entity.object.service_id;
  return entity.object.agent_id;
}

/** The sort order of the objects of a kind in every list: nodes and services by name, agents by type, then by id. */
export function orderOf(entity: Entity): string {
  if (entity.kind === 'node') return entity.object.node_name;
  if (entity.kind === 'service') return entity.object.service_name;
  return agentOrder(entity.object);
}

export function keyOf(entity: Entity): Key {
  return objectKey(entity.kind, idOf(entity));
}

/** The fields of an object that are attributes of its item, because conditions of transactions depend on them. */
const conditionFields = {
  node: ['address', 'revision'],
  service: ['node_ids', 'revision'],
  agent: ['revision'],
} as const;

/** The fields of an object that are not in the JSON of its item: the id is in its key, the name in its index. */
function separateFields(kind: ObjectKind, item: StoredItem): Item {
  const fields: Item = { [`${kind}_id`]: idInKey(kind, item) };
  if (kind !== 'agent') fields[`${kind}_name`] = item.list_sk;
  for (const name of conditionFields[kind]) fields[name] = item[name];
  return fields;
}

function indexOf(entity: Entity) {
  if (entity.kind === 'node') return indexAttributes.node(entity.object);
  return entity.kind === 'service' ? indexAttributes.service(entity.object) : indexAttributes.agent(entity.object);
}

/**
 * The item of an object: its key, index attributes, internal fields, the fields on which conditions depend, and all
 * others as JSON. No field is there twice.
 */
export function itemOf(entity: Entity): Item {
  const fields: Item = { ...entity.object };
  const item = { ...keyOf(entity), ...indexOf(entity), ...internalIn(fields) };
  const conditions = Object.fromEntries(conditionFields[entity.kind].map((name) => [name, fields[name]]));
  const separate = Object.keys(separateFields(entity.kind, item));
  for (const name of [...internalFields, ...separate]) Reflect.deleteProperty(fields, name);
  return { ...item, ...conditions, json: JSON.stringify(fields) };
}

/**
 * The type in the dependents counter of an object; undefined for an agent that is no pmm_agent: it has no counter,
 * because nothing can depend on it.
 */
export function dependentsTypeOf(entity: Entity): string | undefined {
  if (entity.kind === 'node') return entity.object.node_type;
  if (entity.kind === 'service') return entity.object.service_type;
  return entity.object.agent_type === 'pmm_agent' ? 'pmm_agent' : undefined;
}

/** The internal fields of an object or an item. */
function internalIn(item: Item): Item {
  const internal: Item = {};
  for (const name of internalFields) if (item[name] !== undefined) internal[name] = item[name];
  return internal;
}

/** What is known of objects that were read, before they are parsed. */
const read = new WeakMap<Entity, { json: string; isRemoving: boolean }>();

/** The object as JSON, as in replies: without its internal fields. Of an object that was read this is the stored text. */
export function jsonOf(entity: Entity): string {
  return read.get(entity)?.json ?? jsonIn(entity.kind, itemOf(entity)) ?? '';
}

/** The object as JSON, for replies of lists: `removing` is the only internal field that they contain. */
export function listedJson(entity: Entity): string {
  const json = jsonOf(entity);
  const isRemoving = read.get(entity)?.isRemoving ?? entity.object.removing === true;
  return isRemoving ? `${json.slice(0, -1)},"removing":true}` : json;
}

type StoredItem = Item & { pk: string; list_sk: string };

/** A schema would copy each item of a list. */
function assertStored(item: Item): asserts item is StoredItem {
  if (typeof item['pk'] !== 'string' || typeof item['list_sk'] !== 'string') throw new TypeError('not an object');
}

/** @returns undefined for an item from before objects were stored as JSON. */
function jsonIn(kind: ObjectKind, item: Item): string | undefined {
  const { json } = item;
  if (typeof json !== 'string') return undefined;
  assertStored(item);
  return `${JSON.stringify(separateFields(kind, item)).slice(0, -1)},${json.slice(1)}`;
}

/** The object in this JSON, with the internal fields of its item. */
function fieldsIn(json: string, item: Item): Item {
  const fields: unknown = JSON.parse(json);
  if (!isRecord(fields)) throw new TypeError('not an object');
  return Object.assign(fields, internalIn(item));
}

/** The fields of an item from before objects were stored as JSON: each one is an attribute. */
function attributesIn(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !tableAttributes.has(name)));
}

const lazily = <Kind extends ObjectKind>(kind: Kind, read: () => EntityFields<Kind>['object']) => ({
  kind,
  get object() {
    return read();
  },
});

/** The object in a stored item. It is parsed when it is first used. */
export function entityIn(kind: ObjectKind, item: Item): Entity {
  const json = jsonIn(kind, item);
  if (json === undefined) return toEntity(kind, attributesIn(item));
  let known: Entity | undefined;
  const parse = () => (known ??= toEntity(kind, fieldsIn(json, item)));
  const entity = stored(kind, parse);
  read.set(entity, { json, isRemoving: item['removing'] === true });
  return entity;
}

function stored(kind: ObjectKind, read: () => Entity): Entity {
  if (kind === 'node') return lazily(kind, () => ofKind(read(), kind).object);
  if (kind === 'service') return lazily(kind, () => ofKind(read(), kind).object);
  return lazily(kind, () => ofKind(read(), kind).object);
}

export type EntityOf<Kind extends ObjectKind> = Entity & EntityFields<Kind>;

export function isOfKind<Kind extends ObjectKind>(entity: Entity, kind: Kind): entity is EntityOf<Kind> {
  return entity.kind === kind;
}

function ofKind<Kind extends ObjectKind>(entity: Entity, kind: Kind): EntityOf<Kind> {
  if (!isOfKind(entity, kind)) throw new Error(`not a ${kind}`);
  return entity;
}

export function parsed<Kind extends ObjectKind>(kind: Kind, object: Item): EntityOf<Kind> {
  return ofKind(toEntity(kind, object), kind);
}

/** As `entityIn`, with the type of the kind. */
export function storedOf<Kind extends ObjectKind>(kind: Kind, item: Item): EntityOf<Kind> {
  return ofKind(entityIn(kind, item), kind);
}

/** @throws ApiError `failedPrecondition` for an agent that is no pmm_agent. */
export function placeUnder(parent: Entity): Place {
  const id = idOf(parent);
  if (
    parent.kind !== 'agent' ||
    parent.object.agent_type !== 'pmm_agent' ||
    parent.object.runs_on_node_id === undefined
  )
    throw new ApiError('failedPrecondition', `Agent with ID "${id}" is not a pmm_agent.`);
  return { pmm_agent_id: id, runs_on_node_id: parent.object.runs_on_node_id };
}
