import * as z from 'zod/mini';
import { ApiError } from '../../../shared/core/errors.ts';
import { oncePer } from '../../../shared/core/once-per.ts';
import { isRecord } from '../../../shared/db/item.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import { internalFields, storeFields } from '../../domain/fields/internal-fields.ts';
import {
  agentOrder,
  idInKey,
  indexAttributes,
  indexes,
  objectKey,
  type ObjectKind,
  tableAttributes,
  tableKey,
} from '../table/keys.ts';
import type { AgentPlace } from '../../domain/agent/lifecycle.ts';
import { storedAgent, storedNode, storedService } from './stored-schemas.ts';

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

/**
 * The type in the dependents counter of an object; undefined for an agent that is no pmm_agent: it has no counter,
 * because nothing can depend on it.
 */
export function dependentsTypeOf(entity: Entity): string | undefined {
  if (entity.kind === 'node') return entity.object.node_type;
  if (entity.kind === 'service') return entity.object.service_type;
  return entity.object.agent_type === 'pmm_agent' ? 'pmm_agent' : undefined;
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

/** The fields of an object that are attributes of its item, because conditions of transactions depend on them. */
const conditionFields = {
  node: ['address', 'revision'],
  service: ['node_ids', 'revision'],
  agent: ['revision'],
} as const;

/** The attributes from which replies of lists are made. Of internal fields, they contain `removing` only. */
export const listedAttributes = (kind: ObjectKind): readonly string[] => [
  tableKey.partitionKey,
  indexes.byName.sortKey,
  'json',
  'removing',
  ...conditionFields[kind],
];

const idNames = { node: 'node_id', service: 'service_id', agent: 'agent_id' } as const;

/** Nodes and services are listed by name, so the name is in the index. */
const nameNames = { node: 'node_name', service: 'service_name' } as const;

/** The fields of an object that are not in the JSON of its item: the id is in its key, the name in its index. */
function separateFields(kind: ObjectKind, item: StoredItem): Item {
  const fields: Item = { [idNames[kind]]: idInKey(kind, item) };
  if (kind !== 'agent') fields[nameNames[kind]] = item.list_sk;
  for (const name of conditionFields[kind]) fields[name] = item[name];
  return fields;
}

/** The names of the fields that the JSON of an item does not contain. */
const notInJson: Readonly<Record<ObjectKind, ReadonlySet<string>>> = {
  node: new Set([...internalFields, idNames.node, nameNames.node, ...conditionFields.node]),
  service: new Set([...internalFields, idNames.service, nameNames.service, ...conditionFields.service]),
  agent: new Set([...internalFields, idNames.agent, ...conditionFields.agent]),
};

/** An item that contains the fields of its object as JSON. */
type JsonItem = Item & { json: string };

function indexOf(entity: Entity) {
  if (entity.kind === 'node') return indexAttributes.node(entity.object);
  return entity.kind === 'service' ? indexAttributes.service(entity.object) : indexAttributes.agent(entity.object);
}

/**
 * The item of an object: its key, index attributes, internal fields, the fields on which conditions depend, and all
 * others as JSON. No field is stored twice. Computed once.
 */
export const itemOf = oncePer((entity: Entity): Readonly<JsonItem> => {
  const { kind } = entity;
  const object: Item = entity.object;
  const item: Item = { ...keyOf(entity), ...indexOf(entity), ...internalIn(object) };
  for (const name of conditionFields[kind]) item[name] = object[name];
  const fields: Item = {};
  for (const name of Object.keys(object)) if (!notInJson[kind].has(name)) fields[name] = object[name];
  return { ...item, json: JSON.stringify(fields) };
});

/** The internal fields of an object or an item. */
function internalIn(item: Item): Item {
  const internal: Item = {};
  for (const name of internalFields) if (item[name] !== undefined) internal[name] = item[name];
  return internal;
}

/** The object as JSON, as in replies: without its internal fields. Of an object that was read this is the stored text. */
export function jsonOf(entity: Entity): string {
  return entity instanceof StoredEntity ? entity.json : jsonIn(entity.kind, itemOf(entity));
}

/** The object as JSON, for replies of lists: `removing` is the only internal field that they contain. */
export function listedJson(entity: Entity): string {
  const json = jsonOf(entity);
  const isRemoving = entity instanceof StoredEntity ? entity.isRemoving : entity.object.removing === true;
  return isRemoving ? `${json.slice(0, -1)},"removing":true}` : json;
}

type StoredItem = Item & { pk: string; list_sk: string };

/** A schema would copy each item of a list. */
function assertStored(item: Item): asserts item is StoredItem {
  if (typeof item['pk'] !== 'string' || typeof item['list_sk'] !== 'string') throw new TypeError('not an object');
}

/** Whether the object is not from before objects were stored as JSON. */
export const isStoredAsJson = (item: Item): item is JsonItem => typeof item['json'] === 'string';

function jsonIn(kind: ObjectKind, item: JsonItem): string {
  const { json } = item;
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

/** The object in a stored item: the text of its JSON is joined, and parsed, when it is first used. */
class StoredEntity<Kind extends ObjectKind> implements EntityFields<Kind> {
  readonly kind: Kind;
  readonly #item: JsonItem;
  #json: string | undefined;
  #parsed: EntityFields<Kind>['object'] | undefined;

  constructor(kind: Kind, item: JsonItem) {
    this.kind = kind;
    this.#item = item;
  }

  get json(): string {
    return (this.#json ??= jsonIn(this.kind, this.#item));
  }

  get isRemoving(): boolean {
    return this.#item['removing'] === true;
  }

  get object(): EntityFields<Kind>['object'] {
    return (this.#parsed ??= parsed(this.kind, fieldsIn(this.json, this.#item)).object);
  }
}

/** The object in a stored item. It is parsed when it is first used. */
export function entityIn(kind: ObjectKind, item: Item): Entity {
  if (!isStoredAsJson(item)) return toEntity(kind, attributesIn(item));
  if (kind === 'node') return new StoredEntity(kind, item);
  return kind === 'service' ? new StoredEntity(kind, item) : new StoredEntity(kind, item);
}

/** The id of the object in a stored item, which need not be parsed for it. */
export function idIn(kind: ObjectKind, item: Item): string {
  assertStored(item);
  return idInKey(kind, item);
}

/** As `entityIn`, with the type of the kind. */
export function storedOf<Kind extends ObjectKind>(kind: Kind, item: Item): EntityOf<Kind> {
  return ofKind(entityIn(kind, item), kind);
}

/** @throws ApiError `failedPrecondition` for an agent that is no pmm_agent. */
export function placeUnder(parent: Entity): AgentPlace {
  const id = idOf(parent);
  if (
    parent.kind !== 'agent' ||
    parent.object.agent_type !== 'pmm_agent' ||
    parent.object.runs_on_node_id === undefined
  )
    throw new ApiError('failedPrecondition', `Agent with ID "${id}" is not a pmm_agent.`);
  return { pmm_agent_id: id, runs_on_node_id: parent.object.runs_on_node_id };
}
