import { StaleRead } from '../../shared/db/contention.ts';
import type { Item, Key } from '../../shared/db/table.ts';
import type { Step } from '../../shared/db/transact.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { guardKey, type ObjectKind } from './keys.ts';
import { checkScope, type Scope, scopeChecks } from './scope.ts';
import {
  type Counter,
  counters,
  type Dependency,
  guardTypeOf,
  idOf,
  itemOf,
  keyOf,
  type Link,
  linksOf,
  nouns,
  notFound,
  type Stored,
} from './stored.ts';

/** What one transaction does to a guard: a transaction may touch an item only once, so it is all gathered here. */
interface GuardChange {
  kind: ObjectKind;
  id: string;
  deltas: Map<Counter, number>;
  /** Dependencies that are added: the object must be there, open, and of the right type. */
  required: Required[];
  /** The guard comes with its object: it begins with what is added along with it. */
  added?: Item & Key;
  mustBeOpen: boolean;
  /** The guard goes; only these dependants, gone in the same transaction, may be left. */
  removed?: { onDependants: (found: Item) => Error };
}

/** Says of an error whose fault it is, when a transaction does the work of several. */
export type Blame = (error: ApiError) => ApiError;

interface Required extends Dependency {
  blame: Blame;
}

/** Writes that belong into one transaction. */
export interface Plan {
  claims: Step[];
  guards: Map<string, GuardChange>;
  objects: Step[];
  links: Step[];
  /** What the caller's scope asks of objects that the plan itself may not touch, by their keys. */
  checks: Map<string, Step>;
  scope: Scope;
  /** Partitions of the claims, by which one claimed twice is found: the engine would not say whose fault that is. */
  claimed: Set<string>;
}

/** @param scope what the caller is confined to: all that is planned has to lie inside of it. */
export function newPlan(scope: Scope): Plan {
  return { claims: [], guards: new Map(), objects: [], links: [], checks: new Map(), scope, claimed: new Set() };
}

const nameOf = ({ pk, sk }: Item) => JSON.stringify([pk, sk]);

/** The item that a step is about. */
function itemKeyOf(step: Step): Item {
  if ('Put' in step) return step.Put.Item ?? {};
  if ('Update' in step) return step.Update.Key ?? {};
  if ('Delete' in step) return step.Delete.Key ?? {};
  return step.ConditionCheck.Key ?? {};
}

/**
 * The object, as it was read or as it is to be, has to lie inside of the plan's scope.
 *
 * @throws ApiError `permissionDenied`.
 */
function planScope(plan: Plan, stored: Stored): void {
  checkScope(plan.scope, stored);
  for (const step of scopeChecks(plan.scope, stored)) plan.checks.set(nameOf(itemKeyOf(step)), step);
}

const stale = () => new StaleRead();

const ABSENT = 'attribute_not_exists(pk)';
const PRESENT = 'attribute_exists(pk)';

function guardChange(plan: Plan, kind: ObjectKind, id: string): GuardChange {
  const { pk } = guardKey(kind, id);
  const known = plan.guards.get(pk);
  if (known !== undefined) return known;
  const change: GuardChange = { kind, id, deltas: new Map(), required: [], mustBeOpen: false };
  plan.guards.set(pk, change);
  return change;
}

function count(change: GuardChange, counter: Counter, delta: number): void {
  change.deltas.set(counter, (change.deltas.get(counter) ?? 0) + delta);
}

const nobodys: Blame = (error) => error;

interface PutOptions {
  /** A claim that was looked for and was free: to find it taken now means to look again. */
  looked?: Key | undefined;
  blame?: Blame | undefined;
}

