import { isDeepStrictEqual } from 'node:util';
import { stale } from '../../../shared/db/conditions.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { Revisions } from '../../../shared/http/etag.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { findForcedRemoval, forcedRemovalStep } from '../jobs/forced-removals.ts';
import type { ObjectKind } from '../table/keys.ts';
import { abandonRemoval } from './abandon-removal.ts';
import { commit, fitsOneTransaction, writePlan } from './commit.ts';
import { checkRevision } from './entities.ts';
import { findObjects, getObject, getVisibleObject } from '../entities/get.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { newPlan, planChange, planRemoval, type TransactionPlan } from './transaction-plan.ts';
import { markRemoving } from './mark-removing.ts';
import type { AttributeTo } from './dependents-counter.ts';
import { newRemovalId } from '../history/removal-record.ts';
import { dependentsTypeOf, type Entity, idOf, nouns } from '../entities/entity.ts';
import { type Counter, derivedItemsOf } from '../entities/derived-items.ts';
import { type Cascade, cascadeOf } from './cascade.ts';

/** How long one request works on a removal of several transactions. */
export const REMOVAL_PATIENCE_MS = 20_000;

export interface RemovalOptions {
  force: boolean;
  ifMatch: Revisions | undefined;
  writeContext: WriteContext;
}

/** The counters that prevent a removal, in the order and with the words that clients know from PMM. */
const keepers = [
  ['insights', 'agents'],
  ['pmm_agents', 'pmm-agent'],
  ['services', 'services'],
  ['agents', 'agents'],
] as const satisfies [Counter, string][];

function hasDependants(kind: ObjectKind, id: string, counters: Item): ApiError {
  const what = keepers.find(([counter]) => Number(counters[counter]) > 0)?.[1] ?? 'dependants';
  const noun = kind === 'agent' ? 'pmm-agent' : nouns[kind];
  return new ApiError('failedPrecondition', `${noun} with ID "${id}" has ${what}.`);
}

/** Plans the removal of an object. Fails if it has dependants that the plan does not remove before it. */
export function planLoneRemoval(
  plan: TransactionPlan,
  entity: Entity,
  attributeTo: AttributeTo = (error) => error,
): void {
  planRemoval(plan, entity, (left) => attributeTo(hasDependants(entity.kind, idOf(entity), left)));
}

/**
 * Removes an object. Without force it fails while the object has dependants; with force it removes them too (see
 * `cascadeOf`). A removal that fits one transaction is atomic. A larger one first marks all objects as being removed,
 * so that no dependants can be added, and records that it has begun. It then removes them in several transactions, each
 * of which keeps the invariants. After a timeout or a crash the rest is resumed (see
 * functions/triggers/continue-jobs/removal.ts); the same call again resumes it as well.
 *
 * With a scope, every object that is removed or changed must lie inside it, and the removal must fit one transaction. With
 * owners, each must have one of them, or nothing happens; a larger removal stops when an Admin changes an owner in the meantime.
 *
 * @throws ApiError `notFound`, `revisionMismatch`, `failedPrecondition`, `permissionDenied`, `unavailable`.
 */
export async function removeObject(
  table: Table,
  kind: ObjectKind,
  id: string,
  { force, ifMatch, writeContext }: RemovalOptions,
): Promise<void> {
  const removalId = newRemovalId(writeContext.now.getTime());
  const work = { hasBegun: false };
  const find = async () => {
    const target: Entity = await getVisibleObject(table, kind, id, writeContext.scope);
    // A removal that has begun is finished: other fields of the object may change in the meantime.
    if (!work.hasBegun) checkRevision(ifMatch, target);
    return target;
  };
  if (!force)
    return commit(table, writeContext, async (plan) => planLoneRemoval(plan, await find()), {
      removalId,
      patienceMs: REMOVAL_PATIENCE_MS,
    });
  const by = { end: monotonicMs(table) + REMOVAL_PATIENCE_MS, writeContext, removalId, work };
  try {
    await retryOnContention(table, async () => removeWithForce(table, await find(), by), REMOVAL_PATIENCE_MS);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // It may have begun in an earlier request.
    if (error.kind === 'permissionDenied') await abandonRemoval(table, kind, id);
    if (!work.hasBegun) throw error;
    if (error.kind === 'permissionDenied') throw abandoned(error);
    if (error.kind === 'unavailable') throw unfinished();
    // The last transaction of this request, or another request, has removed the object.
    if (error.kind !== 'notFound') throw error;
  }
}

