import { randomInt } from 'node:crypto';
import { StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import type { Step } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { addressChecks } from '../entities/address-limits.ts';
import { changeStep, lastChangeOf, type ObjectChange } from '../history/change-record.ts';
import { feedTime, noteFeedTime } from '../history/feed-time.ts';
import { type HeartbeatChanges, heartbeatStep, noteHeartbeat } from '../heartbeats/heartbeat-update.ts';
import { CHANGE_LANES, changeIdOf, forcedRemovalKey, guardKey, nameOfKey, timeOfChange } from '../table/keys.ts';
import type { Origin } from '../entities/change-origin.ts';
import { removalSteps } from '../history/removal-record.ts';
import { checkScope, scopeChecks } from '../entities/key-scope.ts';
import { guardTypeOf, idOf, itemOf, keyOf, notFound, type Stored } from '../entities/entity.ts';
import { type Link, linkChanges, linksOf } from '../entities/links.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import {
  ABSENT,
  type Blame,
  count,
  type GuardChange,
  guardChange,
  guardStep,
  newGuardOf,
  nobodys,
  PRESENT,
  stale,
} from './dependency-counters.ts';

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
