import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { MAX_TRANSACTION_ACTIONS, transact, type TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { matches, type Revisions } from '../../../shared/http/etag.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import type { Place } from '../../domain/agent/lifecycle.ts';
import { AlreadyWritten, idempotencyItem, writeOnce } from '../table/idempotency-record.ts';
import type { ObjectKind } from '../table/keys.ts';
import { assertNotRemoving, newPlan, planAdd, planChange, type TransactionPlan } from './transaction-plan.ts';
import { toTransactItems } from './transact-items.ts';
import type { AttributeTo } from './dependents-counter.ts';
import { derivedItemChanges, nextState } from '../entities/links.ts';
import { nextRecord } from '../../domain/fields/record.ts';
import type { WriteContext } from '../entities/write-context.ts';
import {
  type Entity,
  type EntityFields,
  type EntityOf,
  entityWithoutInternalFields,
  isOfKind,
  nouns,
  parsed,
  placeUnder,
  toEntity,
  withoutInternalFields,
} from '../entities/entity.ts';
import { findObjects, getObject, getVisibleObject } from '../entities/get.ts';

interface Addition<Kind extends ObjectKind> {
  kind: Kind;
  idempotency: Idempotency | undefined;
  writeContext: WriteContext;
}

/**
 * Adds an object with all its claims and references, or nothing. One transaction. A request that took effect before
 * under the same Idempotency-Key adds nothing and returns the object as it was added then.
 *
 * @param make the object. Its errors are thrown only if the request did not take effect before.
 */
export async function addObject<Kind extends ObjectKind>(
  table: Table,
  { kind, idempotency, writeContext }: Addition<Kind>,
  make: () => Item | Promise<Item>,
): Promise<EntityOf<Kind>> {
  const once = idempotency === undefined ? undefined : { idempotency, now: writeContext.now };
  try {
    const { stored, plan } = await writeOnce(table, once, async () => {
      const made = parsed(kind, await make());
      const its = newPlan(writeContext);
      planAdd(its, made);
      return { stored: made, plan: its };
    });
    const first = once === undefined ? [] : [idempotencyItem(once, stored.object)];
    await retryOnContention(async () =>
      transact(table, assertFitsOneTransaction([...first, ...(await toTransactItems(table, plan))])),
    );
    return stored;
  } catch (error) {
    if (error instanceof AlreadyWritten) return parsed(kind, error.object);
    throw error;
  }
}

/**
 * Adds an object if it does not exist (with the fields that `make` returns), else changes it to the result of `next` if
 * that differs. Starts over after a concurrent write.
 *
 * @param seen the object, read earlier in a batch; undefined when it did not exist.
 */
export async function importObject(
  table: Table,
  {
    kind,
    id,
    seen,
    writeContext,
  }: { kind: ObjectKind; id: string; seen: Entity | undefined; writeContext: WriteContext },
  { make, next }: { make: () => Promise<Item>; next: (old: Entity) => Item },
): Promise<'added' | 'changed' | 'unchanged'> {
  let attempts = 0;
  return retryOnContention(async () => {
    attempts += 1;
    const [old] = attempts === 1 ? [seen] : await findObjects(table, [{ kind, id }]);
    if (old === undefined) {
      const plan = newPlan(writeContext);
      planAdd(plan, toEntity(kind, await make()));
      await transact(table, assertFitsOneTransaction(await toTransactItems(table, plan))).catch(
        async (error: unknown) => {
          const isTaken = error instanceof ApiError && error.kind === 'alreadyExists';
          // The claim may belong to this very object, which another request has added in the meantime.
          throw isTaken && (await findObjects(table, [{ kind, id }])).length > 0 ? new StaleRead() : error;
        },
      );
      return 'added';
    }
    const known = parsed(kind, old.object);
    const plan = newPlan(writeContext);
    if (planReplacement(plan, known, next(entityWithoutInternalFields(old))) === known) return 'unchanged';
    await transact(table, assertFitsOneTransaction(await toTransactItems(table, plan)));
    return 'changed';
  });
}

/**
 * The place of an agent. Under a pmm_agent: that one and its node (one read). Otherwise empty: the agent's own fields
 * apply.
 *
 * @throws ApiError `notFound` when the pmm_agent does not exist, `failedPrecondition` for an agent of another type.
 */
export async function placeOf(table: Table, added: Item): Promise<Place> {
  const { pmm_agent_id: id } = z.parse(z.object({ pmm_agent_id: z.optional(z.string()) }), added);
  if (id === undefined) return {};
  return placeUnder(await getObject(table, 'agent', id));
}

/** @throws ApiError `revisionMismatch` when the caller's If-Match does not contain the present revision. */
export function checkRevision(ifMatch: Revisions | undefined, { kind, object }: Entity): void {
  if (ifMatch === undefined || matches(ifMatch, object.revision)) return;
  throw new ApiError('revisionMismatch', `${nouns[kind]} is at revision ${object.revision}.`);
}

interface Change<Kind extends ObjectKind> {
  kind: Kind;
  id: string;
  ifMatch: Revisions | undefined;
  writeContext: WriteContext;
}

/**
 * Changes an object: reads it, and writes the result of `next`. Starts over after a concurrent write. One read, and one
 * transaction; no write when nothing changes.
 */
export async function changeObject<Kind extends ObjectKind>(
  table: Table,
  { kind, id, ifMatch, writeContext }: Change<Kind>,
  next: (old: EntityFields<Kind>['object']) => Item,
): Promise<EntityOf<Kind>> {
  return retryOnContention(async () => {
    const old = await getVisibleObject(table, kind, id, writeContext.scope);
    checkRevision(ifMatch, old);
    const plan = newPlan(writeContext);
    const changed = planReplacement(plan, old, next(withoutInternalFields(old.object)));
    if (changed !== old) await transact(table, assertFitsOneTransaction(await toTransactItems(table, plan)));
    return changed;
  });
}

/**
 * Any single object within its limits fits one transaction. A change that replaces nearly all references and labels of
 * an object may not fit, nor may the conditions of a caller's scope in addition.
 *
 * @throws ApiError `failedPrecondition`.
 */
export function assertFitsOneTransaction(steps: TransactItem[]): TransactItem[] {
  if (steps.length <= MAX_TRANSACTION_ACTIONS) return steps;
  throw new ApiError('failedPrecondition', 'Too many references and labels change at once. Split the change.');
}

/**
 * Plans the replacement of an object that was read, if `wanted` differs from it. The caller must have checked that the
 * object may be seen.
 *
 * @returns the object as it will be; the same reference as `old` when nothing changes.
 * @throws ApiError `permissionDenied` when it would leave the caller's scope.
 */
export function planReplacement<Kind extends ObjectKind>(
  plan: TransactionPlan,
  old: EntityOf<Kind>,
  wanted: Item,
  attributeTo?: AttributeTo,
): EntityOf<Kind> {
  if (isDeepStrictEqual(wanted, withoutInternalFields(old.object))) return old;
  const record = nextRecord(old.object, plan.writeContext.now);
  const kind: Kind = old.kind;
  const changed = nextState(old, parsed(kind, { ...wanted, ...record }));
  if (!isOfKind(changed, kind)) throw new Error(`not a ${kind}`);
  const { gone, come } = derivedItemChanges(old, changed);
  planChange(plan, old, changed, { attributeTo });
  if ([...gone, ...come].some(({ dependency }) => dependency !== undefined))
    assertNotRemoving(plan, old, { attributeTo });
  return changed;
}
