import { randomInt } from 'node:crypto';
import { StaleRead } from '../../shared/db/contention.ts';
import type { Item, Key, Table } from '../../shared/db/table.ts';
import type { Step } from '../../shared/db/transact.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { addressChecks } from './address-limits.ts';
import { changeStep, lastChangeOf, type ObjectChange } from './changes.ts';
import { feedTime, noteFeedTime } from './feed-time.ts';
import { heartbeatStep, type HeartbeatChanges, noteHeartbeat } from './heartbeat-change.ts';
import {
  CHANGE_LANES,
  changeIdOf,
  forcedRemovalKey,
  guardKey,
  nameOfKey,
  type ObjectKind,
  timeOfChange,
} from './keys.ts';
import type { Origin } from './origin.ts';
import { removalSteps } from './removals.ts';
import { checkScope, scopeChecks } from './scope.ts';
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
import { newTransactionName } from './transaction-name.ts';

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

/** The write of an object, and the change that it is. */
interface Write {
  change: ObjectChange;
  /** @param changeId of the change: the object will refer to it. */
  step: (changeId: string) => Step;
}

/** Writes that belong into one transaction. */
export interface Plan {
  claims: Step[];
  guards: Map<string, GuardChange>;
  heartbeats: HeartbeatChanges;
  writes: Write[];
  /** What closes objects to new dependants, which is no change that anybody sees. */
  closings: Step[];
  links: Step[];
  /** What the caller's scope asks of objects that the plan itself may not touch, by their keys. */
  checks: Map<string, Step>;
  origin: Origin;
  /** The removal that it is a part of; undefined for one of its own. */
  removalId: string | undefined;
  /** Links that come, by their keys: of one that comes twice the engine would not say whose fault that is. */
  come: Map<string, { taken: () => Error; isClaim: boolean; step: Step }>;
  /** Links that go, by their keys: one that comes again is a single write. */
  gone: Map<string, Step>;
  /** What is planned is one change of the whole, so that it may take first what it gives up later. */
  asOne: boolean;
}

/** @param origin whose plan it is: all that is planned has to lie inside of what the caller is confined to. */
export function newPlan(
  origin: Origin,
  { asOne = false, removalId }: { asOne?: boolean; removalId?: string } = {},
): Plan {
  return {
    claims: [],
    guards: new Map(),
    heartbeats: new Map(),
    writes: [],
    closings: [],
    links: [],
    checks: new Map(),
    origin,
    removalId,
    come: new Map(),
    gone: new Map(),
    asOne,
  };
}

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
  const { scope } = plan.origin;
  checkScope(scope, stored);
  for (const step of scopeChecks(scope, stored)) plan.checks.set(nameOfKey(itemKeyOf(step)), step);
}

function planAddress(plan: Plan, old: Stored | undefined, next: Stored): void {
  for (const step of addressChecks(plan.origin, old, next)) plan.checks.set(nameOfKey(itemKeyOf(step)), step);
}

const stale = () => new StaleRead();

const ABSENT = 'attribute_not_exists(pk)';
const PRESENT = 'attribute_exists(pk)';

function guardChange(plan: Plan, kind: ObjectKind, id: string): GuardChange {
  const { pk } = guardKey(kind, id);
  const known = plan.guards.get(pk);
  if (known !== undefined) return known;
  const change: GuardChange = { kind, id, deltas: new Map(), required: [], mustBeOpen: false, loses: false };
  plan.guards.set(pk, change);
  return change;
}

function count(change: GuardChange, counter: Counter, delta: number): void {
  change.deltas.set(counter, (change.deltas.get(counter) ?? 0) + delta);
}

const nobodys: Blame = (error) => error;

const madeTwice = () => new ApiError('alreadyExists', 'Two objects with the same key cannot be made at once.');

interface PutOptions {
  /** A claim that was looked for and was free: to find it taken now means to look again. */
  looked?: Key | undefined;
  blame?: Blame | undefined;
}

/** It is the other object's for as long as that is as it was read. */
const handedOver = (Item: Item): Step => ({ Put: { Item, ConditionExpression: PRESENT }, refused: stale });

function putLink(
  plan: Plan,
  { key, attributes, taken, dependency }: Link,
  { looked, named, blame = nobodys }: PutOptions & { named: ApiError | undefined },
): void {
  const name = nameOfKey(key);
  const refusal = () => blame(taken ?? named ?? madeTwice());
  if (plan.come.has(name)) throw refusal();
  const Item = { ...attributes, ...key };
  const before = plan.gone.get(name);
  const Put = { Item, ConditionExpression: ABSENT };
  const step: Step =
    before !== undefined
      ? handedOver(Item)
      : {
          Put,
          refused: () => (taken === undefined || key.pk === looked?.pk ? new StaleRead(refusal()) : blame(taken)),
        };
  plan.come.set(name, { taken: refusal, isClaim: taken !== undefined, step });
  if (before !== undefined) plan.links = plan.links.filter((other) => other !== before);
  if (before !== undefined || taken === undefined) plan.links.push(step);
  else plan.claims.push(step);
  if (dependency === undefined) return;
  const change = guardChange(plan, dependency.kind, dependency.id);
  if (change.removed !== undefined) throw blame(notFound(dependency.kind, dependency.id));
  change.required.push({ ...dependency, blame });
  change.mustBeOpen = true;
  count(change, dependency.counter, 1);
}

