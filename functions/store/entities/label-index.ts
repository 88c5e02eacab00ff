import type { Key } from '../../../shared/db/table.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import { labelOf, standardLabels } from '../../domain/fields/filterable-labels.ts';
import { labelIndexPartition, overflowPartition, type ObjectKind } from '../table/keys.ts';

/**
 * Number of custom labels of an object that have a label index entry: the first ones by name. With these limits every
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

/** The keys of the label index entries of an object. They depend on the object alone. */
export function labelIndexKeys(kind: ObjectKind, object: LabelSource, order: string): Key[] {
  const standard = standardLabels[kind];
  const custom = Object.keys(object.custom_labels)
    .filter((label) => !standard.has(label))
    .sort();
  const indexed = [...attributesOf[kind], ...custom.slice(0, MAX_INDEXED_LABELS[kind])];
  const partitions = indexed.flatMap((label) => {
    const value = labelOf(kind, object, label);
    return value === undefined ? [] : [labelIndexPartition(kind, label, value)];
  });
  const more = custom.length > MAX_INDEXED_LABELS[kind] ? [overflowPartition(kind)] : [];
  return [...partitions, ...more].map((pk) => ({ pk, sk: order }));
}

/**
 * Partitions that together contain every object that meets the requirement, and perhaps others; undefined when no
 * partitions can be used for it.
 */
export function partitionsFor(kind: ObjectKind, requirement: Requirement): string[] | undefined {
  if (requirement.operator !== 'in') return undefined;
  const { label } = requirement;
  const values = [...new Set(requirement.values)];
  const access = standardLabels[kind].get(label);
  if (values.length > MAX_PARTITIONS || (access !== undefined && access !== 'label_index')) return undefined;
  const partitions = values.map((value) => labelIndexPartition(kind, label, value));
  return access === 'label_index' ? partitions : [...partitions, overflowPartition(kind)];
}
