import type { Table } from '../../../shared/db/table.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { type RelatedLabel, relatedLabels } from '../../domain/fields/related-labels.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { findObjects } from '../entities/get.ts';
import { withOnly } from '../entities/with-labels.ts';
import { isVisible, type Scope } from '../entities/key-scope.ts';
import { partitionsFor } from '../entities/label-index.ts';
import { objectKey, type ObjectKind, relations, unplacedPartition } from '../table/keys.ts';
import { type Collection, readReferences } from './merge-references.ts';

/** The kind of object that has the label itself. */
const ownerKinds = {
  region: 'node',
  az: 'node',
  cluster: 'service',
  environment: 'service',
} as const satisfies Record<RelatedLabel, 'node' | 'service'>;

/** The labels that the objects of a kind have through others. */
const labelsOf: Readonly<Record<ObjectKind, readonly RelatedLabel[]>> = {
  node: [],
  service: ['region', 'az'],
  agent: relatedLabels,
};

/** Whether the objects of a kind have this label through others. */
export const isRelatedLabel = (kind: ObjectKind, label: string): label is RelatedLabel =>
  labelsOf[kind].some((candidate) => candidate === label);

export const ownerKindOf = (label: RelatedLabel): 'node' | 'service' => ownerKinds[label];

/** A condition on a value that an object has through others; an empty value: it has none. */
export interface RelatedRequirement {
  label: RelatedLabel;
  value: string;
}

/** The conditions for parameters that select one value each; none for a missing parameter. */
export function relatedRequirements(
  kind: ObjectKind,
  filters: Partial<Record<RelatedLabel, string | undefined>>,
): RelatedRequirement[] {
  return labelsOf[kind].flatMap((label) => {
    const value = filters[label];
    return value === undefined ? [] : [{ label, value }];
  });
}

/**
 * The ids of the objects from which the values follow. An agent that runs on no node has the region of the nodes that it
 * gives insight into.
 */
export function ownerIdsOf({ kind, object }: Entity, label: RelatedLabel): readonly string[] {
  if (kind === 'node') return [];
  if (ownerKinds[label] === 'service') return kind === 'agent' ? object.insights.service_ids : [];
  if (kind === 'service') return object.node_ids;
  return object.runs_on_node_id === undefined ? object.insights.node_ids : [object.runs_on_node_id];
}

/** Objects to which others are related, by id. */
export type RelatedObjects = ReadonlyMap<string, Entity>;

/** The objects from which these values follow. One round of eventually consistent batch reads, none if all are known. */
export async function readRelated(
  table: Table,
  entities: readonly Entity[],
  labels: readonly RelatedLabel[],
  cached: RelatedObjects = new Map(),
): Promise<RelatedObjects> {
  const wanted = new Map(
    labels.flatMap((label) =>
      entities.flatMap((entity) => ownerIdsOf(entity, label).map((id) => [id, ownerKinds[label]] as const)),
    ),
  );
  const missing = [...wanted].filter(([id]) => !cached.has(id)).map(([id, kind]) => ({ kind, id }));
  // Only attributes are values.
  const related =
    missing.length === 0 ? [] : await findObjects(table, missing, false, (entity) => withOnly(entity, []));
  return new Map([...cached, ...related.map((entity) => [idOf(entity), entity] as const)]);
}

/** The different values that an object has through objects which the caller may see. */
export function relatedValues(entity: Entity, label: RelatedLabel, related: RelatedObjects, scope: Scope): string[] {
  const values = ownerIdsOf(entity, label).flatMap((id) => {
    const owner = related.get(id);
    return owner !== undefined && isVisible(scope, owner) ? (labelOf(owner.kind, owner.object, label) ?? []) : [];
  });
  return [...new Set(values)];
}

/** The objects that meet all conditions. One round of batch reads, none without conditions. */
export async function withRelatedValues<One extends Entity>(
  table: Table,
  entities: readonly One[],
  requirements: readonly RelatedRequirement[],
  scope: Scope,
): Promise<One[]> {
  if (requirements.length === 0 || entities.length === 0) return [...entities];
  const labels = requirements.map(({ label }) => label);
  const related = await readRelated(table, entities, labels);
  return entities.filter((entity) =>
    requirements.every(({ label, value }) => {
      const values = relatedValues(entity, label, related, scope);
      return value === '' ? values.length === 0 : values.includes(value);
    }),
  );
}

/** With more nodes, or services, than this, reading the edges of each costs more than reading the whole list. */
const MAX_OWNERS = 50;

/** The edges of one owner to the objects that can have a value through it. */
function collectionOf(kind: 'service' | 'agent', owner: 'node' | 'service', id: string): Collection {
  const { pk } = objectKey(owner, id);
  if (kind === 'service') return { pk, before: relations.services };
  return { pk, before: owner === 'node' ? relations.agents : relations.insights };
}

/** Collections that together refer to all objects with the value; undefined if too many objects own it. */
async function collectionsOf(
  table: Table,
  kind: 'service' | 'agent',
  { label, value }: RelatedRequirement,
): Promise<Collection[] | undefined> {
  const owner = ownerKinds[label];
  const [pk] = value === '' ? [] : (partitionsFor(owner, { label, operator: 'in', values: [value] }) ?? []);
  if (pk === undefined) return undefined;
  const range = { prefix: '', after: undefined, size: MAX_OWNERS + 1 };
  const { references } = await readReferences(table, { pk, before: '' }, range);
  if (references.length > MAX_OWNERS) return undefined;
  const edges = references.map(({ id }) => collectionOf(kind, owner, id));
  return kind === 'agent' && owner === 'node' ? [...edges, { pk: unplacedPartition('agent'), before: '' }] : edges;
}

/**
 * For each condition that few nodes, or services, meet, the collections that refer to all matching objects. One query for
 * each condition.
 */
export async function relatedCollections(
  table: Table,
  kind: ObjectKind,
  requirements: readonly RelatedRequirement[],
): Promise<Collection[][]> {
  if (kind === 'node') return [];
  const collections = await Promise.all(requirements.map((requirement) => collectionsOf(table, kind, requirement)));
  return collections.filter((collection) => collection !== undefined);
}