/** The share of one object in a removal. It is never split, so that every transaction keeps the invariants. */
interface RemovalStep {
  stored: Entity;
  addTo: (plan: TransactionPlan, entity: Entity) => void;
}

function removalSteps({ removed, changed }: Cascade, now: Date): RemovalStep[] {
  return [
    ...changed.map(({ old, next }) => ({
      stored: old,
      addTo: (plan: TransactionPlan, entity: Entity) =>
        planChange(plan, entity, next(entity, now), { isCascade: true }),
    })),
    // StaleRead if dependants were added after the cascade was read; then it is read again.
    ...removed.map((entity) => ({
      stored: entity,
      addTo: (plan: TransactionPlan, entity: Entity) => planRemoval(plan, entity, stale),
    })),
  ];
}

/** The actor and the id of a removal. */
interface By {
  writeContext: WriteContext;
  removalId: string;
}

function planOf(steps: readonly RemovalStep[], { writeContext, removalId }: By): TransactionPlan {
  const plan = newPlan(writeContext, { removalId });
  for (const { stored: entity, addTo } of steps) addTo(plan, entity);
  return plan;
}

/** Plans a forced removal as one transaction, which may exceed its limits. Returns the number of removed objects. */
export async function planForcedRemoval(plan: TransactionPlan, table: Table, target: Entity): Promise<number> {
  const cascade = await cascadeOf(table, target);
  for (const { stored, addTo } of removalSteps(cascade, plan.writeContext.clock())) addTo(plan, stored);
  return cascade.removed.length;
}

/**
 * The number of objects that a forced removal of a node removes, including the node.
 *
 * @throws ApiError `notFound`.
 */
export async function countCascade(table: Table, nodeId: string): Promise<number> {
  return retryOnContention(
    table,
    async () => (await cascadeOf(table, await getObject(table, 'node', nodeId))).removed.length,
  );
}

const fits = (steps: readonly RemovalStep[], by: By) => fitsOneTransaction(planOf(steps, by));

