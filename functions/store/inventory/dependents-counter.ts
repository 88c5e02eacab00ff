import { ABSENT, PRESENT, stale } from '../../../shared/db/conditions.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { dependentsKey, type ObjectKind } from '../table/keys.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { dependentsTypeOf, idOf, notFound, nouns, type Entity } from '../entities/entity.ts';
import { type Counter, counters, type Dependency } from '../entities/links.ts';

/** The effect of a plan on one dependents counter. Collected, because a transaction may contain an item only once. */
export interface DependentsChange {
  kind: ObjectKind;
  id: string;
  deltas: Map<Counter, number>;
  /** Dependencies that are added: the object must exist, not be being removed, and have an accepted type. */
  required: Required[];
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

interface Required extends Dependency {
  attributeTo: AttributeTo;
}

export function dependentsChange(
  plan: { dependentsChanges: Map<string, DependentsChange> },
  kind: ObjectKind,
  id: string,
): DependentsChange {
  const { pk } = dependentsKey(kind, id);
  const known = plan.dependentsChanges.get(pk);
  if (known !== undefined) return known;
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

function refusedDependency(change: DependentsChange, found: Item | undefined): Error {
  // No dependency is added, so the counter existed when the plan was made: the plan is out of date.
  if (change.required.length === 0 && found === undefined) return stale();
  const [first] = change.required;
  const attributeTo = first?.attributeTo ?? change.attributeTo ?? unattributed;
  if (found === undefined) return attributeTo(notFound(change.kind, change.id));
  if (found['removing'] === true) return attributeTo(beingRemoved(change));
  const type = String(found['type']);
  const wrong = change.required.find(({ types }) => types?.includes(type) === false);
  const error = wrong?.wrongType?.(type);
  return error === undefined || wrong === undefined ? stale() : wrong.attributeTo(error);
}

/**
 * The error with which an object with this dependency would be refused, given the dependents counter that was found;
 * undefined when it would not be refused.
 */
export function refusalOf(dependency: Dependency, found: Item | undefined): Error | undefined {
  const { kind, id, types } = dependency;
  const isFine = found !== undefined && found['removing'] !== true && types?.includes(String(found['type'])) !== false;
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
    found,
  );
}

/**
 * A condition that is never true together with PRESENT, for when no type is accepted. The refusal still distinguishes a
 * missing object from one of a wrong type.
 */
const NEVER = ABSENT;

const oneOf = (count: number) =>
  `#type IN (${Array.from({ length: count }, (_, index) => `:type${index}`).join(', ')})`;

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
    Put: { Item: { ...addedCounter, ...Object.fromEntries(deltas), at }, ConditionExpression: ABSENT },
    onConditionFailed: stale,
  };
}

/**
 * A dependents counter stores in `at` the time at which its object was added or last lost a dependant. Writes with an
 * earlier or the same time are refused. So a change always has a later time than the changes that made it possible,
 * even when the clocks of two functions differ: in the change feed no reference precedes the object that it refers to,
 * and no object is removed before its last dependant.
 */
const AFTER_THE_LAST = '(attribute_not_exists(#at) OR #at < :at)';

export function dependentsItem(change: DependentsChange, writeContext: WriteContext, at: number): TransactItem {
  if (change.added !== undefined) return addedDependentsCounter(change.added, change, at);
  const noteTime = (found: Item | undefined) => {
    if (typeof found?.['at'] === 'number') writeContext.minTimestamp = Math.max(writeContext.minTimestamp, found['at']);
  };
  const Key: Key = dependentsKey(change.kind, change.id);
  const names = { ...Object.fromEntries(counters.map((counter) => [`#${counter}`, counter])), '#at': 'at' };
  if (change.removed !== undefined) {
    const { onDependants } = change.removed;
    return {
      Delete: {
        Key,
        ConditionExpression: [...counters.map((counter) => `#${counter} = :${counter}`), AFTER_THE_LAST].join(' AND '),
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: {
          ...Object.fromEntries(counters.map((counter) => [`:${counter}`, -(change.deltas.get(counter) ?? 0)])),
          ':at': at,
        },
      },
      onConditionFailed: (found) => {
        noteTime(found);
        const left = new Map<string, number>(
          counters.map((counter) => [counter, Number(found?.[counter]) + (change.deltas.get(counter) ?? 0)]),
        );
        const isFree = [...left.values()].every((number) => number === 0);
        return found === undefined || isFree ? stale() : onDependants(Object.fromEntries(left));
      },
    };
  }
  const deltas = [...change.deltas].filter(([, delta]) => delta !== 0);
  const types = typesFor(change.required);
  const condition = [
    PRESENT,
    ...(change.mustNotBeRemoving ? ['attribute_not_exists(removing)'] : []),
    ...(types === undefined ? [] : [types.length === 0 ? NEVER : oneOf(types.length)]),
  ].join(' AND ');
  const typeNames = types === undefined || types.length === 0 ? {} : { '#type': 'type' };
  const typeValues = Object.fromEntries((types ?? []).map((type, index) => [`:type${index}`, type]));
  const refused = (found: Item | undefined) => {
    noteTime(found);
    return refusedDependency(change, found);
  };
  if (deltas.length === 0 && !change.losesDependant) {
    const values = Object.keys(typeValues).length === 0 ? {} : { ExpressionAttributeValues: typeValues };
    const attributeNames = Object.keys(typeNames).length === 0 ? {} : { ExpressionAttributeNames: typeNames };
    return {
      ConditionCheck: { Key, ConditionExpression: condition, ...attributeNames, ...values },
      onConditionFailed: refused,
    };
  }
  const sums = deltas.map(([counter]) => `#${counter} :${counter}`).join(', ');
  return {
    Update: {
      Key,
      UpdateExpression: [
        ...(sums === '' ? [] : [`ADD ${sums}`]),
        ...(change.losesDependant ? ['SET #at = :at'] : []),
      ].join(' '),
      ConditionExpression: `${condition} AND ${AFTER_THE_LAST}`,
      ExpressionAttributeNames: {
        ...typeNames,
        ...Object.fromEntries(deltas.map(([counter]) => [`#${counter}`, counter])),
        '#at': 'at',
      },
      ExpressionAttributeValues: {
        ...typeValues,
        ...Object.fromEntries(deltas.map(([counter, delta]) => [`:${counter}`, delta])),
        ':at': at,
      },
    },
    onConditionFailed: refused,
  };
}
