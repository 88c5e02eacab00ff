import type { ObjectKind } from '../table/keys.ts';
import type { Entity, EntityOf } from './entity.ts';

type Labels = Record<string, string>;

/**
 * The object with other custom labels, and without its stored text: many such objects together take little memory. It is for
 * replies, and is not written.
 */
export function withLabels<Kind extends ObjectKind>(
  entity: EntityOf<Kind>,
  labelsOf: (labels: Labels) => Labels,
): EntityOf<Kind>;
export function withLabels({ kind, object }: Entity, labelsOf: (labels: Labels) => Labels): Entity {
  const custom_labels = labelsOf(object.custom_labels);
  if (kind === 'node') return { kind, object: { ...object, custom_labels } };
  return kind === 'service'
    ? { kind, object: { ...object, custom_labels } }
    : { kind, object: { ...object, custom_labels } };
}

/** The object with these of its custom labels only. */
export const withOnly = <Kind extends ObjectKind>(entity: EntityOf<Kind>, names: readonly string[]): EntityOf<Kind> =>
  withLabels(entity, (labels) => Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name))));