function putLink(
  plan: Plan,
  { key, attributes, taken, dependency }: Link,
  { looked, blame = nobodys }: PutOptions = {},
): void {
  const Put = { Item: { ...attributes, ...key }, ConditionExpression: ABSENT };
  if (taken === undefined) plan.links.push({ Put, refused: stale });
  else {
    if (plan.claimed.has(key.pk)) throw blame(taken);
    plan.claimed.add(key.pk);
    plan.claims.push({ Put, refused: () => (key.pk === looked?.pk ? stale() : blame(taken)) });
  }
  if (dependency === undefined) return;
  const change = guardChange(plan, dependency.kind, dependency.id);
  change.required.push({ ...dependency, blame });
  change.mustBeOpen = true;
  count(change, dependency.counter, 1);
}

function deleteLink(plan: Plan, { key, dependency }: Link): void {
  plan.links.push({ Delete: { Key: key, ConditionExpression: PRESENT }, refused: stale });
  if (dependency !== undefined) count(guardChange(plan, dependency.kind, dependency.id), dependency.counter, -1);
}

/** The guard of an object that nothing depends on yet. */
export function newGuardOf(stored: Stored): (Item & Key) | undefined {
  const type = guardTypeOf(stored);
  if (type === undefined) return undefined;
  const zeros = Object.fromEntries(counters.map((counter) => [counter, 0]));
  return { ...guardKey(stored.kind, idOf(stored)), type, ...zeros };
}

/**
 * The object, its claims, links and guard. Several adds of one plan may refer to each other.
 *
 * @throws ApiError when it claims what another add of the plan claims.
 */
export function planAdd(plan: Plan, stored: Stored, options: PutOptions = {}): void {
  planScope(plan, stored);
  plan.objects.push({ Put: { Item: itemOf(stored), ConditionExpression: ABSENT }, refused: stale });
  const guard = newGuardOf(stored);
  if (guard !== undefined) guardChange(plan, stored.kind, idOf(stored)).added = guard;
  for (const link of linksOf(stored)) putLink(plan, link, options);
}

const atRevision = (revision: number) => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

/** Takes away the object as it was read, with all that exists because of it. */
export function planRemoval(plan: Plan, stored: Stored, onDependants: (found: Item) => Error): void {
  planScope(plan, stored);
  plan.objects.push({ Delete: { Key: keyOf(stored), ...atRevision(stored.object.revision) }, refused: stale });
  if (guardTypeOf(stored) !== undefined) guardChange(plan, stored.kind, idOf(stored)).removed = { onDependants };
  for (const link of linksOf(stored)) deleteLink(plan, link);
}

export interface LinkChanges {
  gone: Link[];
  come: Link[];
}

export function linkChanges(old: Stored, next: Stored): LinkChanges {
  const name = ({ key }: Link) => JSON.stringify([key.pk, key.sk]);
  const before = linksOf(old);
  const after = linksOf(next);
  const beforeNames = new Set(before.map(name));
  const afterNames = new Set(after.map(name));
  return {
    gone: before.filter((link) => !afterNames.has(name(link))),
    come: after.filter((link) => !beforeNames.has(name(link))),
  };
}

/** Replaces the object as it was read by the next one, and moves the links that differ. */
export function planChange(plan: Plan, old: Stored, next: Stored): void {
  planScope(plan, old);
  planScope(plan, next);
  plan.objects.push({ Put: { Item: itemOf(next), ...atRevision(old.object.revision) }, refused: stale });
  const { gone, come } = linkChanges(old, next);
  for (const link of gone) deleteLink(plan, link);
  for (const link of come) putLink(plan, link);
}

/**
 * The object must not be being removed. What is keeps its relations until it goes: with new ones its removal would never
 * end, and without the old ones a removal in steps would lose sight of it and leave it closed for ever.
 */
export function planOpen(plan: Plan, stored: Stored): void {
  if (guardTypeOf(stored) !== undefined) guardChange(plan, stored.kind, idOf(stored)).mustBeOpen = true;
}

function beingRemoved({ kind, id }: GuardChange): ApiError {
  return new ApiError('failedPrecondition', `${nouns[kind]} with ID "${id}" is being removed.`);
}

