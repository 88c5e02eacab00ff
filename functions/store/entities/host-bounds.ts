import { type Condition, isAtMost } from '../../../shared/db/conditions.ts';
import type { Item } from '../../../shared/db/table.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import {
  customLabelBytes,
  hostBounds,
  MAX_HOST_LABEL_BYTES,
  MAX_HOST_OBJECT_BYTES,
} from '../../domain/access/host-bounds.ts';
import { type Entity, jsonOf } from './entity.ts';
import type { WriteContext } from './write-context.ts';

const sizes = [
  {
    what: 'bytes of custom labels',
    field: 'custom_labels',
    most: MAX_HOST_LABEL_BYTES,
    bytesOf: ({ object }: Entity) => customLabelBytes(object.custom_labels),
  },
  {
    what: 'bytes of an object',
    field: '',
    most: MAX_HOST_OBJECT_BYTES,
    bytesOf: (entity: Entity) => Buffer.byteLength(jsonOf(entity)),
  },
] as const;

/**
 * A host writes small objects with few custom labels, because replies over all objects repeat them. An object that is larger may
 * stay so, and become smaller.
 *
 * @param old the object before; undefined for an add.
 * @throws ApiError `invalidArgument`.
 */
export function checkHostSizes({ addresses, scope }: WriteContext, old: Entity | undefined, next: Entity): void {
  // Only the writes of hosts have these limits, those of an enrolment included.
  if (addresses === undefined) return;
  for (const { what, field, most, bytesOf } of sizes) {
    const bytes = bytesOf(next);
    if (bytes <= most || (old !== undefined && bytes <= bytesOf(old))) continue;
    const message = `A host sets at most ${most} ${what}, not ${bytes}. An Editor may set more.`;
    // An enrolment has no scope yet: its body contains the node.
    const place = [...(scope === undefined ? ['node'] : []), ...(field === '' ? [] : [field])].join('.');
    throw invalidRequest([{ field: place, reason: 'too_large', message }]);
  }
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
export const exceededHostBounds = (context: WriteContext, added: AddedDependants, item: Item = {}): ApiError[] =>
  limitsOf(context, added).flatMap(({ counter, bound, most }) =>
    Number(item[counter]) > most
      ? new ApiError('resourceExhausted', `A host adds up to ${bound} ${counter}. Remove one, or let an Editor add it.`)
      : [],
  );
