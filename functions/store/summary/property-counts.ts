import * as z from 'zod/mini';
import { labelOf, standardLabels } from '../../domain/fields/filterable-labels.ts';
import { type State, states } from '../../domain/fields/liveness.ts';
import { type ObjectKind, objectKinds } from '../../domain/fields/object-kind.ts';
import { relatedLabels } from '../../domain/fields/related-labels.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import type { Heartbeats } from '../heartbeats/heartbeat.ts';
import { agentVersionsOn, stateOfNode, statusOf, versionOf } from '../heartbeats/shown-state.ts';
import { isRelatedLabel, ownerIdsOf, ownerKindOf } from '../lists/related-values.ts';

/** The most values of a property whose groups are kept: a reply that counts ends with as many groups, whatever the inventory holds. */
const MAX_VALUES = 1000;

/** Labels of a kind whose groups are kept: the first ones that the count finds. */
const MAX_LABELS = 30;

/** Bytes of all values: the summary is stored in one item. The property with the most is dropped beyond it. */
const MAX_BYTES = 150_000;

/** The numbers of objects in each state, in the order of `states`. */
type Counts = number[];

/** By value; null: too many values. The name of a value begins with `=`; the name of no value is empty. */
const valueCountsSchema = z.nullable(z.record(z.string(), z.array(z.int())));

/** By kind, then by the name of a property, `TYPE.` and the name of a property, or `labels.` and the name of a label. */
export const propertyCountsSchema = z.record(z.enum(objectKinds), z.record(z.string(), valueCountsSchema));

export type StoredPropertyCounts = z.output<typeof propertyCountsSchema>;

export const noPropertyCounts = (): StoredPropertyCounts => ({ node: {}, service: {}, agent: {} });

/** The objects with one value, or without one. */
export interface ValueCount {
  value: string | undefined;
  byState: (readonly [State, number])[];
}

/** The properties of a kind, besides its type and its state. */
const propertiesOf = {
  node: ['region', 'az', 'agent_version', 'cluster'],
  service: [...relatedLabels, 'version'],
  agent: [...relatedLabels, 'version', 'status'],
} as const satisfies Record<ObjectKind, readonly string[]>;

/** Whether objects of the kind are counted by this property. */
export const isCountedProperty = (kind: ObjectKind, property: string) =>
  propertiesOf[kind].some((candidate) => candidate === property);

/** Whether they are also counted by it with each type. The clusters of nodes are counted without their types. */
export const isCountedInType = (kind: ObjectKind, property: string) =>
  isCountedProperty(kind, property) && !(kind === 'node' && property === 'cluster');

/** The properties that follow from the objects of another kind. */
const propertiesThrough = (owner: ObjectKind): readonly (readonly [ObjectKind, string])[] => [
  ...objectKinds.flatMap((kind) =>
    relatedLabels.flatMap((label) =>
      isRelatedLabel(kind, label) && ownerKindOf(label) === owner ? [[kind, label] as const] : [],
    ),
  ),
  ...(owner === 'service' ? [['node', 'cluster'] as const] : []),
];

const LABEL = 'labels.';

/** The name of a property of the objects of one type. */
export const nameInType = (type: string, property: string) => `${type}.${property}`;

const isOfType = (name: string) => name.includes('.') && !name.startsWith(LABEL);

const nameOf = (value: string) => `=${value}`;

/** The labels of an object that selectors can name, without those that are different for each object. */
function labelsOf({ kind, object }: Entity): string[] {
  const attributes = [...standardLabels[kind]].flatMap(([label, access]) => (access === 'label_index' ? [label] : []));
  return [...attributes, ...Object.keys(object.custom_labels).filter((label) => !standardLabels[kind].has(label))];
}

/** Values of nodes and services that others have through them. */
export class Owners {
  readonly #values = new Map<string, Readonly<Record<string, string>>>();
  readonly #clusters = new Map<string, Set<string>>();
  /** Whether all objects of a kind were added, of the kinds whose read has ended. */
  readonly #kinds = new Map<ObjectKind, boolean>();

  wasRead(kind: ObjectKind): boolean {
    return this.#kinds.has(kind);
  }

  isComplete(kind: ObjectKind): boolean {
    return this.#kinds.get(kind) === true;
  }

  ended(kind: ObjectKind, isComplete: boolean): void {
    this.#kinds.set(kind, isComplete);
  }

