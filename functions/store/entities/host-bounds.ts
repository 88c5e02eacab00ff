import { type Condition, isAtMost } from '../../../shared/db/conditions.ts';
import type { Item } from '../../../shared/db/table.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { customLabelBytes, hostBounds, MAX_HOST_LABEL_BYTES } from '../../domain/access/host-bounds.ts';
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
  const message = `A host sets at most ${MAX_HOST_LABEL_BYTES} bytes of custom labels, not ${bytes}. An Editor may set more.`;
  // An enrolment has no scope yet: its body contains the node.
  const field = scope === undefined ? 'node.custom_labels' : 'custom_labels';
  throw invalidRequest([{ field, reason: 'too_large', message }]);
}

interface AddedDependants {
  id: string;
  deltas: ReadonlyMap<string, number>;
}

/** The numbers of dependants of its node that a host would increase, and the largest ones with which it may. */
const limitsOf = ({ scope }: WriteContext, { id, deltas }: AddedDependants) =>
  Object.entries(scope === id ? hostBounds : {}).flatMap(([counter, bound]) => {
    const most = bound - (deltas.get(counter) ?? 0);
    return most < bound ? [{ counter, bound, most }] : [];
  });

/** Conditions of the transaction on the dependents counter of the node, so that simultaneous adds do not exceed a bound. */
export const hostBoundConditions = (context: WriteContext, added: AddedDependants): Condition[] =>
  limitsOf(context, added).map(({ counter, most }) => isAtMost(counter, most));

/** The errors when such a condition failed on the counter that was found. */
export const exceededHostBounds = (context: WriteContext, added: AddedDependants, found: Item = {}): ApiError[] =>
  limitsOf(context, added).flatMap(({ counter, bound, most }) =>
    Number(found[counter]) > most
      ? new ApiError('resourceExhausted', `A host adds up to ${bound} ${counter}. Remove one, or let an Editor add it.`)
      : [],
  );
