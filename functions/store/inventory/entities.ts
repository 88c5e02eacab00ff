import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Item, Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { matches, type Revisions } from '../../../shared/http/etag.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import type { AgentPlace } from '../../domain/agent/lifecycle.ts';
import type { ObjectKind } from '../table/keys.ts';
import { commit, commitOnce } from './commit.ts';
import { planAdd, planChange, type TransactionPlan } from './transaction-plan.ts';
import type { AttributeTo } from './dependents-counter.ts';
import { nextState } from '../entities/derived-items.ts';
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
import { type Visible, visible, writable } from '../entities/key-scope.ts';
import { stamped } from '../entities/owner-limit.ts';

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
  { kind, ...request }: Addition<Kind>,
  make: () => Item | Promise<Item>,
): Promise<Visible<EntityOf<Kind>>> {
  const written = await commitOnce(
    table,
    request,
    async (plan) => planAdd(plan, parsed(kind, await make())),
    ({ object }) => object,
  );
  if ('result' in written) return written.result;
  return visible(request.writeContext.scope, parsed(kind, written.repeated));
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
  return commit(table, writeContext, async (plan) => {
    attempts += 1;
    const [old] = attempts === 1 ? [seen] : await findObjects(table, [{ kind, id }]);
    if (old === undefined) {
      planAdd(plan, toEntity(kind, await make()));
      return 'added';
    }
    const visibleOld = visible(writeContext.scope, old);
    const changed = planReplacement(plan, visibleOld, next(entityWithoutInternalFields(old)));
    return changed === visibleOld ? 'unchanged' : 'changed';
  });
}

/**
 * The place of an agent. Under a pmm_agent: that one and its node (one read). Otherwise empty: the agent's own fields
 * apply.
 *
 * @throws ApiError `notFound` when the pmm_agent does not exist, `failedPrecondition` for an agent of another type.
 */
export async function placeOf(table: Table, added: Item): Promise<AgentPlace> {
  const { pmm_agent_id: id } = z.parse(z.object({ pmm_agent_id: z.optional(z.string()) }), added);
  if (id === undefined) return {};
  return placeUnder(await getObject(table, 'agent', id));
}

/** @throws ApiError `revisionMismatch` when the caller's If-Match does not contain the present revision. */
export function checkRevision(ifMatch: Revisions | undefined, { kind, object }: Entity): void {
  if (ifMatch === undefined || matches(ifMatch, object.revision)) return;
  throw new ApiError('revisionMismatch', `${nouns[kind]} is at revision ${object.revision}.`);
}

interface ChangeTarget<Kind extends ObjectKind> {
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
  { kind, id, ifMatch, writeContext }: ChangeTarget<Kind>,
  next: (old: EntityFields<Kind>['object']) => Item,
): Promise<Visible<EntityOf<Kind>>> {
  return commit(table, writeContext, async (plan) => {
    const old = await getVisibleObject(table, kind, id, writeContext.scope);
    checkRevision(ifMatch, old);
    return planReplacement(plan, old, next(withoutInternalFields(old.object)));
  });
}

/**
 * Plans the replacement of an object that was read, if `declared` differs from it.
 *
 * @param mark internal fields of the changed object. They alone are no change.
 * @returns the object as it will be; the same reference as `old` when nothing changes.
 * @throws ApiError `permissionDenied` when it would leave the caller's scope.
 */
export function planReplacement<Kind extends ObjectKind>(
  plan: TransactionPlan,
  old: Visible<EntityOf<Kind>>,
  declared: Item,
  { attributeTo, mark }: { attributeTo?: AttributeTo | undefined; mark?: Item | undefined } = {},
): Visible<EntityOf<Kind>> {
  const { limit } = plan.writeContext;
  // Also when nothing changes: a reply would confirm that the caller could have made the change.
  if (limit !== undefined) writable(plan.writeContext, old);
  const wanted = stamped(limit, old.kind, declared);
  if (isDeepStrictEqual(wanted, withoutInternalFields(old.object))) return old;
  const record = nextRecord(old.object, plan.writeContext.now);
  const kind: Kind = old.kind;
  const changed = nextState(old, parsed(kind, { ...wanted, ...mark, ...record }));
  if (!isOfKind(changed, kind)) throw new Error(`not a ${kind}`);
  return planChange(plan, old, changed, { attributeTo });
}
