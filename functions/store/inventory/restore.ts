import * as z from 'zod/mini';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { RESTORE_DAYS } from '../../domain/records/retention.ts';
import { type Change, toChange } from '../history/change-record.ts';
import { changeKey } from '../table/keys.ts';
import { findObjects } from '../entities/get.ts';
import { foreignOwner, isWithinOwners } from '../entities/owner-limit.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { commit, fitsOneTransaction, TransactionTooLarge, writePlan } from './commit.ts';
import { newPlan, planAdd, type TransactionPlan } from './transaction-plan.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { readItems } from '../table/read.ts';
import { nextRecord } from '../../domain/fields/record.ts';
import {
  endRestoration,
  forgetRemoval,
  readRemoval,
  type RemovalPart,
  type RemovedObject,
  reserveRestoration,
  withoutReturned,
} from '../history/removal-record.ts';
import { dependentsTypeOf, type Entity, idOf, nouns, toEntity } from '../entities/entity.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';

const timeSchema = z.object({ updated_at: z.string() });

/** How long one request works on a restoration of several transactions. */
const PATIENCE_MS = 15_000;

/** Time for the last write of such a request, before another one may continue. */
const MARGIN_MS = 5000;

export interface RestoreResult {
  restored: RemovedObject[];
  /** The objects that were not restored, and the reasons. */
  kept: { object: RemovedObject; error: ApiError }[];
}

/** Sort order: objects precede those that refer to them. */
function rank(entity: Entity): number {
  if (entity.kind === 'node') return 0;
  if (entity.kind === 'service') return 1;
  return dependentsTypeOf(entity) === undefined ? 3 : 2;
}

/**
 * The object as it was, with the next revision. It refers to its removal as its last change: the removal stays in its
 * history, and the restoration gets a later time, even when clocks differ. `registered` is dropped, because another
 * agent may hold its natural key by now.
 */
function returned(kind: Entity['kind'], { before, revision, change_id: removal }: Change, now: Date): Entity {
  const { registered: _, ...object } = before ?? {};
  return toEntity(kind, {
    ...object,
    ...nextRecord({ revision, updated_at: z.parse(timeSchema, object).updated_at }, now),
    last_change: removal,
  });
}

interface ReturningObject {
  object: RemovedObject;
  stored: Entity;
}

/** The removed objects, each as it will be restored, in an order in which no object refers to a later one. */
async function readReturning(table: Table, parts: readonly RemovalPart[], now: Date): Promise<ReturningObject[]> {
  const objects = parts.flatMap((part) => part.objects);
  const newer = objects.find(({ kind }) => !objectKinds.includes(kind));
  if (newer !== undefined)
    throw new ApiError('failedPrecondition', `Only a newer version of the service can restore a ${newer.kind}.`);
  const items = await readItems(
    table,
    objects.map(({ change_id: changeId }) => changeKey(changeId)),
  );
  const changes = new Map(items.map(toChange).map((change) => [change.change_id, change]));
  const returning = objects.map((object) => {
    const change = changes.get(object.change_id);
    if (change?.before === undefined) throw new Error(`change ${object.change_id} does not hold what was removed`);
    return { object, stored: returned(object.kind, change, now) };
  });
  return returning.sort((left, right) => rank(left.stored) - rank(right.stored));
}

/** A missing dependency must not become 404: the removal itself was found. */
function meaning(error: ApiError): ApiError {
  return error.kind === 'notFound' ? new ApiError('failedPrecondition', error.message) : error;
}

const isThere = ({ kind, id }: RemovedObject) =>
  new ApiError('alreadyExists', `${nouns[kind]} with ID "${id}" already exists.`);

/** Adds the objects to the plan, in their order. */
function planAll(plan: TransactionPlan, returning: readonly ReturningObject[]): void {
  for (const { stored: entity } of returning) planAdd(plan, entity, { attributeTo: meaning });
}

const beingRestored = (id: string) => () =>
  new ApiError('notFound', `Removal with ID "${id}" not found: another request is restoring it.`);

/** @throws ApiError `notFound` while another request restores the removal. */
function assertNotRestoring(parts: readonly RemovalPart[], now: Date): void {
  const other = parts.find(({ restoring }) => restoring !== undefined && restoring.until > now.getTime());
  if (other !== undefined) throw beingRestored(other.removalId)();
}

const unknownRemoval = (id: string) =>
  new ApiError(
    'notFound',
    `Removal with ID "${id}" not found: it was already restored, or is older than ${RESTORE_DAYS} days.`,
  );

interface RemovalSnapshot {
  parts: RemovalPart[];
  returning: ReturningObject[];
  objects: RemovedObject[];
  /** Ids of the objects that exist, added by an import for example. */
  there: ReadonlySet<string>;
}

/** @returns undefined when nothing is left. @throws ApiError `permissionDenied` for an object of another owner. */
async function readAll(
  table: Table,
  removalId: string,
  { now, limit }: WriteContext,
): Promise<RemovalSnapshot | undefined> {
  const parts = await readRemoval(table, removalId, now);
  if (parts.length === 0) return undefined;
  const returning = await readReturning(table, parts, now);
  // All of them before the first one is restored.
  for (const { stored } of returning)
    if (limit !== undefined && !isWithinOwners(limit, stored)) throw foreignOwner(stored, limit);
  const objects = returning.map(({ object }) => object);
  const there = new Set((await findObjects(table, objects)).map(idOf));
  return { parts, returning, objects, there };
}