  add(entity: Entity): void {
    const values = relatedLabels.flatMap((label) => {
      const value = ownerKindOf(label) === entity.kind ? labelOf(entity.kind, entity.object, label) : undefined;
      return value === undefined ? [] : [[label, value] as const];
    });
    if (values.length > 0) this.#values.set(idOf(entity), Object.fromEntries(values));
    const cluster = labelOf(entity.kind, entity.object, 'cluster');
    if (entity.kind !== 'service' || cluster === undefined) return;
    for (const id of entity.object.node_ids) this.#clusters.set(id, (this.#clusters.get(id) ?? new Set()).add(cluster));
  }

  /** The clusters of the services on a node. */
  clustersOf(nodeId: string): string[] {
    return [...(this.#clusters.get(nodeId) ?? [])];
  }

  valuesOf(entity: Entity, label: (typeof relatedLabels)[number]): string[] {
    const values = ownerIdsOf(entity, label).flatMap((id) => this.#values.get(id)?.[label] ?? []);
    return [...new Set(values)];
  }
}

type CountsByValue = Map<string, Counts>;

/** With the numbers. */
const bytesOfValue = (value: string) => Buffer.byteLength(value) + 16;

const bytesOf = (values: CountsByValue) => [...values.keys()].reduce((sum, value) => sum + bytesOfValue(value), 0);

interface CountFacts {
  heartbeats: Heartbeats;
  owners: Owners;
  now: Date;
}

/** Counts objects by the values of their properties and labels, one after the other. */
export class PropertyCounts {
  readonly #propertyCounts: Readonly<Record<ObjectKind, Map<string, CountsByValue | null>>>;
  #bytes = 0;

  constructor(stored: StoredPropertyCounts) {
    const read = (kind: ObjectKind) =>
      new Map(
        Object.entries(stored[kind]).map(
          ([name, valueCounts]) => [name, valueCounts && new Map(Object.entries(valueCounts))] as const,
        ),
      );
    this.#propertyCounts = { node: read('node'), service: read('service'), agent: read('agent') };
    for (const kind of objectKinds)
      for (const values of this.#propertyCounts[kind].values()) this.#bytes += values === null ? 0 : bytesOf(values);
  }

  result(): StoredPropertyCounts {
    const stored = (kind: ObjectKind) =>
      Object.fromEntries(
        [...this.#propertyCounts[kind]].map(([name, values]) => [name, values && Object.fromEntries(values)]),
      );
    return { node: stored('node'), service: stored('service'), agent: stored('agent') };
  }

  add(entity: Entity, state: State, facts: CountFacts): void {
    const { kind, object } = entity;
    const type = labelOf(kind, object, `${kind}_type`) ?? '';
    for (const property of propertiesOf[kind]) {
      if (!isCountedInType(kind, property)) continue;
      const values = valuesOf(entity, property, facts);
      for (const name of [property, nameInType(type, property)])
        if (values === undefined) this.#drop(kind, name);
        else this.#count(kind, name, values, state);
    }
    for (const label of labelsOf(entity)) {
      const name = LABEL + label;
      const value = labelOf(kind, object, label);
      if (
        value !== undefined &&
        (this.#propertyCounts[kind].has(name) || numberOfLabels(this.#propertyCounts[kind]) < MAX_LABELS)
      )
        this.#count(kind, name, [value], state);
    }
  }

  /** Whether a property is still counted that follows from the objects of this kind. */
  needs(owner: ObjectKind): boolean {
    return propertiesThrough(owner).some(([kind, name]) => this.#propertyCounts[kind].get(name) !== null);
  }

  /** Ends the count of all properties that follow from the objects of this kind, as these are too many. */
  dropThrough(owner: ObjectKind): void {
    for (const [kind, name] of propertiesThrough(owner)) this.#drop(kind, name);
  }

  /** Counts all nodes by the clusters of their services. Without all heartbeats or services they are not counted. */
  addNodesByCluster(heartbeats: Heartbeats | undefined, owners: Owners, now: Date): void {
    if (heartbeats === undefined || !owners.isComplete('service')) this.#drop('node', 'cluster');
    for (const heartbeat of heartbeats?.values() ?? [])
      this.#count('node', 'cluster', owners.clustersOf(heartbeat.nodeId), stateOfNode(heartbeat, now));
  }

  #count(kind: ObjectKind, name: string, values: readonly string[], state: State): void {
    const propertyCounts = this.#propertyCounts[kind];
    const valueCounts = propertyCounts.get(name) ?? (propertyCounts.has(name) ? null : new Map<string, Counts>());
    if (valueCounts === null) return;
    propertyCounts.set(name, valueCounts);
    const index = states.indexOf(state);
    for (const value of values.length === 0 ? [''] : values.map(nameOf)) {
      const counts = valueCounts.get(value) ?? states.map(() => 0);
      if (!valueCounts.has(value)) this.#bytes += bytesOfValue(value);
      valueCounts.set(value, counts);
      counts[index] = (counts[index] ?? 0) + 1;
    }
    if (valueCounts.size > MAX_VALUES) this.#drop(kind, name);
    while (this.#bytes > MAX_BYTES) this.#dropLargest();
  }

  #drop(kind: ObjectKind, name: string): void {
    const values = this.#propertyCounts[kind].get(name);
    if (values) this.#bytes -= bytesOf(values);
    this.#propertyCounts[kind].set(name, null);
  }

  /** Properties of the objects of one type first. */
  #dropLargest(): void {
    const all = objectKinds.flatMap((kind) =>
      [...this.#propertyCounts[kind]].flatMap(([name, values]) =>
        values === null ? [] : [{ kind, name, ofType: isOfType(name), bytes: bytesOf(values) }],
      ),
    );
    const [largest] = all.toSorted(
      (left, right) => Number(right.ofType) - Number(left.ofType) || right.bytes - left.bytes,
    );
    if (largest !== undefined) this.#drop(largest.kind, largest.name);
  }
}

/** The values of a property; undefined if those of the objects through which it has them are unknown. */
function valuesOf(entity: Entity, property: string, facts: CountFacts): string[] | undefined {
  if (!isRelatedLabel(entity.kind, property)) return ownValuesOf(entity, property, facts);
  return facts.owners.isComplete(ownerKindOf(property)) ? facts.owners.valuesOf(entity, property) : undefined;
}

/** The values that an object itself, or the last report, has. */
function ownValuesOf(entity: Entity, property: string, { heartbeats, now }: CountFacts): string[] {
  const single = (value: string | undefined) => (value === undefined ? [] : [value]);
  if (property === 'version') return single(versionOf(entity, heartbeats, now));
  if (property === 'status') return single(statusOf(entity, heartbeats, now));
  if (property !== 'agent_version') return single(labelOf(entity.kind, entity.object, property));
  const heartbeat = heartbeats.get(idOf(entity));
  return heartbeat === undefined ? [] : [...agentVersionsOn(heartbeat)];
}

const numberOfLabels = (propertyCounts: { keys: () => Iterable<string> }) =>
  [...propertyCounts.keys()].filter((name) => name.startsWith(LABEL)).length;

/**
 * The objects of a kind by a property or label. Undefined if they are not counted by it.
 *
 * @param total the number of objects of the kind, by state.
 */
export function valueCountsOf(
  stored: StoredPropertyCounts,
  kind: ObjectKind,
  name: string,
  total: Readonly<Partial<Record<State, number>>>,
): ValueCount[] | undefined {
  const propertyCounts = new Map(Object.entries(stored[kind]));
  const isLabel = name.startsWith(LABEL);
  const access = standardLabels[kind].get(name.slice(LABEL.length));
  const valueCounts = propertyCounts.get(name);
  // If all labels are counted, no object has a label without a count.
  const isUnknown =
    !isLabel || (access !== undefined && access !== 'label_index') || numberOfLabels(propertyCounts) >= MAX_LABELS;
  if (valueCounts === null || (valueCounts === undefined && isUnknown)) return undefined;
  const counted = Object.entries(valueCounts ?? {}).map(([value, counts]): ValueCount => ({
    value: value === '' ? undefined : value.slice(1),
    byState: states.map((state, index) => [state, counts[index] ?? 0]),
  }));
  if (!isLabel) return counted;
  // Only objects with a label are looked at for it: the others are the rest.
  const rest = states.map((state): readonly [State, number] => [
    state,
    (total[state] ?? 0) -
      counted.reduce((sum, { byState }) => sum + (byState.find(([of]) => of === state)?.[1] ?? 0), 0),
  ]);
  return [...counted, { value: undefined, byState: rest }];
}
