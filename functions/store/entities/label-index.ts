import type { Key } from '../../../shared/db/table.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import { labelOf, standardLabels } from '../../domain/fields/filterable-labels.ts';
import { labelIndexPartition, overflowPartition, type ObjectKind } from '../table/keys.ts';

/**
 * So many custom labels of an object have a facet, the first ones by name. With all else that an object may have, an add
 * or a removal stays one transaction of 100 actions: an agent with 20 nodes and 20 services as targets needs 85, a service
 * on 20 nodes 47, a node 11.
 */
const MAX_LABEL_FACETS = { node: 32, service: 32, agent: 12 } as const;

/** A list with more values than this is not looked up value by value. */
const MAX_PARTITIONS = 10;

type Labelled = Parameters<typeof labelOf>[1];

/** The facets of an object, by nothing but the object itself. */
export function labelIndexKeys(kind: ObjectKind, object: Labelled, order: string): Key[] {
  const standard = standardLabels[kind];
  const attributes = [...standard].flatMap(([label, access]) => (access === 'facet' ? [label] : []));
  const custom = Object.keys(object.custom_labels)
    .filter((label) => !standard.has(label))
    .sort();
  const indexed = [...attributes, ...custom.slice(0, MAX_LABEL_FACETS[kind])];
  const partitions = indexed.flatMap((label) => {
    const value = labelOf(kind, object, label);
    return value === undefined ? [] : [labelIndexPartition(kind, label, value)];
  });
  const more = custom.length > MAX_LABEL_FACETS[kind] ? [overflowPartition(kind)] : [];
  return [...partitions, ...more].map((pk) => ({ pk, sk: order }));
}

/** Partitions that together name every object that meets the requirement, and perhaps others; undefined: there are none. */
export function partitionsFor(kind: ObjectKind, requirement: Requirement): string[] | undefined {
  if (requirement.operator !== 'in') return undefined;
  const { label } = requirement;
  const values = [...new Set(requirement.values)];
  const access = standardLabels[kind].get(label);
  if (values.length > MAX_PARTITIONS || (access !== undefined && access !== 'facet')) return undefined;
  const partitions = values.map((value) => labelIndexPartition(kind, label, value));
  return access === 'facet' ? partitions : [...partitions, overflowPartition(kind)];
}