function refusedDependency(change: GuardChange, found: Item | undefined): Error {
  // Nothing depends on it anew: it was there when this was planned, so the plan is out of date.
  if (change.required.length === 0 && found === undefined) return stale();
  const [first] = change.required;
  const blame = first?.blame ?? nobodys;
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
    { kind, id, deltas: new Map(), required: [{ ...dependency, blame: nobodys }], mustBeOpen: true },
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
function addedGuard(guard: Item & Key, { deltas, required }: GuardChange): Step {
  for (const dependency of required) {
    const error = refusalOf(dependency, guard);
    if (error instanceof ApiError) throw dependency.blame(error);
  }
  return { Put: { Item: { ...guard, ...Object.fromEntries(deltas) }, ConditionExpression: ABSENT }, refused: stale };
}

function guardStep(change: GuardChange): Step {
  if (change.added !== undefined) return addedGuard(change.added, change);
  const Key: Key = guardKey(change.kind, change.id);
  const names = Object.fromEntries(counters.map((counter) => [`#${counter}`, counter]));
  if (change.removed !== undefined) {
    const { onDependants } = change.removed;
    return {
      Delete: {
        Key,
        ConditionExpression: counters.map((counter) => `#${counter} = :${counter}`).join(' AND '),
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: Object.fromEntries(
          counters.map((counter) => [`:${counter}`, -(change.deltas.get(counter) ?? 0)]),
        ),
      },
      refused: (found) => (found === undefined ? stale() : onDependants(found)),
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
  const refused = (found: Item | undefined) => refusedDependency(change, found);
  if (deltas.length === 0) {
    const values = Object.keys(typeValues).length === 0 ? {} : { ExpressionAttributeValues: typeValues };
    const attributeNames = Object.keys(typeNames).length === 0 ? {} : { ExpressionAttributeNames: typeNames };
    return { ConditionCheck: { Key, ConditionExpression: condition, ...attributeNames, ...values }, refused };
  }
  return {
    Update: {
      Key,
      UpdateExpression: `ADD ${deltas.map(([counter]) => `#${counter} :${counter}`).join(', ')}`,
      ConditionExpression: condition,
      ExpressionAttributeNames: {
        ...typeNames,
        ...Object.fromEntries(deltas.map(([counter]) => [`#${counter}`, counter])),
      },
      ExpressionAttributeValues: {
        ...typeValues,
        ...Object.fromEntries(deltas.map(([counter, delta]) => [`:${counter}`, delta])),
      },
    },
    refused,
  };
}

/** The plan as a transaction. What is refused first in this order is what the caller hears: claims, then references. */
export function stepsOf(plan: Plan): Step[] {
  // A transaction may touch an item only once. What the plan writes was inside the scope when it was read, and is written
  // only as it was read.
  const written = new Set(plan.objects.map((step) => nameOf(itemKeyOf(step))));
  const checks = [...plan.checks].filter(([name]) => !written.has(name)).map(([, step]) => step);
  return [...plan.claims, ...[...plan.guards.values()].map(guardStep), ...checks, ...plan.objects, ...plan.links];
}

/** Closes an object to new dependants; the first step of a removal too large for one transaction. */
function closingStep(stored: Stored): Step {
  return {
    Update: {
      Key: guardKey(stored.kind, idOf(stored)),
      UpdateExpression: 'SET removing = :yes',
      ConditionExpression: PRESENT,
      ExpressionAttributeValues: { ':yes': true },
    },
    refused: stale,
  };
}

/** Closes the object that is to be removed. */
export function planClosing(plan: Plan, stored: Stored): void {
  plan.objects.push(closingStep(stored));
}

/** Closes what goes along with it, as it was read: a service that has moved to other nodes meanwhile stays, and open. */
export function planClosingAlong(plan: Plan, stored: Stored): void {
  planClosing(plan, stored);
  plan.objects.push({
    ConditionCheck: { Key: keyOf(stored), ...atRevision(stored.object.revision) },
    refused: stale,
  });
}
