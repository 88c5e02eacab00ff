import { ABSENT, absent, and, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { targetOf } from '../../../shared/db/item-writes.ts';
import type { Item, Key } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { addressChecks } from '../entities/address-limits.ts';
import type { ObjectChange } from '../history/change-record.ts';
import { type HeartbeatChanges, noteHeartbeat } from '../heartbeats/heartbeat-update.ts';
import { forcedRemovalKey, nameOfKey, objectKey, type ObjectKind } from '../table/keys.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { isAsRead } from '../entities/as-read.ts';
import { scopeChecks, type Writable, writable } from '../entities/key-scope.ts';
import { checkHostSizes } from '../entities/host-bounds.ts';
import { withOwner, withOwnerMark } from '../entities/with-owner.ts';
import { dependentsTypeOf, type Entity, idOf, itemOf, keyOf, notFound } from '../entities/entity.ts';
import { isHeldByItself } from '../entities/claim-owners.ts';
import { type DerivedItem, derivedItemChanges, derivedItemsOf } from '../entities/derived-items.ts';
import {
  type AttributeTo,
  count,
  type DependentsChange,
  dependentsChange,
  newDependentsCounter,
  unattributed,
} from './dependents-counter.ts';

/** The write of an object, and the change that is recorded for it. */
interface Write {
  change: ObjectChange;
  /** @param changeId id of the change; the object stores it. */
  step: (changeId: string) => TransactItem;
}

/** Writes that belong to one transaction. */
export interface TransactionPlan {
  /** Come before all others, so that the error of their conditions has precedence. */
  first: TransactItem[];
  claims: TransactItem[];
  dependentsChanges: Map<string, DependentsChange>;
  heartbeats: HeartbeatChanges;
  writes: Write[];
  /** Marks objects as being removed. Not recorded as a change. */
  removalMarks: TransactItem[];
  derivedItems: TransactItem[];
  /** Conditions of the caller's scope on objects that the plan itself may not write, by key. */
  checks: Map<string, TransactItem>;
  /** The objects to which the plan attaches others, by key: a caller with owners must own them, too (see commit.ts). */
  parents: Map<string, { kind: ObjectKind; id: string }>;
  writeContext: WriteContext;
  /** The removal that this plan is a part of; undefined: a removal of its own. */
  removalId: string | undefined;
  /**
   * Derived items to put, by key. Detects duplicates here, because DynamoDB would reject the whole call without naming
   * the item.
   */
  puts: Map<string, { taken: () => Error; isClaim: boolean; step: TransactItem }>;
  /** Derived items to delete, by key. A delete and a put of the same item become a single write. */
  deletes: Map<string, TransactItem>;
  /** The plan is atomic as a whole, so an earlier write may take a claim that a later write gives up. */
  isAtomic: boolean;
}

export type PlanOptions = Partial<Pick<TransactionPlan, 'isAtomic' | 'removalId'>>;

/** @param writeContext its scope applies to everything in the plan. */
export function newPlan(
  writeContext: WriteContext,
  { isAtomic = false, removalId }: PlanOptions = {},
): TransactionPlan {
  return {
    first: [],
    claims: [],
    dependentsChanges: new Map(),
    heartbeats: new Map(),
    writes: [],
    removalMarks: [],
    derivedItems: [],
    checks: new Map(),
    parents: new Map(),
    writeContext,
    removalId,
    puts: new Map(),
    deletes: new Map(),
    isAtomic,
  };
}

/**
 * The object must lie inside the plan's scope and have one of its owners: as it was read, and as it will be. Its write
 * requires that it is as it was read, so that its owner cannot change between check and write.
 *
 * @throws ApiError `permissionDenied`.
 */
function planScope<One extends Entity>(plan: TransactionPlan, entity: One): Writable<One> {
  const { scope } = plan.writeContext;
  const checked = writable(plan.writeContext, entity);
  for (const step of scopeChecks(scope, entity)) plan.checks.set(nameOfKey(targetOf(step)), step);
  return checked;
}

/** The limits of what a host writes, whichever request it sends. */
function planHostLimits(plan: TransactionPlan, old: Entity | undefined, next: Entity): void {
  checkHostSizes(plan.writeContext, old, next);
  for (const step of addressChecks(plan.writeContext, old, next)) plan.checks.set(nameOfKey(targetOf(step)), step);
}

const madeTwice = () => new ApiError('alreadyExists', 'Two objects in this request have the same unique key.');

interface PutOptions {
  /** A claim that was read as free. If it is taken now, the caller must read again. */
  claimReadAsFree?: Key | undefined;
  attributeTo?: AttributeTo | undefined;
}

/** The item passes from one object of the plan to another. It exists as long as the first object is unchanged. */
const handedOver = (item: Item): TransactItem => ({ put: item, condition: PRESENT, onConditionFailed: stale });

function putDerivedItem(
  plan: TransactionPlan,
  { name, key, attributes, taken, dependency }: DerivedItem,
  { claimReadAsFree: looked, named, attributeTo = unattributed }: PutOptions & { named: () => ApiError },
): void {
  const refusal = () => attributeTo((taken ?? named)());
  if (plan.puts.has(name)) throw refusal();
  const item = { ...attributes, ...key };
  const before = plan.deletes.get(name);
  const step: TransactItem =
    before !== undefined
      ? handedOver(item)
      : {
          put: item,
          condition: ABSENT,
          onConditionFailed: (present) =>
            taken === undefined || key.pk === looked?.pk || isHeldByItself(present, item)
              ? new StaleRead(refusal())
              : attributeTo(taken()),
        };
  plan.puts.set(name, { taken: refusal, isClaim: taken !== undefined, step });
  if (before !== undefined) plan.derivedItems = plan.derivedItems.filter((other) => other !== before);
  if (before !== undefined || taken === undefined) plan.derivedItems.push(step);
  else plan.claims.push(step);
  if (dependency === undefined) return;
  const { kind, id } = dependency;
  plan.parents.set(nameOfKey(objectKey(kind, id)), { kind, id });
  const change = dependentsChange(plan, kind, id);
  if (change.removed !== undefined) throw attributeTo(notFound(dependency.kind, dependency.id));
  change.required.push({ ...dependency, attributeTo });
  change.mustNotBeRemoving = true;
  count(change, dependency.counter, 1);
}

/**
 * Two objects with the same position in a list have the same name, so a conflict of list entries is reported as one of
 * names.
 */
function putDerivedItems(
  plan: TransactionPlan,
  entity: Entity,
  items: readonly DerivedItem[],
  options: PutOptions,
): void {
  const named = () =>
    derivedItemsOf(entity)
      .find(({ taken }) => taken !== undefined)
      ?.taken?.() ?? madeTwice();
  for (const item of items) putDerivedItem(plan, item, { ...options, named });
}

function deleteDerivedItem(plan: TransactionPlan, { name, key, dependency }: DerivedItem): void {
  const other = plan.puts.get(name);
  const step: TransactItem = { delete: key, condition: PRESENT, onConditionFailed: stale };
  if (other === undefined) {
    plan.deletes.set(name, step);
    plan.derivedItems.push(step);
  } else {
    // The object that is to own the item was planned before the item was free. Only for claims that is an error: two
    // objects with the same other derived item have the same name, and the claim of the name decides.
    if (!plan.isAtomic && other.isClaim) throw other.taken();
    plan.claims = plan.claims.filter((claim) => claim !== other.step);
    plan.derivedItems = plan.derivedItems.filter((item) => item !== other.step);
    plan.derivedItems.push(handedOver(targetOf(other.step)));
  }
  if (dependency === undefined) return;
  const change = dependentsChange(plan, dependency.kind, dependency.id);
  if (change.removed !== undefined) throw change.removed.onDependants({ [dependency.counter]: 1 });
  change.losesDependant = true;
  count(change, dependency.counter, -1);
}

/**
 * Plans the object, its claims, its other derived items and its dependents counter. Several adds of one plan may refer
 * to each other.
 *
 * @throws ApiError when another add of the plan has the same claim.
 */
export function planAdd<One extends Entity>(plan: TransactionPlan, made: One, options: PutOptions = {}): Writable<One> {
  const entity = withOwnerMark(plan.writeContext, withOwner(plan.writeContext, made));
  const after = planScope(plan, entity);
  planHostLimits(plan, undefined, entity);
  noteHeartbeat(plan.heartbeats, undefined, entity);
  plan.writes.push({
    change: { after },
    step: (changeId) => ({
      put: itemWithLastChange(entity, changeId),
      condition: ABSENT,
      onConditionFailed: stale,
    }),
  });
  const counter = newDependentsCounter(entity);
  if (counter !== undefined) dependentsChange(plan, entity.kind, idOf(entity)).added = counter;
  putDerivedItems(plan, entity, derivedItemsOf(entity), options);
  return after;
}

const itemWithLastChange = (entity: Entity, changeId: string): Item => ({ ...itemOf(entity), last_change: changeId });

/**
 * Plans the removal of the object as it was read, with its derived items.
 *
 * @param onDependants the error when dependants exist that the plan did not remove before.
 */
export function planRemoval(plan: TransactionPlan, entity: Entity, onDependants: (left: Item) => Error): void {
  const before = planScope(plan, entity);
  noteHeartbeat(plan.heartbeats, entity, undefined);
  plan.writes.push({
    change: { before },
    step: () => ({ delete: keyOf(entity), condition: isAsRead(entity), onConditionFailed: stale }),
  });
  if (dependentsTypeOf(entity) !== undefined) {
    const change = dependentsChange(plan, entity.kind, idOf(entity));
    const [dependant] = change.required;
    if (dependant !== undefined) throw onDependants({ [dependant.counter]: 1 });
    change.removed = { onDependants };
  }
  for (const item of derivedItemsOf(entity)) deleteDerivedItem(plan, item);
  if (entity.object.removing === true) plan.derivedItems.push({ delete: forcedRemovalKey(entity.kind, idOf(entity)) });
}

/** A change keeps the `removing` mark of an object, and fails if a removal of it has begun since it was read. */
function replacement(old: Entity, item: Item) {
  const { removing } = old.object;
  // The mark is read again after a removal was abandoned.
  if (removing === true) return { put: { ...item, removing }, condition: and(isAsRead(old), equals('removing', true)) };
  return { put: item, condition: and(isAsRead(old), absent('removing')) };
}

/**
 * Plans the replacement of the object as it was read, and of the derived items that differ. Unless a removal of another
 * object causes it, the relations of an object that is being removed must not change.
 */
export function planChange<One extends Entity>(
  plan: TransactionPlan,
  old: Entity,
  made: One,
  { isCascade = false, ...options }: PutOptions & { isCascade?: boolean } = {},
): Writable<One> {
  const next = withOwnerMark(plan.writeContext, made);
  const before = planScope(plan, old);
  const after = planScope(plan, next);
  planHostLimits(plan, old, next);
  noteHeartbeat(plan.heartbeats, old, next);
  plan.writes.push({
    change: { before, after },
    step: (changeId) => ({ ...replacement(old, itemWithLastChange(next, changeId)), onConditionFailed: stale }),
  });
  const { toDelete, toPut, toMove } = derivedItemChanges(old, next);
  for (const item of [...toDelete, ...toMove]) deleteDerivedItem(plan, item);
  putDerivedItems(plan, next, [...toPut, ...toMove], options);
  if (!isCascade && [...toDelete, ...toPut].some(({ dependency }) => dependency !== undefined))
    assertNotRemoving(plan, old, options);
  return after;
}

/** Fails unless the object is as it was read. */
export function assertUnchanged(plan: TransactionPlan, entity: Entity): void {
  const key = keyOf(entity);
  plan.checks.set(nameOfKey(key), { check: key, condition: isAsRead(entity), onConditionFailed: stale });
}

/**
 * Fails while the object is being removed. Its relations must not change then: a multi-step removal finds the remaining
 * objects through them.
 */
export function assertNotRemoving(
  plan: TransactionPlan,
  entity: Entity,
  { attributeTo = unattributed }: PutOptions = {},
): void {
  if (dependentsTypeOf(entity) === undefined) return;
  const change = dependentsChange(plan, entity.kind, idOf(entity));
  change.mustNotBeRemoving = true;
  change.attributeTo ??= attributeTo;
}