/** Two objects that would stand at one place in a list have a name in common: that is what is wrong then. */
function putLinks(plan: Plan, stored: Stored, links: readonly Link[], options: PutOptions): void {
  const named = linksOf(stored).find(({ taken }) => taken !== undefined)?.taken;
  for (const link of links) putLink(plan, link, { ...options, named });
}

function deleteLink(plan: Plan, { key, dependency }: Link): void {
  const name = nameOfKey(key);
  const other = plan.come.get(name);
  const step: Step = { Delete: { Key: key, ConditionExpression: PRESENT }, refused: stale };
  if (other === undefined) {
    plan.gone.set(name, step);
    plan.links.push(step);
  } else {
    // Whoever is to have it afterwards came before it was free. What is no claim is nobody's to take: the two have a name in
    // common, and the claim on that decides.
    if (!plan.asOne && other.isClaim) throw other.taken();
    plan.claims = plan.claims.filter((claim) => claim !== other.step);
    plan.links = plan.links.filter((link) => link !== other.step);
    plan.links.push(handedOver(itemKeyOf(other.step)));
  }
  if (dependency === undefined) return;
  const change = guardChange(plan, dependency.kind, dependency.id);
  if (change.removed !== undefined) throw change.removed.onDependants({ [dependency.counter]: 1 });
  change.loses = true;
  count(change, dependency.counter, -1);
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
  planAddress(plan, undefined, stored);
  noteHeartbeat(plan.heartbeats, undefined, stored);
  plan.writes.push({
    change: { after: stored },
    step: (changeId) => ({ Put: { Item: markedItem(stored, changeId), ConditionExpression: ABSENT }, refused: stale }),
  });
  const guard = newGuardOf(stored);
  if (guard !== undefined) guardChange(plan, stored.kind, idOf(stored)).added = guard;
  putLinks(plan, stored, linksOf(stored), options);
}

const markedItem = (stored: Stored, changeId: string): Item => ({ ...itemOf(stored), last_change: changeId });

const atRevision = (revision: number) => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

/**
 * Takes away the object as it was read, with all that exists because of it.
 *
 * @param onDependants what it means that something depends on it which the plan did not take away before.
 */
export function planRemoval(plan: Plan, stored: Stored, onDependants: (left: Item) => Error): void {
  planScope(plan, stored);
  noteHeartbeat(plan.heartbeats, stored, undefined);
  plan.writes.push({
    change: { before: stored },
    step: () => ({ Delete: { Key: keyOf(stored), ...atRevision(stored.object.revision) }, refused: stale }),
  });
  if (guardTypeOf(stored) !== undefined) {
    const change = guardChange(plan, stored.kind, idOf(stored));
    const [dependant] = change.required;
    if (dependant !== undefined) throw onDependants({ [dependant.counter]: 1 });
    change.removed = { onDependants };
  }
  for (const link of linksOf(stored)) deleteLink(plan, link);
  if (stored.object.removing === true)
    plan.links.push({ Delete: { Key: forcedRemovalKey(stored.kind, idOf(stored)) } });
}

export interface LinkChanges {
  gone: Link[];
  come: Link[];
}

export function linkChanges(old: Stored, next: Stored): LinkChanges {
  const name = ({ key }: Link) => nameOfKey(key);
  const before = linksOf(old);
  const after = linksOf(next);
  const beforeNames = new Set(before.map(name));
  const afterNames = new Set(after.map(name));
  return {
    gone: before.filter((link) => !afterNames.has(name(link))),
    come: after.filter((link) => !beforeNames.has(name(link))),
  };
}

/** A change of an object does not end its removal, and does not overwrite that a removal of it has begun. */
function replacement({ object: { removing, revision } }: Stored, item: Item) {
  const { ConditionExpression, ...values } = atRevision(revision);
  if (removing === true) return { Item: { ...item, removing }, ConditionExpression, ...values };
  return { Item: item, ConditionExpression: `${ConditionExpression} AND attribute_not_exists(removing)`, ...values };
}

