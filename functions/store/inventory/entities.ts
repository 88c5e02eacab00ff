import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { StaleRead, retryOnContention } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { MAX_TRANSACTION_ACTIONS, type TransactItem, transact } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { matches, type Revisions } from '../../../shared/http/etag.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import type { Place } from '../../domain/agent/lifecycle.ts';
import { AlreadyWritten, writeOnce, idempotencyItem } from '../table/idempotency-record.ts';
import type { ObjectKind } from '../table/keys.ts';
import {
  newPlan,
  type TransactionPlan,
  planAdd,
  planChange,
  assertNotRemoving,
  toTransactItems,
} from './transaction-plan.ts';
import type { AttributeTo } from './dependents-counter.ts';
import { derivedItemChanges, nextState } from '../entities/links.ts';
import { nextRecord } from '../../domain/fields/record.ts';
import type { WriteContext } from '../entities/write-context.ts';
import {
  isOfKind,
  type EntityOf,
  nouns,
  parsed,
  placeUnder,
  type Entity,
  type EntityFields,
  toEntity,
  entityWithoutInternalFields,
  withoutInternalFields,
} from '../entities/entity.ts';
import { findObjects, getObject, getVisibleObject } from '../entities/get.ts';

interface Addition<Kind extends ObjectKind> {
  kind: Kind;
  idempotency: Idempotency | undefined;
  writeContext: WriteContext;
}

/**
 * Adds an object with all that makes it unique and all that it refers to, or nothing. One transaction. A request that took
 * effect before, under the same Idempotency-Key, does nothing: the object is the one that it added then, as it was.
 *
 * @param make the object; what it throws is said only to a request that did not take effect before.
 */
export async function addObject<Kind extends ObjectKind>(
  table: Table,
  { kind, idempotency, writeContext }: Addition<Kind>,
  make: () => Item | Promise<Item>,
): Promise<EntityOf<Kind>> {
  const once = idempotency === undefined ? undefined : { idempotency, now: writeContext.clock() };
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
 * Makes an object be there: adds what `make` says when it is not, else lets `next` say what it should be, and writes that if
 * it differs. Starts over when somebody else wrote meanwhile.
 *
 * @param seen the object as it was read for many at once; undefined when it was not there.
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
          // What is taken may be taken by this very object, which another request has added meanwhile.
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
 * Where is an agent to run? Under a pmm_agent, on the node of that one (one read); otherwise where it says.
 *
 * @throws ApiError `notFound` for a pmm_agent that is not there, `failedPrecondition` for an agent of another type.
 */
export async function placeOf(table: Table, added: Item): Promise<Place> {
  const { pmm_agent_id: id } = z.parse(z.object({ pmm_agent_id: z.optional(z.string()) }), added);
  if (id === undefined) return {};
  return placeUnder(await getObject(table, 'agent', id));
}

/** @throws ApiError `revisionMismatch` when the caller saw another revision than the present one. */
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
 * Changes an object: reads it, lets `next` say what it should be, and writes that if nobody else wrote meanwhile (else
 * all over again). One read, and one write or transaction; no write at all when nothing changes.
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
 * What an object may have at most fits into one transaction; taking away nearly all of it for as much else does not, nor do
 * the conditions of a caller's scope on top of it.
 */
export function assertFitsOneTransaction(steps: TransactItem[]): TransactItem[] {
  if (steps.length <= MAX_TRANSACTION_ACTIONS) return steps;
  throw new ApiError('failedPrecondition', 'Too many references and labels change at once. Split the change.');
}

/**
 * Plans what makes an object that was read what it should be, if it differs. Whether the caller may see it at all is to be
 * checked where it is read.
 *
 * @returns the object as it is to be; the very same one when nothing changes.
 * @throws ApiError `permissionDenied` when it would leave the caller's scope.
 */
export function planReplacement<Kind extends ObjectKind>(
  plan: TransactionPlan,
  old: EntityOf<Kind>,
  wanted: Item,
  attributeTo?: AttributeTo,
): EntityOf<Kind> {
  if (isDeepStrictEqual(wanted, withoutInternalFields(old.object))) return old;
  const record = nextRecord(old.object, plan.writeContext.clock());
  const kind: Kind = old.kind;
  const changed = nextState(old, parsed(kind, { ...wanted, ...record }));
  if (!isOfKind(changed, kind)) throw new Error(`not a ${kind}`);
  const { gone, come } = derivedItemChanges(old, changed);
  planChange(plan, old, changed, { attributeTo });
  if ([...gone, ...come].some(({ dependency }) => dependency !== undefined))
    assertNotRemoving(plan, old, { attributeTo });
  return changed;
}
