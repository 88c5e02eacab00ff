import { StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import type { Step } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { guardKey, type ObjectKind } from '../table/keys.ts';
import type { Origin } from '../entities/change-origin.ts';
import { guardTypeOf, idOf, notFound, nouns, type Stored } from '../entities/entity.ts';
import { type Counter, counters, type Dependency } from '../entities/links.ts';

/** What one transaction does to a guard: a transaction may touch an item only once, so it is all gathered here. */
export interface GuardChange {
  kind: ObjectKind;
  id: string;
  deltas: Map<Counter, number>;
  /** Dependencies that are added: the object must be there, open, and of the right type. */
  required: Required[];
  /** The guard comes with its object: it begins with what is added along with it. */
  added?: Item & Key;
  mustBeOpen: boolean;
  /** It loses a dependant, even if it gets another one for it. */
  loses: boolean;
  /** The guard goes; only these dependants, gone in the same transaction, may be left. */
  removed?: {
    /** @param left what else depends on it, as a guard counts it. */
    onDependants: (left: Item) => Error;
  };
  /** Of whoever has it stay open. */
  blame?: Blame;
}

/** Says of an error whose fault it is, when a transaction does the work of several. */
export type Blame = (error: ApiError) => ApiError;

interface Required extends Dependency {
  blame: Blame;
}

export const stale = () => new StaleRead();

export const ABSENT = 'attribute_not_exists(pk)';

export const PRESENT = 'attribute_exists(pk)';

export function guardChange(plan: { guards: Map<string, GuardChange> }, kind: ObjectKind, id: string): GuardChange {
  const { pk } = guardKey(kind, id);
  const known = plan.guards.get(pk);
  if (known !== undefined) return known;
  const change: GuardChange = { kind, id, deltas: new Map(), required: [], mustBeOpen: false, loses: false };
  plan.guards.set(pk, change);
  return change;
}

export function count(change: GuardChange, counter: Counter, delta: number): void {
  change.deltas.set(counter, (change.deltas.get(counter) ?? 0) + delta);
}

export const nobodys: Blame = (error) => error;

/** The guard of an object that nothing depends on yet. */
export function newGuardOf(stored: Stored): (Item & Key) | undefined {
  const type = guardTypeOf(stored);
  if (type === undefined) return undefined;
  const zeros = Object.fromEntries(counters.map((counter) => [counter, 0]));
  return { ...guardKey(stored.kind, idOf(stored)), type, ...zeros };
}

function beingRemoved({ kind, id }: GuardChange): ApiError {
  return new ApiError('failedPrecondition', `${nouns[kind]} with ID "${id}" is being removed.`);
}

function refusedDependency(change: GuardChange, found: Item | undefined): Error {
  // Nothing depends on it anew: it was there when this was planned, so the plan is out of date.
  if (change.required.length === 0 && found === undefined) return stale();
  const [first] = change.required;
  const blame = first?.blame ?? change.blame ?? nobodys;
  if (found === undefined) return blame(notFound(change.kind, change.id));
  if (found['removing'] === true) return blame(beingRemoved(change));
  const type = String(found['type']);
  const wrong = change.required.find(({ types }) => types?.includes(type) === false);
  const error = wrong?.wrongType?.(type);
  return error === undefined || wrong === undefined ? stale() : wrong.blame(error);
}

/**
 * Why an object with this dependency would be refused, given the guard that was found; undefined when it would not.
 */
export function refusalOf(dependency: Dependency, found: Item | undefined): Error | undefined {
  const { kind, id, types } = dependency;
  const isFine = found !== undefined && found['removing'] !== true && types?.includes(String(found['type'])) !== false;
  if (isFine) return undefined;
  return refusedDependency(
    { kind, id, deltas: new Map(), required: [{ ...dependency, blame: nobodys }], mustBeOpen: true, loses: false },
    found,
  );
}

/** Of a guard whose type is never right: the refusal still tells a missing object from one of the wrong type. */
const NEVER = ABSENT;

const oneOf = (count: number) =>
  `#type IN (${Array.from({ length: count }, (_, index) => `:type${index}`).join(', ')})`;

/** The types that suit all of these dependencies; undefined when any does. */
function typesFor(required: readonly Dependency[]): string[] | undefined {
  const lists = required.flatMap(({ types }) => (types === undefined ? [] : [types]));
  return lists[0]?.filter((type) => lists.every((types) => types.includes(type)));
}

/** @throws ApiError when what is added along with it may not refer to it. */
function addedGuard(guard: Item & Key, { deltas, required }: GuardChange, at: number): Step {
  for (const dependency of required) {
    const error = refusalOf(dependency, guard);
    if (error instanceof ApiError) throw dependency.blame(error);
  }
  return {
    Put: { Item: { ...guard, ...Object.fromEntries(deltas), at }, ConditionExpression: ABSENT },
    refused: stale,
  };
}

/**
 * A guard knows the time at which its object was added or last lost a dependant, and takes no change of the same time or
 * before. So no change has a time before that of one without which it could not have been made, whatever the clocks of two
 * functions say: nothing refers to an object before that is there, and no object goes before what kept it has gone.
 */
const AFTER_THE_LAST = '(attribute_not_exists(#at) OR #at < :at)';

export function guardStep(change: GuardChange, origin: Origin, at: number): Step {
  if (change.added !== undefined) return addedGuard(change.added, change, at);
  const noteTime = (found: Item | undefined) => {
    if (typeof found?.['at'] === 'number') origin.latest = Math.max(origin.latest, found['at']);
  };
  const Key: Key = guardKey(change.kind, change.id);
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
      refused: (found) => {
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
    ...(change.mustBeOpen ? ['attribute_not_exists(removing)'] : []),
    ...(types === undefined ? [] : [types.length === 0 ? NEVER : oneOf(types.length)]),
  ].join(' AND ');
  const typeNames = types === undefined || types.length === 0 ? {} : { '#type': 'type' };
  const typeValues = Object.fromEntries((types ?? []).map((type, index) => [`:type${index}`, type]));
  const refused = (found: Item | undefined) => {
    noteTime(found);
    return refusedDependency(change, found);
  };
  if (deltas.length === 0 && !change.loses) {
    const values = Object.keys(typeValues).length === 0 ? {} : { ExpressionAttributeValues: typeValues };
    const attributeNames = Object.keys(typeNames).length === 0 ? {} : { ExpressionAttributeNames: typeNames };
    return { ConditionCheck: { Key, ConditionExpression: condition, ...attributeNames, ...values }, refused };
  }
  const sums = deltas.map(([counter]) => `#${counter} :${counter}`).join(', ');
  return {
    Update: {
      Key,
      UpdateExpression: [...(sums === '' ? [] : [`ADD ${sums}`]), ...(change.loses ? ['SET #at = :at'] : [])].join(' '),
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
    refused,
  };
}
