import {
  ABSENT,
  absent,
  and,
  type Condition,
  equals,
  isBelow,
  isOneOf,
  orAbsent,
  PRESENT,
  stale,
} from '../../../shared/db/conditions.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { dependentsKey, type ObjectKind } from '../table/keys.ts';
import { exceededHostBounds, hostBoundConditions } from '../entities/host-bounds.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { dependentsTypeOf, idOf, notFound, nouns, type Entity } from '../entities/entity.ts';
import { type Counter, counters, type Dependency } from '../entities/derived-items.ts';

/** The effect of a plan on one dependents counter. Collected, because a transaction may contain an item only once. */
export interface DependentsChange {
  kind: ObjectKind;
  id: string;
  deltas: Map<Counter, number>;
  /** Dependencies that are added: the object must exist, not be being removed, and have an accepted type. */
  required: AttributedDependency[];
  /** The new counter of an object that the plan adds. Dependants that the same plan adds are counted in it. */
  added?: Item & Key;
  mustNotBeRemoving: boolean;
  /** The object loses a dependant, even if it gets another one in the same plan. */
  losesDependant: boolean;
  /** The object is removed. It may have no dependants except those that the same transaction removes. */
  removed?: {
    /** @param left the remaining dependants, by counter. */
    onDependants: (left: Item) => Error;
  };
  /** Whom to attribute a refusal to when no dependency is added. */
  attributeTo?: AttributeTo;
}

/** Attributes an error to the operation that caused it, when a transaction performs several operations. */
export type AttributeTo = (error: ApiError) => ApiError;

interface AttributedDependency extends Dependency {
  attributeTo: AttributeTo;
}

export function dependentsChange(
  plan: { dependentsChanges: Map<string, DependentsChange> },
  kind: ObjectKind,
  id: string,
): DependentsChange {
  const { pk } = dependentsKey(kind, id);
  const pending = plan.dependentsChanges.get(pk);
  if (pending !== undefined) return pending;
  const change: DependentsChange = {
    kind,
    id,
    deltas: new Map(),
    required: [],
    mustNotBeRemoving: false,
    losesDependant: false,
  };
  plan.dependentsChanges.set(pk, change);
  return change;
}

export function count(change: DependentsChange, counter: Counter, delta: number): void {
  change.deltas.set(counter, (change.deltas.get(counter) ?? 0) + delta);
}

export const unattributed: AttributeTo = (error) => error;

/** The dependents counter of an object without dependants. */
export function newDependentsCounter(entity: Entity): (Item & Key) | undefined {
  const type = dependentsTypeOf(entity);
  if (type === undefined) return undefined;
  const zeros = Object.fromEntries(counters.map((counter) => [counter, 0]));
  return { ...dependentsKey(entity.kind, idOf(entity)), type, ...zeros };
}

function beingRemoved({ kind, id }: DependentsChange): ApiError {
  return new ApiError('failedPrecondition', `${nouns[kind]} with ID "${id}" is being removed.`);
}

function refusedDependency(change: DependentsChange, item: Item | undefined): Error {
  // No dependency is added, so the counter existed when the plan was made: the plan is out of date.
  if (change.required.length === 0 && item === undefined) return stale();
  const [first] = change.required;
  const attributeTo = first?.attributeTo ?? change.attributeTo ?? unattributed;
  if (item === undefined) return attributeTo(notFound(change.kind, change.id));
  // A plan that only removes dependants is out of date, too: another removal took the same time.
  if (item['removing'] === true && change.mustNotBeRemoving) return attributeTo(beingRemoved(change));
  const type = String(item['type']);
  const wrong = change.required.find(({ types }) => types?.includes(type) === false);
  const error = wrong?.wrongType?.(type);
  return error === undefined || wrong === undefined ? stale() : wrong.attributeTo(error);
}

/**
 * The error with which an object with this dependency would be refused, given the dependents counter that was found;
 * undefined when it would not be refused.
 */
export function refusalOf(dependency: Dependency, item: Item | undefined): Error | undefined {
  const { kind, id, types } = dependency;
  const isFine = item !== undefined && item['removing'] !== true && types?.includes(String(item['type'])) !== false;
  if (isFine) return undefined;
  return refusedDependency(
    {
      kind,
      id,
      deltas: new Map(),
      required: [{ ...dependency, attributeTo: unattributed }],
      mustNotBeRemoving: true,
      losesDependant: false,
    },
    item,
  );
}