/** Splits the steps into transactions, in order; as many steps per transaction as fit. */
function batchesOf(steps: readonly RemovalStep[], by: By): RemovalStep[][] {
  const batches: RemovalStep[][] = [];
  let batch: RemovalStep[] = [];
  for (const step of steps) {
    if (batch.length > 0 && !fits([...batch, step], by)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(step);
  }
  return [...batches, batch];
}

/**
 * The steps that mark all objects as being removed which are not yet marked, the target first. The transaction that
 * marks the target also records the forced removal.
 */
function removalMarks({ removed }: Cascade, target: Entity, by: By): RemovalStep[] {
  const open = removed.filter((entity) => dependentsTypeOf(entity) !== undefined && entity.object.removing !== true);
  return open.toReversed().map((entry) => ({
    stored: entry,
    addTo: (plan, entity) => {
      markRemoving(plan, entity);
      if (entry === target) plan.removalMarks.push(forcedRemovalStep({ kind: target.kind, id: idOf(target) }, by));
    },
  }));
}

const derivedItemNames = (entity: Entity) => derivedItemsOf(entity).map(({ name }) => name);

/**
 * The steps with their objects read again. Leaves out objects that were removed or whose derived items have changed,
 * because their shares may be different now.
 */
async function renewed(table: Table, steps: readonly RemovalStep[]): Promise<RemovalStep[]> {
  const entities = await findObjects(
    table,
    steps.map(({ stored: entity }) => ({ kind: entity.kind, id: idOf(entity) })),
  );
  const byId = new Map(entities.map((entity) => [idOf(entity), entity]));
  return steps.flatMap((step) => {
    const stored = byId.get(idOf(step.stored));
    if (stored === undefined || !isDeepStrictEqual(derivedItemNames(stored), derivedItemNames(step.stored))) return [];
    return [{ ...step, stored }];
  });
}

/** One request that works on a removal of several transactions. */
interface RemovalRequest extends By {
  end: number;
  /** Whether a transaction of this request was written: then its reply may not say that it had no effect. */
  work: { hasBegun: boolean };
}

const abandoned = ({ message }: ApiError) =>
  new ApiError('permissionDenied', `${message} The removal has stopped. Restore the removed objects, or try again.`);

const unfinished = () =>
  new ApiError(
    'unavailable',
    'The removal is not finished. The service continues it. Repeat the request to continue it now.',
  );

async function writeBatch(
  table: Table,
  steps: readonly RemovalStep[],
  { end, work, ...by }: RemovalRequest,
): Promise<void> {
  if (monotonicMs(table) > end) throw unfinished();
  await writePlan(table, planOf(steps, by));
  work.hasBegun = true;
}

/**
 * Writes the batch. If an object of it has changed in the meantime, reads all of them again and writes them in halves.
 * So a removal makes progress even when its objects change often.
 *
 * @returns whether all of it was written.
 */
async function writeOrSplit(table: Table, steps: readonly RemovalStep[], by: RemovalRequest): Promise<boolean> {
  try {
    await writeBatch(table, steps, by);
    return true;
  } catch (error) {
    if (!(error instanceof StaleRead)) throw error;
  }
  if (steps.length === 1) return false;
  const fresh = await renewed(table, steps);
  const middle = Math.ceil(fresh.length / 2);
  let isComplete = fresh.length === steps.length;
  for (const half of [fresh.slice(0, middle), fresh.slice(middle)])
    if (half.length > 0) isComplete = (await writeOrSplit(table, half, by)) && isComplete;
  return isComplete;
}

/**
 * @throws ApiError `unavailable` at the timeout; StaleRead when an object was out of date and all others are written.
 */
async function writeBatches(table: Table, steps: readonly RemovalStep[], by: RemovalRequest): Promise<void> {
  let isComplete = true;
  for (const batch of batchesOf(steps, by)) isComplete = (await writeOrSplit(table, batch, by)) && isComplete;
  if (!isComplete) throw stale();
}

async function removeWithForce(table: Table, target: Entity, asked: RemovalRequest): Promise<void> {
  const { kind, object } = target;
  const begun = object.removing === true ? await findForcedRemoval(table, kind, idOf(target)) : undefined;
  const by = { ...asked, removalId: begun?.removalId ?? asked.removalId };
  const cascade = await cascadeOf(table, target);
  const steps = removalSteps(cascade, by.writeContext.clock());
  if (fits(steps, by)) {
    await writePlan(table, planOf(steps, by));
    return;
  }
  // Between the steps, objects outside the scope could be added, and this caller could not finish the removal.
  if (by.writeContext.scope !== undefined)
    throw new ApiError('failedPrecondition', 'Too many objects depend on it for this key. Remove those first.');
  const marks = removalMarks(cascade, target, by);
  if (marks.length === 0) return writeBatches(table, steps, by);
  const [first = []] = batchesOf(marks, by);
  // The first transaction marks the target. It is not written in halves: a target that has changed is compared with
  // If-Match again.
  if (object.removing === true) await writeBatches(table, marks, by);
  else await writeBatch(table, first, by);
  // Read again: no dependants can be added any more.
  await removeWithForce(table, await getObject(table, kind, idOf(target)), by);
}
