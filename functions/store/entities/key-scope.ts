import { ApiError } from '../../../shared/core/errors.ts';
import { equals } from '../../../shared/db/conditions.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { objectKey } from '../table/keys.ts';
import type { Entity } from './entity.ts';

/**
 * The id of the node that a caller is confined to, with the objects below it; undefined for a caller that is not
 * confined. It is part of the caller's key (`caller().scope`). Every function of the store that returns or writes an
 * object takes it as a parameter; no other code checks it.
 */
export type Scope = string | undefined;

function isBelow(nodeId: string, entity: Entity): boolean {
  const isOnlyHere = (ids: readonly string[]) => ids.every((id) => id === nodeId);
  if (entity.kind === 'node') return entity.object.node_id === nodeId;
  // A service on no node is below no node. A service that also runs elsewhere belongs to others as well.
  if (entity.kind === 'service') return entity.object.node_ids.length > 0 && isOnlyHere(entity.object.node_ids);
  return entity.object.runs_on_node_id === nodeId && isOnlyHere(entity.object.insights.node_ids);
}

/** The error for an object that is not below the caller's node. */
export const outOfScope = () => new ApiError('permissionDenied', 'Access denied: this key is bound to another node.');

/** Whether a confined caller may see the object in a list, as far as its own fields say. */
export const isInScope = (scope: Scope, entity: Entity): boolean => scope === undefined || isBelow(scope, entity);

/**
 * The object must be below the caller's node, as far as its own fields say: it is the node; a service that runs only
 * there; or an agent that runs there and watches no other node.
 *
 * @throws ApiError `permissionDenied`.
 */
export function checkScope(scope: Scope, entity: Entity): void {
  if (isInScope(scope, entity)) return;
  throw outOfScope();
}

/**
 * The part of the scope that the object's own fields do not say: the services that an agent watches must run only on
 * the caller's node. These are conditions of the transaction that writes the agent, so that nothing changes between
 * check and write.
 */
export function scopeChecks(scope: Scope, entity: Entity): TransactItem[] {
  if (scope === undefined || entity.kind !== 'agent') return [];
  return entity.object.insights.service_ids.map((id) => ({
    check: objectKey('service', id),
    condition: equals('node_ids', [scope]),
    // For a missing service, the dependency itself fails with a better error.
    onConditionFailed: (found) =>
      found === undefined
        ? new StaleRead()
        : new ApiError('permissionDenied', 'Access denied: the agent has a service of another node as a target.'),
  }));
}
