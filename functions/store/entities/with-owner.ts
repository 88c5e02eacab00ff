import { DEFAULT_OWNER_LABEL } from '../../domain/fields/owner-label.ts';
import type { Entity } from './entity.ts';
import { ownerMark } from './label-index.ts';
import { stamped } from './owner-limit.ts';
import type { WriteContext } from './write-context.ts';

/** The object with the owner of a caller that has exactly one, unless it has an owner. */
export function withOwner<One extends Entity>({ limit }: Pick<WriteContext, 'limit'>, entity: One): One {
  if (limit === undefined) return entity;
  const object = stamped(limit, entity.kind, entity.object);
  return object === entity.object ? entity : { ...entity, object };
}

/** The object with the mark by which its owner label is indexed before other labels. */
export function withOwnerMark<One extends Entity>({ ownerLabel }: Pick<WriteContext, 'ownerLabel'>, entity: One): One {
  const mark = ownerMark(entity.kind, entity.object, ownerLabel ?? DEFAULT_OWNER_LABEL);
  if (mark === entity.object.owner_label) return entity;
  const { owner_label: _, ...object } = entity.object;
  return { ...entity, object: { ...object, ...(mark === undefined ? {} : { owner_label: mark }) } };
}