/** @throws TransactionTooLarge before any other error. */
async function planWhole(plan: TransactionPlan, table: Table, removalId: string): Promise<RemovedObject[]> {
  const removal = await readAll(table, removalId, plan.writeContext);
  if (removal === undefined) throw unknownRemoval(removalId);
  const { parts, returning, objects, there } = removal;
  // A concurrent request then fails because the removal is already restored, rather than because the names are taken.
  plan.first.push(...parts.map(forgetRemoval));
  planAll(plan, returning);
  if (!fitsOneTransaction(plan)) throw new TransactionTooLarge();
  assertNotRestoring(parts, plan.writeContext.now);
  const present = objects.find(({ id }) => there.has(id));
  if (present === undefined) return objects;
  throw (await isLeft(table, removalId, present, plan.writeContext)) ? isThere(present) : unknownRemoval(removalId);
}

/**
 * Restores the objects of a removal with their ids. Atomic if it fits one transaction. Otherwise object by object, each
 * once; the same call again continues with those that are not restored.
 *
 * @throws ApiError `notFound`; if the removal fits one transaction also `alreadyExists`, `failedPrecondition`.
 */
export async function restoreRemoval(
  table: Table,
  removalId: string,
  writeContext: WriteContext,
): Promise<RestoreResult> {
  const end = monotonicMs(table) + PATIENCE_MS;
  try {
    const whole = (plan: TransactionPlan) => planWhole(plan, table, removalId);
    return { restored: await commit(table, writeContext, whole, { patienceMs: PATIENCE_MS }), kept: [] };
  } catch (error) {
    if (!(error instanceof TransactionTooLarge)) throw error;
  }
  const many: LargeRestore = {
    removalId,
    writeContext,
    end,
    restored: [],
    name: newTransactionName(),
    reserved: undefined,
  };
  try {
    return await retryOnContention(table, async () => oneByOne(table, many), PATIENCE_MS);
  } finally {
    // It ends by itself, too. The part may be gone with its last object.
    if (many.reserved !== undefined)
      await transact(table, [endRestoration(many.reserved, many.name)]).catch(() => undefined);
  }
}

/** Whether the removal still contains the object. Another request may have restored it since it was read. */
async function isLeft(table: Table, removalId: string, { id }: RemovedObject, { now }: WriteContext): Promise<boolean> {
  const parts = await readRemoval(table, removalId, now);
  return parts.some(({ objects }) => objects.some((object) => object.id === id));
}

interface LargeRestore {
  removalId: string;
  writeContext: WriteContext;
  end: number;
  /** The objects restored so far; this list is appended to. */
  restored: RemovedObject[];
  /** Identifies the request in its reservation. */
  name: string;
  /** The part of the removal in which it is reserved for this request; undefined: not yet. */
  reserved: RemovalPart | undefined;
}

/**
 * Reserves the restoration for this request, in the part with the last object to restore: that part exists until the
 * end, so that other requests find the reservation.
 *
 * @throws ApiError `notFound` when another request has reserved it.
 */
async function reserve(table: Table, many: LargeRestore, { parts, returning }: RemovalSnapshot): Promise<void> {
  const { removalId, name, writeContext } = many;
  const now = writeContext.clock();
  assertNotRestoring(parts, now);
  const last = returning.at(-1);
  const part = parts.find(({ objects }) => objects.some((object) => object === last?.object));
  if (part === undefined) throw unknownRemoval(removalId);
  const until = now.getTime() + PATIENCE_MS + MARGIN_MS;
  await transact(table, [reserveRestoration(part, { name, until, now }, beingRestored(removalId))]);
  many.reserved = part;
}

async function oneByOne(table: Table, many: LargeRestore): Promise<RestoreResult> {
  const { removalId, writeContext, end, restored } = many;
  const removal = await readAll(table, removalId, writeContext);
  if (removal === undefined) {
    if (restored.length === 0) throw unknownRemoval(removalId);
    return { restored, kept: [] };
  }
  if (many.reserved === undefined) await reserve(table, many, removal);
  const { parts, returning, there } = removal;
  const left = [...parts];
  const kept: RestoreResult['kept'] = [];
  for (const entry of returning) {
    const { object } = entry;
    if (there.has(object.id)) {
      if (await isLeft(table, removalId, object, writeContext)) kept.push({ object, error: isThere(object) });
      else restored.push(object);
      continue;
    }
    if (monotonicMs(table) > end)
      throw new ApiError('unavailable', 'The restore has begun and is not finished. Repeat the request.');
    const index = left.findIndex(({ objects }) => objects.includes(object));
    const part = left[index];
    if (part === undefined) throw new Error(`${object.id} is in no part of its removal`);
    const { left: rest, step } = withoutReturned(part, object);
    try {
      const plan = newPlan(writeContext);
      plan.first.push(step);
      planAll(plan, [entry]);
      await writePlan(table, plan);
      left[index] = rest;
      restored.push(object);
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind === 'unavailable') throw error;
      kept.push({ object, error });
    }
  }
  return { restored, kept };
}
