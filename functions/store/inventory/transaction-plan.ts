import { randomInt } from 'node:crypto';
import { StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { addressChecks } from '../entities/address-limits.ts';
import { changeStep, lastChangeOf, type ObjectChange } from '../history/change-record.ts';
import { feedTime, noteFeedTime } from '../history/feed-time.ts';
import { type HeartbeatChanges, heartbeatStep, noteHeartbeat } from '../heartbeats/heartbeat-update.ts';
import { CHANGE_SHARDS, changeIdOf, forcedRemovalKey, dependentsKey, nameOfKey, timeOfChange } from '../table/keys.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { removalSteps } from '../history/removal-record.ts';
import { checkScope, scopeChecks } from '../entities/key-scope.ts';
import { dependentsTypeOf, idOf, itemOf, keyOf, notFound, type Entity } from '../entities/entity.ts';
import { type DerivedItem, derivedItemChanges, derivedItemsOf } from '../entities/links.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import {
  ABSENT,
  type AttributeTo,
  count,
  type DependentsChange,
  dependentsChange,
  dependentsItem,
  newDependentsCounter,
  unattributed,
  PRESENT,
  stale,
} from './dependents-counter.ts';

/** The write of an object, and the change that it is. */
interface Write {
  change: ObjectChange;
  /** @param changeId of the change: the object will refer to it. */
  step: (changeId: string) => TransactItem;
}

/** Writes that belong into one transaction. */
export interface TransactionPlan {
  claims: TransactItem[];
  dependentsChanges: Map<string, DependentsChange>;
  heartbeats: HeartbeatChanges;
  writes: Write[];
  /** What closes objects to new dependants, which is no change that anybody sees. */
  removalMarks: TransactItem[];
  derivedItems: TransactItem[];
  /** What the caller's scope asks of objects that the plan itself may not touch, by their keys. */
  checks: Map<string, TransactItem>;
  writeContext: WriteContext;
  /** The removal that it is a part of; undefined for one of its own. */
  removalId: string | undefined;
  /** Links that come, by their keys: of one that comes twice the engine would not say whose fault that is. */
  puts: Map<string, { taken: () => Error; isClaim: boolean; step: TransactItem }>;
  /** Links that go, by their keys: one that comes again is a single write. */
  deletes: Map<string, TransactItem>;
  /** What is planned is one change of the whole, so that it may take first what it gives up later. */
  isAtomic: boolean;
}

/** @param writeContext whose plan it is: all that is planned has to lie inside of what the caller is confined to. */
export function newPlan(
  writeContext: WriteContext,
  { asOne = false, removalId }: { asOne?: boolean; removalId?: string } = {},
): TransactionPlan {
  return {
    claims: [],
    dependentsChanges: new Map(),
    heartbeats: new Map(),
    writes: [],
    removalMarks: [],
    derivedItems: [],
    checks: new Map(),
    writeContext,
    removalId,
    puts: new Map(),
    deletes: new Map(),
    isAtomic: asOne,
  };
}

