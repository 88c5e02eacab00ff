import { type Condition, isAtMost } from '../../../shared/db/conditions.ts';
import type { Item } from '../../../shared/db/table.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { customLabelBytes, hostBounds, MAX_HOST_LABEL_BYTES } from '../../domain/access/host-bounds.ts';
import type { ObjectKind } from '../table/keys.ts';
import type { Entity } from './entity.ts';
import type { WriteContext } from './write-context.ts';

/**
 * A host gives an object few custom labels, because replies over all objects repeat them. An object with more of them
 * may keep them, and lose some.
 *
 * @param old the object before; undefined for an add.
 * @throws ApiError `invalidArgument`.
 */
export function checkHostLabels({ addresses, scope }: WriteContext, old: Entity | undefined, next: Entity): void {
  // Only the writes of hosts have these limits, those of an enrolment included.
  if (addresses === undefined) return;
  const bytes = customLabelBytes(next.object.custom_labels);
  if (bytes <= MAX_HOST_LABEL_BYTES || (old !== undefined && bytes <= customLabelBytes(old.object.custom_labels)))
    return;
  const message = `A host gives an object at most ${MAX_HOST_LABEL_BYTES} bytes of custom labels, and these are ${bytes}. Shorten them, or let an Editor set them.`;
  // An enrolment has no scope yet: its body contains the node.
  const field = scope === undefined ? 'node.custom_labels' : 'custom_labels';
  throw invalidRequest([{ field, reason: 'too_large', message }]);
}

interface AddedDependants {
  kind: ObjectKind;
  id: string;
  deltas: ReadonlyMap<string, number>;
}

const words = { agents: 'agents', pmm_agents: 'agent processes', services: 'services' } as const;

/** The numbers of dependants of its node that a host would increase, and the largest ones with which it may. */
function boundsOf({ scope }: WriteContext, { kind, id, deltas }: AddedDependants) {
  if (kind !== 'node' || scope !== id) return [];
  return (['agents', 'pmm_agents', 'services'] as const).flatMap((counter) => {
    const added = deltas.get(counter) ?? 0;
    return added > 0 ? [{ counter, most: hostBounds[counter] - added }] : [];
  });
}

/** Conditions of the transaction on the dependents counter of the node, so that simultaneous adds do not exceed a bound. */
export const hostBoundConditions = (context: WriteContext, added: AddedDependants): Condition[] =>
  boundsOf(context, added).map(({ counter, most }) => isAtMost(counter, most));

/** The error when such a condition failed. */
export function exceededHostBound(context: WriteContext, added: AddedDependants, found: Item): ApiError | undefined {
  const exceeded = boundsOf(context, added).find(({ counter, most }) => Number(found[counter]) > most);
  return (
    exceeded &&
    new ApiError(
      'resourceExhausted',
      `A host adds ${words[exceeded.counter]} until its node has ${hostBounds[exceeded.counter]}. Remove one first, or let an Editor add it.`,
    )
  );
}
