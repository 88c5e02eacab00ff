import type { Requirement } from '../../../shared/selector/requirement.ts';
import { labelOf } from '../fields/filterable-labels.ts';
import type { ObjectKind } from '../fields/object-kind.ts';

/** The values of one label that limit the writes of a caller. */
export interface OwnerLimit {
  /** The owner label of the deployment. */
  label: string;
  owners: readonly string[];
}

export type LabelledObject = Parameters<typeof labelOf>[1];

const isOneOf = ({ owners }: OwnerLimit, owner: string | undefined) => owner !== undefined && owners.includes(owner);

/** Whether a caller may write an object: without a limit each, else those with one of its owners. */
export const isOwnObject = (limit: OwnerLimit | undefined, kind: ObjectKind, object: LabelledObject): boolean =>
  limit === undefined || isOneOf(limit, labelOf(kind, object, limit.label));

/** Whether a selector matches only objects that the caller may write. */
export function isOwnSelector(limit: OwnerLimit | undefined, selector: readonly Requirement[]): boolean {
  if (limit === undefined) return true;
  const isOwn = (requirement: Requirement) =>
    requirement.label === limit.label &&
    requirement.operator === 'in' &&
    requirement.values.every((value) => isOneOf(limit, value));
  return selector.some(isOwn);
}
