import * as z from 'zod/mini';
import { ApiError } from '../../../shared/core/errors.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { isRecord } from '../../../shared/db/item.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import { isOwnObject, isOwnSelector, type LabelledObject, type OwnerLimit } from '../../domain/access/owned-objects.ts';
import { labelOf, standardLabels } from '../../domain/fields/filterable-labels.ts';
import { MAX_LABELS } from '../../domain/fields/common-fields.ts';
import type { ObjectKind } from '../table/keys.ts';
import { type Entity, idOf, nouns } from './entity.ts';

/** The limit as a job stores it: with the label, which another deployment may change. */
export const ownerLimitSchema = lazily(() => z.object({ label: z.string(), owners: z.array(z.string()) }));

/** The owner of an object; undefined when it has none. */
export const ownerOf = ({ kind, object }: Entity, label: string): string | undefined => labelOf(kind, object, label);

/** The owners in words: `team "a" or "b"`. */
const wordsOf = ({ label, owners }: OwnerLimit) => `${label} ${owners.map((owner) => `"${owner}"`).join(' or ')}`;

const denied = (name: string, owner: string | undefined, limit: OwnerLimit) => {
  const has = owner === undefined ? `no ${limit.label}` : `${limit.label} "${owner}"`;
  return new ApiError('permissionDenied', `Access denied: ${name} has ${has}. This key writes only ${wordsOf(limit)}.`);
};

/** The error for an object that does not have one of the caller's owners. */
export const foreignOwner = (entity: Entity, limit: OwnerLimit): ApiError =>
  denied(`${nouns[entity.kind]} with ID "${idOf(entity)}"`, ownerOf(entity, limit.label), limit);

/** Whether the object has one of the owners. */
export const isWithinOwners = (limit: OwnerLimit | undefined, { kind, object }: Entity): boolean =>
  isOwnObject(limit, kind, object);

/** @throws ApiError `permissionDenied` for an object to add that has none of the owners. */
export function checkOwner(limit: OwnerLimit | undefined, kind: ObjectKind, object: LabelledObject): void {
  if (limit !== undefined && !isOwnObject(limit, kind, object))
    throw denied(`the ${kind}`, labelOf(kind, object, limit.label), limit);
}

/**
 * The fields with the owner of a caller that has exactly one; the same reference when they have an owner already.
 *
 * @throws ApiError `permissionDenied` when the caller has several owners, or when the label would be one too many.
 */
export function stamped<Fields extends object>(
  limit: OwnerLimit | undefined,
  kind: ObjectKind,
  fields: Fields,
): Fields {
  if (limit === undefined) return fields;
  const { label, owners } = limit;
  const [owner, ...others] = owners;
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(fields));
  const labels = isRecord(values['custom_labels']) ? values['custom_labels'] : {};
  const isAttribute = standardLabels[kind].has(label);
  const present = isAttribute ? values[label] : Object.hasOwn(labels, label) ? labels[label] : undefined;
  if (present !== undefined) return fields;
  if (owner === undefined || others.length > 0)
    throw new ApiError('permissionDenied', `Access denied: this key writes only ${wordsOf(limit)}. Set the label.`);
  if (isAttribute) return { ...fields, [label]: owner };
  if (Object.keys(labels).length >= MAX_LABELS)
    throw new ApiError(
      'permissionDenied',
      `Access denied: the object has no room for ${wordsOf(limit)}. Remove a label.`,
    );
  const next = Object.entries({ ...labels, [label]: owner }).sort(([left], [right]) => (left < right ? -1 : 1));
  return { ...fields, custom_labels: Object.fromEntries(next) };
}

/** @throws ApiError `permissionDenied` for a selector that can match objects without one of the owners. */
export function checkOwnSelector(limit: OwnerLimit | undefined, selector: readonly Requirement[]): void {
  if (limit === undefined || isOwnSelector(limit, selector)) return;
  throw new ApiError(
    'permissionDenied',
    `Access denied: this key writes only ${wordsOf(limit)}. The selector must require it.`,
  );
}
