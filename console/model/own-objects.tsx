import type { OwnerLimit } from '../../functions/domain/access/owned-objects.ts';
import { isOwnObject } from '../../functions/domain/access/owned-objects.ts';
import { labelOf } from '../../functions/domain/fields/filterable-labels.ts';
import { DEFAULT_OWNER_LABEL } from '../../functions/domain/fields/owner-label.ts';
import { useCaller } from '../ui/caller-context.tsx';
import { plural, numberText } from '../ui/words.ts';
import type { InventoryObject, Kind } from './kinds.tsx';
import { useServerVersion } from './server-version.tsx';

export type { OwnerLimit };

/** The owners to which the user's writes are limited, with the label that names them; undefined without a limit. */
export function useOwnerLimit(): OwnerLimit | undefined {
  const { owner_label: label = DEFAULT_OWNER_LABEL } = useServerVersion();
  const { owners } = useCaller();
  return owners === undefined ? undefined : { label, owners };
}

/** Why the user may not write all of these objects; undefined if it may. */
export function foreignReasonOfAll<T extends InventoryObject>(
  limit: OwnerLimit | undefined,
  kind: Kind<T>,
  objects: readonly T[],
): string | undefined {
  const foreign = objects.filter((object) => foreignReason(limit, kind, object) !== undefined);
  const [first] = foreign;
  if (limit === undefined || first === undefined) return undefined;
  if (objects.length === 1) return foreignReason(limit, kind, first);
  const counted = `${numberText(foreign.length)} of these ${plural(objects.length, kind.noun)}`;
  const are = foreign.length === 1 ? 'is' : 'are';
  return `${counted} ${are} not yours. You write objects of ${limit.label} ${limit.owners.join(' or ')} only.`;
}

/** Why the user may not write an object, by the API's own rule; undefined if it may. */
export function foreignReason<T extends InventoryObject>(
  limit: OwnerLimit | undefined,
  kind: Kind<T>,
  object: T,
): string | undefined {
  if (limit === undefined || isOwnObject(limit, kind.noun, object)) return undefined;
  const owner = labelOf(kind.noun, object, limit.label);
  const has = owner === undefined ? `has no ${limit.label}` : `belongs to ${limit.label} ${owner}`;
  return `This ${kind.noun} ${has}. You write objects of ${limit.label} ${limit.owners.join(' or ')} only.`;
}
