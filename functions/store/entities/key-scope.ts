import { ApiError } from '../../../shared/http/errors.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { objectKey } from '../table/keys.ts';
import type { Entity } from './entity.ts';

/**
 * What a caller is confined to: the id of a node, with what hangs below it; undefined for a caller who is not confined.
 * It comes from the caller's key (`caller().scope`) and is handed to every function of the store that shows or writes an
 * object. There is no other place where it is looked at.
 */
export type Scope = string | undefined;

function isBelow(nodeId: string, entity: Entity): boolean {
  const isOnlyHere = (ids: readonly string[]) => ids.every((id) => id === nodeId);
  if (entity.kind === 'node') return entity.object.node_id === nodeId;
  // On no node is below none, and what is also elsewhere belongs to others as well.
  if (entity.kind === 'service') return entity.object.node_ids.length > 0 && isOnlyHere(entity.object.node_ids);
  return entity.object.runs_on_node_id === nodeId && isOnlyHere(entity.object.insights.node_ids);
}

/**
 * The object must hang below the caller's node, as far as it shows by itself: it is the node; a service that runs there and
 * nowhere else; an agent that runs there and watches no other node.
 *
 * @throws ApiError `permissionDenied`.
 */
export function checkScope(scope: Scope, entity: Entity): void {
  if (scope === undefined || isBelow(scope, entity)) return;
  throw new ApiError('permissionDenied', 'Access denied: this key is bound to another node.');
}

/**
 * What the object does not show by itself: the services that an agent watches have to run on the caller's node alone. These
 * are conditions of the transaction that writes the agent, so nothing can change between the check and the write.
 */
export function scopeChecks(scope: Scope, entity: Entity): TransactItem[] {
  if (scope === undefined || entity.kind !== 'agent') return [];
  return entity.object.insights.service_ids.map((id) => ({
    ConditionCheck: {
      Key: objectKey('service', id),
      ConditionExpression: 'node_ids = :own',
      ExpressionAttributeValues: { ':own': [scope] },
    },
    // What is not there is said by the dependency itself, when the agent is to refer to it.
    onConditionFailed: (found) =>
      found === undefined
        ? new StaleRead()
        : new ApiError('permissionDenied', 'Access denied: the agent has a service of another node as a target.'),
  }));
}
