import type * as z from 'zod/mini';
import { wrongInDesired } from '../../../../functions/domain/bulk/new-values.ts';
import {
  type desiredObjects,
  reconcileBody,
  refusedInDesired,
} from '../../../../functions/domain/bulk/reconcile-request.ts';
import { objectKinds } from '../../../../functions/domain/fields/object-kind.ts';
import { violations } from '../../../../shared/core/violations.ts';
import type { Reconcile } from '../../../typescript/src/generated/types.ts';
import { FileError } from '../core/exit-codes.ts';

/** The input of a plan of a file. */
export type StateRequest = Pick<Reconcile, 'scope' | 'desired' | 'max_removals_percent'>;

/** Values that files in CSV do not have. */
export interface TableOptions {
  scope?: StateRequest['scope'];
  /** Values of empty cells: `region=eu`. */
  defaults?: readonly string[];
  /** Only the objects are checked, so that no scope is necessary. */
  isLint?: boolean;
}

/** A file with the desired state of one scope. */
export interface StateFile {
  path: string;
  request: StateRequest;
  /** The same with all defaults. */
  parsed: Pick<z.output<typeof reconcileBody>, 'scope' | 'desired'>;
  /** A path of the request such as `desired.nodes.3.address` as `fleet.yaml:12:5 nodes[3].address`. */
  placeOf: (field: string) => string;
  /** The values that only an object which already has them may have, with their places. */
  wrongIfNew: (objectOf?: (list: (typeof lists)[number], index: number) => object | undefined) => string[];
}

export const lists = ['nodes', 'services', 'agents'] as const;

/**
 * A desired state, checked with the rules of the server.
 *
 * @param wrong the violations that are known already.
 * @param schema of the request; `desiredObjects` checks each object, and no scope.
 * @throws FileError with a line for each violation.
 */
export function checkedState(
  path: string,
  request: StateRequest,
  placeOf: (field: string) => string,
  wrong: readonly string[] = [],
  schema: typeof reconcileBody | typeof desiredObjects = reconcileBody,
): StateFile {
  const { error, data } = schema.safeParse(request);
  const stateViolations = violations(error?.issues ?? [], request, { refusedWithin: refusedInDesired });
  const all = [...wrong, ...stateViolations.map(({ field, message }) => `${placeOf(field)}: ${message}`)];
  if (all.length > 0 || data === undefined) throw new FileError(all.join('\n'));
  const wrongIfNew: StateFile['wrongIfNew'] = (objectOf = () => undefined) =>
    objectKinds.flatMap((kind) =>
      (data.desired?.[`${kind}s`] ?? []).flatMap((body, index) =>
        wrongInDesired({ kind, index, body }, objectOf(`${kind}s`, index)).map(
          ({ field, message }) => `${placeOf(field)}: ${message}`,
        ),
      ),
    );
  return { path, request, parsed: { scope: undefined, ...data }, placeOf, wrongIfNew };
}