/** The item that a step is about. */
function itemKeyOf(step: TransactItem): Item {
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
function planScope(plan: TransactionPlan, entity: Entity): void {
  const { scope } = plan.writeContext;
  checkScope(scope, entity);
  for (const step of scopeChecks(scope, entity)) plan.checks.set(nameOfKey(itemKeyOf(step)), step);
}

function planAddress(plan: TransactionPlan, old: Entity | undefined, next: Entity): void {
  for (const step of addressChecks(plan.writeContext, old, next)) plan.checks.set(nameOfKey(itemKeyOf(step)), step);
}

const madeTwice = () => new ApiError('alreadyExists', 'Two objects in this request have the same unique key.');

interface PutOptions {
  /** A claim that was looked for and was free: to find it taken now means to look again. */
  claimReadAsFree?: Key | undefined;
  attributeTo?: AttributeTo | undefined;
}

/** It is the other object's for as long as that is as it was read. */
const handedOver = (Item: Item): TransactItem => ({
  Put: { Item, ConditionExpression: PRESENT },
  onConditionFailed: stale,
});

function putDerivedItem(
  plan: TransactionPlan,
  { key, attributes, taken, dependency }: DerivedItem,
  {
    claimReadAsFree: looked,
    named,
    attributeTo: attributeTo = unattributed,
  }: PutOptions & { named: ApiError | undefined },
): void {
  const name = nameOfKey(key);
  const refusal = () => attributeTo(taken ?? named ?? madeTwice());
  if (plan.puts.has(name)) throw refusal();
  const Item = { ...attributes, ...key };
  const before = plan.deletes.get(name);
  const Put = { Item, ConditionExpression: ABSENT };
  const step: TransactItem =
    before !== undefined
      ? handedOver(Item)
      : {
          Put,
          onConditionFailed: () =>
            taken === undefined || key.pk === looked?.pk ? new StaleRead(refusal()) : attributeTo(taken),
        };
  plan.puts.set(name, { taken: refusal, isClaim: taken !== undefined, step });
  if (before !== undefined) plan.derivedItems = plan.derivedItems.filter((other) => other !== before);
  if (before !== undefined || taken === undefined) plan.derivedItems.push(step);
  else plan.claims.push(step);
  if (dependency === undefined) return;
  const change = dependentsChange(plan, dependency.kind, dependency.id);
  if (change.removed !== undefined) throw attributeTo(notFound(dependency.kind, dependency.id));
  change.required.push({ ...dependency, attributeTo });
  change.mustNotBeRemoving = true;
  count(change, dependency.counter, 1);
}

/** Two objects that would stand at one place in a list have a name in common: that is what is wrong then. */
function putDerivedItems(
  plan: TransactionPlan,
  entity: Entity,
  links: readonly DerivedItem[],
  options: PutOptions,
): void {
  const named = derivedItemsOf(entity).find(({ taken }) => taken !== undefined)?.taken;
  for (const link of links) putDerivedItem(plan, link, { ...options, named });
}

function deleteDerivedItem(plan: TransactionPlan, { key, dependency }: DerivedItem): void {
  const name = nameOfKey(key);
  const other = plan.puts.get(name);
  const step: TransactItem = { Delete: { Key: key, ConditionExpression: PRESENT }, onConditionFailed: stale };
  if (other === undefined) {
    plan.deletes.set(name, step);
    plan.derivedItems.push(step);
  } else {
    // Whoever is to have it afterwards came before it was free. What is no claim is nobody's to take: the two have a name in
    // common, and the claim on that decides.
    if (!plan.isAtomic && other.isClaim) throw other.taken();
    plan.claims = plan.claims.filter((claim) => claim !== other.step);
    plan.derivedItems = plan.derivedItems.filter((link) => link !== other.step);
    plan.derivedItems.push(handedOver(itemKeyOf(other.step)));
  }
  if (dependency === undefined) return;
  const change = dependentsChange(plan, dependency.kind, dependency.id);
  if (change.removed !== undefined) throw change.removed.onDependants({ [dependency.counter]: 1 });
  change.losesDependant = true;
  count(change, dependency.counter, -1);
}

/**
 * The object, its claims, links and guard. Several adds of one plan may refer to each other.
 *
 * @throws ApiError when it claims what another add of the plan claims.
 */
export function planAdd(plan: TransactionPlan, entity: Entity, options: PutOptions = {}): void {
  planScope(plan, entity);
  planAddress(plan, undefined, entity);
  noteHeartbeat(plan.heartbeats, undefined, entity);
  plan.writes.push({
    change: { after: entity },
    step: (changeId) => ({
      Put: { Item: itemWithLastChange(entity, changeId), ConditionExpression: ABSENT },
      onConditionFailed: stale,
    }),
  });
  const guard = newDependentsCounter(entity);
  if (guard !== undefined) dependentsChange(plan, entity.kind, idOf(entity)).added = guard;
  putDerivedItems(plan, entity, derivedItemsOf(entity), options);
}

const itemWithLastChange = (entity: Entity, changeId: string): Item => ({ ...itemOf(entity), last_change: changeId });

const atRevision = (revision: number) => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

/**
 * Takes away the object as it was read, with all that exists because of it.
 *
 * @param onDependants what it means that something depends on it which the plan did not take away before.
 */
export function planRemoval(plan: TransactionPlan, entity: Entity, onDependants: (left: Item) => Error): void {
  planScope(plan, entity);
  noteHeartbeat(plan.heartbeats, entity, undefined);
  plan.writes.push({
    change: { before: entity },
    step: () => ({ Delete: { Key: keyOf(entity), ...atRevision(entity.object.revision) }, onConditionFailed: stale }),
  });
  if (dependentsTypeOf(entity) !== undefined) {
    const change = dependentsChange(plan, entity.kind, idOf(entity));
    const [dependant] = change.required;
    if (dependant !== undefined) throw onDependants({ [dependant.counter]: 1 });
    change.removed = { onDependants };
  }
  for (const link of derivedItemsOf(entity)) deleteDerivedItem(plan, link);
  if (entity.object.removing === true)
    plan.derivedItems.push({ Delete: { Key: forcedRemovalKey(entity.kind, idOf(entity)) } });
}

/** A change of an object does not end its removal, and does not overwrite that a removal of it has begun. */
function replacement({ object: { removing, revision } }: Entity, item: Item) {
  const { ConditionExpression, ...values } = atRevision(revision);
  if (removing === true) return { Item: { ...item, removing }, ConditionExpression, ...values };
  return { Item: item, ConditionExpression: `${ConditionExpression} AND attribute_not_exists(removing)`, ...values };
}

/** Replaces the object as it was read by the next one, and moves the links that differ. */
export function planChange(plan: TransactionPlan, old: Entity, next: Entity, options: PutOptions = {}): void {
  planScope(plan, old);
  planScope(plan, next);
  planAddress(plan, old, next);
  noteHeartbeat(plan.heartbeats, old, next);
  plan.writes.push({
    change: { before: old, after: next },
    step: (changeId) => ({ Put: replacement(old, itemWithLastChange(next, changeId)), onConditionFailed: stale }),
  });
  const { gone, come } = derivedItemChanges(old, next);
  for (const link of gone) deleteDerivedItem(plan, link);
  putDerivedItems(plan, next, come, options);
}

/** The object stays as it was read. */
export function assertUnchanged(plan: TransactionPlan, entity: Entity): void {
  const Key = keyOf(entity);
  plan.checks.set(nameOfKey(Key), {
    ConditionCheck: { Key, ...atRevision(entity.object.revision) },
    onConditionFailed: stale,
  });
}

/**
 * The object must not be being removed. What is keeps its relations until it goes: with new ones its removal would never
 * end, and without the old ones a removal in steps would lose sight of it and leave it closed for ever.
 */
export function assertNotRemoving(
  plan: TransactionPlan,
  entity: Entity,
  { attributeTo: attributeTo = unattributed }: PutOptions = {},
): void {
  if (dependentsTypeOf(entity) === undefined) return;
  const change = dependentsChange(plan, entity.kind, idOf(entity));
  change.mustNotBeRemoving = true;
  change.attributeTo ??= attributeTo;
}

/** Later than every change that the plan builds on, as far as they are known, and not before the time of the feed. */
function timeOf({ writes, writeContext }: TransactionPlan, feed: number): number {
  const known = writes.flatMap(({ change }) => {
    const last = lastChangeOf(change);
    return last === undefined ? [] : [timeOfChange(last)];
  });
  return Math.max(feed, writeContext.minTimestamp + 1, ...known.map((time) => time + 1));
}

/**
 * The plan as a transaction, with the records of its changes. What is refused first in this order is what the caller hears:
 * claims, then references. Made anew for each attempt: its changes are of the time of the attempt.
 */
export async function toTransactItems(table: Table, plan: TransactionPlan): Promise<TransactItem[]> {
  const at = timeOf(plan, await feedTime(table, plan.writeContext.clock()));
  noteFeedTime(table, at);
  return transactItemsAt(plan, at);
}

/** How many steps the plan comes to. */
export const countTransactItems = (plan: TransactionPlan) => transactItemsAt(plan, 0).length;

/** The same for a known time. */
export function transactItemsAt(plan: TransactionPlan, at: number): TransactItem[] {
  const transaction = newTransactionName();
  const shard = randomInt(CHANGE_SHARDS);
  const writes = plan.writes.map(({ change, step }, index) => {
    const changeId = changeIdOf(shard, at, transaction, index);
    return { changeId, change, record: changeStep(changeId, change, plan.writeContext), object: step(changeId) };
  });
  const removal = removalSteps(writes, plan, at);
  const objects = [...writes.map(({ object }) => object), ...plan.removalMarks];
  // A transaction may touch an item only once. What the plan writes was inside the scope when it was read, and is written
  // only as it was read.
  const written = new Set(objects.map((step) => nameOfKey(itemKeyOf(step))));
  const checks = [...plan.checks].filter(([name]) => !written.has(name)).map(([, step]) => step);
  const guards = [...plan.dependentsChanges.values()].map((change) => dependentsItem(change, plan.writeContext, at));
  const heartbeats = [...plan.heartbeats.values()].map((change) => heartbeatStep(change, plan.writeContext.clock()));
  return [
    ...plan.claims,
    ...guards,
    ...checks,
    ...objects,
    ...plan.derivedItems,
    ...heartbeats,
    ...writes.map(({ record }) => record),
    ...removal,
  ];
}

/**
 * Closes an object, as it was read, to new dependants. The object shows it, and the guard enforces it. A service that has moved to
 * other nodes meanwhile stays, and open.
 */
export function markRemoving(plan: TransactionPlan, entity: Entity): void {
  const values = { ':yes': true };
  plan.removalMarks.push(
    {
      Update: {
        Key: dependentsKey(entity.kind, idOf(entity)),
        UpdateExpression: 'SET removing = :yes',
        ConditionExpression: PRESENT,
        ExpressionAttributeValues: values,
      },
      onConditionFailed: stale,
    },
    {
      Update: {
        Key: keyOf(entity),
        UpdateExpression: 'SET removing = :yes',
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ...values, ':revision': entity.object.revision },
      },
      onConditionFailed: stale,
    },
  );
}

/** A transaction carries 4 MB at most; this leaves room for keys and for what JSON does not count. */
export const MAX_TRANSACTION_BYTES = 2_500_000;

export const bytesOf = ({ object }: Entity) => Buffer.byteLength(JSON.stringify(object));

/** What the objects that the plan writes take, as they were and as they are to be. */
export function bytesIn({ writes }: TransactionPlan): number {
  const objects = writes.flatMap(({ change: { before, after } }) => [before ?? [], after ?? []].flat());
  return objects.reduce((sum, stored) => sum + bytesOf(stored), 0);
}
