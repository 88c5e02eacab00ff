import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { ABSENT, stale } from '../../../shared/db/conditions.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { FORCED_REMOVALS_PARTITION, forcedRemovalKey, type ObjectKind } from '../table/keys.ts';
import type { OwnerLimit } from '../../domain/access/owned-objects.ts';
import { ownerLimitSchema } from '../entities/owner-limit.ts';
import { type Actor, actorSchema, type WriteContext } from '../entities/write-context.ts';
import { readCollection, readItem } from '../table/read.ts';

/** A forced removal in several transactions that has begun and has not finished. */
export interface ForcedRemoval {
  kind: ObjectKind;
  id: string;
  /** All transactions of the removal are recorded under this id. */
  removalId: string;
  /** The actor and the request that began the removal. Transactions of a resumed removal are recorded as theirs. */
  actor: Actor;
  requestId: string;
  /** The owners to which its caller is limited: the rest of the removal is, too. */
  limit: OwnerLimit | undefined;
  begunAt: Date;
}

const itemSchema = lazily(() =>
  z.object({
    kind: openEnum(objectKinds),
    id: z.string(),
    removal_id: z.string(),
    actor: actorSchema,
    request_id: z.string(),
    limit: z.optional(ownerLimitSchema()),
    begun_at: z.iso.datetime(),
  }),
);

function toForcedRemoval(item: Item): ForcedRemoval {
  const { kind, id, actor, ...rest } = z.parse(itemSchema(), item);
  return {
    kind,
    id,
    actor,
    removalId: rest.removal_id,
    requestId: rest.request_id,
    limit: rest.limit,
    begunAt: new Date(rest.begun_at),
  };
}

/**
 * Records that a removal has begun, in the transaction that marks the object as being removed. The transaction that
 * removes the object deletes the record.
 */
export function forcedRemovalStep(
  { kind, id }: Pick<ForcedRemoval, 'kind' | 'id'>,
  { writeContext, removalId }: { writeContext: WriteContext; removalId: string },
): TransactItem {
  const item = {
    ...forcedRemovalKey(kind, id),
    kind,
    id,
    removal_id: removalId,
    actor: writeContext.actor,
    request_id: writeContext.requestId,
    ...(writeContext.limit === undefined ? {} : { limit: writeContext.limit }),
    begun_at: writeContext.clock().toISOString(),
  };
  return { put: item, condition: ABSENT, onConditionFailed: stale };
}

/** The forced removal of this object that has begun; undefined when none exists. One strongly consistent read. */
export async function findForcedRemoval(
  table: Table,
  kind: ObjectKind,
  id: string,
): Promise<ForcedRemoval | undefined> {
  const item = await readItem(table, forcedRemovalKey(kind, id));
  return item === undefined ? undefined : toForcedRemoval(item);
}

/** All forced removals that have begun. One strongly consistent query. */
export async function listForcedRemovals(table: Table): Promise<ForcedRemoval[]> {
  return (await readCollection(table, FORCED_REMOVALS_PARTITION)).map(toForcedRemoval);
}