/** Replaces the object as it was read by the next one, and moves the links that differ. */
export function planChange(plan: Plan, old: Stored, next: Stored, options: PutOptions = {}): void {
  planScope(plan, old);
  planScope(plan, next);
  planAddress(plan, old, next);
  noteHeartbeat(plan.heartbeats, old, next);
  plan.writes.push({
    change: { before: old, after: next },
    step: (changeId) => ({ Put: replacement(old, markedItem(next, changeId)), refused: stale }),
  });
  const { gone, come } = linkChanges(old, next);
  for (const link of gone) deleteLink(plan, link);
  putLinks(plan, next, come, options);
}

/** The object stays as it was read. */
export function planSame(plan: Plan, stored: Stored): void {
  const Key = keyOf(stored);
  plan.checks.set(nameOfKey(Key), { ConditionCheck: { Key, ...atRevision(stored.object.revision) }, refused: stale });
}

/**
 * The object must not be being removed. What is keeps its relations until it goes: with new ones its removal would never
 * end, and without the old ones a removal in steps would lose sight of it and leave it closed for ever.
 */
export function planOpen(plan: Plan, stored: Stored, { blame = nobodys }: PutOptions = {}): void {
  if (guardTypeOf(stored) === undefined) return;
  const change = guardChange(plan, stored.kind, idOf(stored));
  change.mustBeOpen = true;
  change.blame ??= blame;
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

function guardStep(change: GuardChange, origin: Origin, at: number): Step {
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

/** Later than every change that the plan builds on, as far as they are known, and not before the time of the feed. */
function timeOf({ writes, origin }: Plan, feed: number): number {
  const known = writes.flatMap(({ change }) => {
    const last = lastChangeOf(change);
    return last === undefined ? [] : [timeOfChange(last)];
  });
  return Math.max(feed, origin.latest + 1, ...known.map((time) => time + 1));
}

/**
 * The plan as a transaction, with the records of its changes. What is refused first in this order is what the caller hears:
 * claims, then references. Made anew for each attempt: its changes are of the time of the attempt.
 */
export async function stepsOf(table: Table, plan: Plan): Promise<Step[]> {
  const at = timeOf(plan, await feedTime(table, plan.origin.clock()));
  noteFeedTime(table, at);
  return stepsAt(plan, at);
}

/** How many steps the plan comes to. */
export const numberOfSteps = (plan: Plan) => stepsAt(plan, 0).length;

/** The same for a known time. */
export function stepsAt(plan: Plan, at: number): Step[] {
  const transaction = newTransactionName();
  const lane = randomInt(CHANGE_LANES);
  const writes = plan.writes.map(({ change, step }, index) => {
    const changeId = changeIdOf(lane, at, transaction, index);
    return { changeId, change, record: changeStep(changeId, change, plan.origin), object: step(changeId) };
  });
  const removal = removalSteps(writes, plan, at);
  const objects = [...writes.map(({ object }) => object), ...plan.closings];
  // A transaction may touch an item only once. What the plan writes was inside the scope when it was read, and is written
  // only as it was read.
  const written = new Set(objects.map((step) => nameOfKey(itemKeyOf(step))));
  const checks = [...plan.checks].filter(([name]) => !written.has(name)).map(([, step]) => step);
  const guards = [...plan.guards.values()].map((change) => guardStep(change, plan.origin, at));
  const heartbeats = [...plan.heartbeats.values()].map((change) => heartbeatStep(change, plan.origin.clock()));
  return [
    ...plan.claims,
    ...guards,
    ...checks,
    ...objects,
    ...plan.links,
    ...heartbeats,
    ...writes.map(({ record }) => record),
    ...removal,
  ];
}

/**
 * Closes an object, as it was read, to new dependants. The object shows it, and the guard enforces it. A service that has moved to
 * other nodes meanwhile stays, and open.
 */
export function planClosing(plan: Plan, stored: Stored): void {
  const values = { ':yes': true };
  plan.closings.push(
    {
      Update: {
        Key: guardKey(stored.kind, idOf(stored)),
        UpdateExpression: 'SET removing = :yes',
        ConditionExpression: PRESENT,
        ExpressionAttributeValues: values,
      },
      refused: stale,
    },
    {
      Update: {
        Key: keyOf(stored),
        UpdateExpression: 'SET removing = :yes',
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ...values, ':revision': stored.object.revision },
      },
      refused: stale,
    },
  );
}

/** A transaction carries 4 MB at most; this leaves room for keys and for what JSON does not count. */
export const MAX_TRANSACTION_BYTES = 2_500_000;

export const bytesOf = ({ object }: Stored) => Buffer.byteLength(JSON.stringify(object));

/** What the objects that the plan writes take, as they were and as they are to be. */
export function bytesIn({ writes }: Plan): number {
  const objects = writes.flatMap(({ change: { before, after } }) => [before ?? [], after ?? []].flat());
  return objects.reduce((sum, stored) => sum + bytesOf(stored), 0);
}