/** The types that all of these dependencies accept; undefined when all accept any type. */
function typesFor(required: readonly Dependency[]): string[] | undefined {
  const lists = required.flatMap(({ types }) => (types === undefined ? [] : [types]));
  return lists[0]?.filter((type) => lists.every((types) => types.includes(type)));
}

/** @throws ApiError when an object of the same plan may not depend on it. */
function addedDependentsCounter(
  addedCounter: Item & Key,
  { deltas, required }: DependentsChange,
  at: number,
): TransactItem {
  for (const dependency of required) {
    const error = refusalOf(dependency, addedCounter);
    if (error instanceof ApiError) throw dependency.attributeTo(error);
  }
  return {
    put: { ...addedCounter, ...Object.fromEntries(deltas), at },
    condition: ABSENT,
    onConditionFailed: stale,
  };
}

/**
 * A dependents counter stores in `at` the time at which its object was added or last lost a dependant. Writes with an
 * earlier or the same time are refused. So a change always has a later time than the changes that made it possible,
 * even when the clocks of two functions differ: in the change feed no reference precedes the object that it refers to,
 * and no object is removed before its last dependant.
 */
const isAfterTheLast = (at: number) => orAbsent(isBelow('at', at));

/** After a failed condition, a later attempt of the write gets a later time than the counter has. */
function noteTime(writeContext: WriteContext, item: Item | undefined): void {
  if (typeof item?.['at'] === 'number') writeContext.minTimestamp = Math.max(writeContext.minTimestamp, item['at']);
}

/** Deletes the counter of an object that has no dependants except those that the same transaction removes. */
function removedDependentsCounter(
  { kind, id, deltas }: DependentsChange,
  { onDependants }: NonNullable<DependentsChange['removed']>,
  writeContext: WriteContext,
  at: number,
): TransactItem {
  return {
    delete: dependentsKey(kind, id),
    condition: and(...counters.map((counter) => equals(counter, -(deltas.get(counter) ?? 0))), isAfterTheLast(at)),
    onConditionFailed: (item) => {
      noteTime(writeContext, item);
      const left = new Map<string, number>(
        counters.map((counter) => [counter, Number(item?.[counter]) + (deltas.get(counter) ?? 0)]),
      );
      const isFree = [...left.values()].every((number) => number === 0);
      return item === undefined || isFree ? stale() : onDependants(Object.fromEntries(left));
    },
  };
}

/** The object exists, is not being removed unless that is allowed, and has a type that all new dependants accept. */
function requirementOf({ mustNotBeRemoving, required }: DependentsChange, bounds: readonly Condition[]): Condition {
  const types = typesFor(required);
  return and(
    PRESENT,
    ...(mustNotBeRemoving ? [absent('removing')] : []),
    ...(types === undefined ? [] : [isOneOf('type', types)]),
    ...bounds,
  );
}

/** The write that performs a change of a dependents counter; a condition check when the counter keeps its value. */
export function dependentsItem(change: DependentsChange, writeContext: WriteContext, at: number): TransactItem {
  const { kind, id, added, removed, losesDependant } = change;
  if (added !== undefined) return addedDependentsCounter(added, change, at);
  if (removed !== undefined) return removedDependentsCounter(change, removed, writeContext, at);
  const key = dependentsKey(kind, id);
  const requirement = requirementOf(change, hostBoundConditions(writeContext, change));
  const deltas = [...change.deltas].filter(([, delta]) => delta !== 0);
  const isUnchanged = deltas.length === 0 && !losesDependant;
  const update = { update: key, add: Object.fromEntries(deltas), ...(losesDependant ? { set: { at } } : {}) };
  return {
    ...(isUnchanged
      ? { check: key, condition: requirement }
      : { ...update, condition: and(requirement, isAfterTheLast(at)) }),
    onConditionFailed: (item) => {
      noteTime(writeContext, item);
      const refused = refusedDependency(change, item);
      const [exceeded] = exceededHostBounds(writeContext, change, item);
      return refused instanceof ApiError ? refused : (exceeded ?? refused);
    },
  };
}
