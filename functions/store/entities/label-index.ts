import type { Key } from '../../../shared/db/table.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import { labelOf, standardLabels } from '../../domain/fields/filterable-labels.ts';
import { labelIndexPartition, overflowPartition, type ObjectKind } from '../table/keys.ts';

/**
 * Number of custom labels of an object that have a label index entry: the owner label, and the first ones by name. With these limits every
 * add and removal fits one transaction of 100 actions: an agent with 20 nodes and 20 services as targets needs 85, a
 * service on 20 nodes 47, a node 11.
 */
const MAX_INDEXED_LABELS = { node: 32, service: 32, agent: 12 } as const;

/** A requirement with more values than this is not looked up value by value. */
const MAX_PARTITIONS = 10;

type LabelSource = Parameters<typeof labelOf>[1];

const indexedAttributes = (kind: ObjectKind) =>
  [...standardLabels[kind]].flatMap(([label, access]) => (access === 'label_index' ? [label] : []));

/** The attributes that have a label index entry. */
const attributesOf = {
  node: indexedAttributes('node'),
  service: indexedAttributes('service'),
  agent: indexedAttributes('agent'),
} as const satisfies Record<ObjectKind, readonly string[]>;

/** The custom labels that have no attribute of the same name, by name. */
const customLabels = (kind: ObjectKind, { custom_labels: labels }: LabelSource): string[] =>
  Object.keys(labels)
    .filter((label) => !standardLabels[kind].has(label))
    .sort();

/**
 * The mark of an object with more custom labels than are indexed: the owner label, which is then indexed before the
 * others. Undefined for all other objects. It is stored with the object, because entries of objects from before the mark,
 * or with the mark of another owner label, must be found again.
 */
export function ownerMark(kind: ObjectKind, object: LabelSource, ownerLabel: string): string | undefined {
  // An object usually has few labels: no list is made for it.
  if (Object.keys(object.custom_labels).length <= MAX_INDEXED_LABELS[kind]) return undefined;
  const custom = customLabels(kind, object);
  return custom.length > MAX_INDEXED_LABELS[kind] && custom.includes(ownerLabel) ? ownerLabel : undefined;
}

/** The keys of the label index entries of an object. They depend on the object alone. */
export function labelIndexKeys(kind: ObjectKind, object: LabelSource, order: string): Key[] {
  const byName = customLabels(kind, object);
  const { owner_label: owner } = object;
  const isFirst = (label: string) => label === owner;
  const custom =
    owner === undefined ? byName : [...byName.filter(isFirst), ...byName.filter((label) => !isFirst(label))];
  const indexed = [...attributesOf[kind], ...custom.slice(0, MAX_INDEXED_LABELS[kind])];
  const partitions = indexed.flatMap((label) => {
    const value = labelOf(kind, object, label);
    return value === undefined ? [] : [labelIndexPartition(kind, label, value)];
  });
  const more = custom.length > MAX_INDEXED_LABELS[kind] ? [overflowPartition(kind)] : [];
  return [...partitions, ...more].map((pk) => ({ pk, sk: order }));
}

/** Partitions that a label has for each of its values. */
const LISTED: readonly string[] = ['label', 'label_index', 'name_claim'];

/** Whether the partitions of the values of a label are those of the index by_name. */
export const isListedByClaims = (kind: ObjectKind, label: string): kind is 'node' | 'service' =>
  standardLabels[kind].get(label) === 'name_claim';

/**
 * Partitions that together contain every object that meets the requirement, and perhaps others; undefined when no
 * partitions can be used for it.
 */
export function partitionsFor(kind: ObjectKind, requirement: Requirement): string[] | undefined {
  if (requirement.operator !== 'in') return undefined;
  const { label } = requirement;
  const values = [...new Set(requirement.values)];
  const access = standardLabels[kind].get(label) ?? 'label';
  if (values.length > MAX_PARTITIONS || !LISTED.includes(access)) return undefined;
  const partitions = values.map((value) => labelIndexPartition(kind, label, value));
  return access === 'label' ? [...partitions, overflowPartition(kind)] : partitions;
}
