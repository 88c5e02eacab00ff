import { ApiError } from '../../../shared/core/errors.ts';
import { equals } from '../../../shared/db/conditions.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { objectKey } from '../table/keys.ts';
import type { Entity } from './entity.ts';
import type { OwnerLimit } from '../../domain/access/owned-objects.ts';
import { foreignOwner, isWithinOwners } from './owner-limit.ts';

/**
 * The id of the node that a caller is confined to, with the objects below it; undefined for a caller that is not
 * confined. It is part of the caller's key (`caller().scope`). Every function of the store that returns or writes an
 * object takes it as a parameter; the checks of this file prove it by the types Visible and Writable.
 */
export type Scope = string | undefined;

function isBelow(nodeId: string, entity: Entity): boolean {
  const isOnlyHere = (ids: readonly string[]) => ids.every((id) => id === nodeId);
  if (entity.kind === 'node') return entity.object.node_id === nodeId;
  // A service on no node is below no node. A service that also runs elsewhere belongs to others as well.
  if (entity.kind === 'service') return entity.object.node_ids.length > 0 && isOnlyHere(entity.object.node_ids);
  return entity.object.runs_on_node_id === nodeId && isOnlyHere(entity.object.insights.node_ids);
}

/** The private member makes a copy (`{ ...object }`) unchecked again. */
declare class ScopeCheck {
  private readonly isChecked: true;
}

/** An object that the caller may see. Only the checks of this file make such a value. */
export interface VisibleObject extends ScopeCheck {
  readonly revision: number;
}

/**
 * An entity that the caller may see, as far as its own fields say. The record of a change, without which nothing is
 * written, and the replies take only such entities: a forgotten check does not compile.
 */
export type Visible<One extends Entity = Entity> = One & { readonly object: VisibleObject };

/** The limits of what a caller writes. */
interface WriteLimits {
  scope: Scope;
  limit: OwnerLimit | undefined;
}

declare class OwnerCheck {
  private readonly isWithinOwners: true;
}

/** An object that the caller may see and write. */
export interface WritableObject extends ScopeCheck, OwnerCheck {
  readonly revision: number;
}

/** A visible entity whose owner is within the limit of the caller. The record of a change takes only such entities. */
export type Writable<One extends Entity = Entity> = One & { readonly object: WritableObject };

/** The error for an object that is not below the caller's node. */
export const outOfScope = () => new ApiError('permissionDenied', 'Access denied: this key is bound to another node.');

/**
 * Whether the caller may see the object, as far as its own fields say: a confined caller sees its node, a service that
 * runs only there, and an agent that runs there and watches no other node.
 */
export const isVisible = <One extends Entity>(scope: Scope, entity: One): entity is One & Visible<One> =>
  scope === undefined || isBelow(scope, entity);

/** The entity, if the caller may see it. @throws ApiError `permissionDenied`. */
export function visible<One extends Entity>(scope: Scope, entity: One): Visible<One> {
  if (isVisible(scope, entity)) return entity;
  throw outOfScope();
}

const isWritable = <One extends Entity>({ scope, limit }: WriteLimits, entity: One): entity is One & Writable<One> =>
  isVisible(scope, entity) && isWithinOwners(limit, entity);

/** The entity, if the caller may write it. @throws ApiError `permissionDenied`. */
export function writable<One extends Entity>(writeContext: WriteLimits, entity: One): Writable<One> {
  if (isWritable(writeContext, entity)) return entity;
  const { scope, limit } = writeContext;
  throw limit === undefined || !isVisible(scope, entity) ? outOfScope() : foreignOwner(entity, limit);
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
    onConditionFailed: (item) =>
      item === undefined
        ? new StaleRead()
        : new ApiError('permissionDenied', 'Access denied: the agent has a service of another node as a target.'),
  }));
}
