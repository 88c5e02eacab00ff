import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { FORCED_REMOVALS_PARTITION, forcedRemovalKey, type ObjectKind, objectKinds } from '../table/keys.ts';
import { type Actor, actorSchema, type WriteContext } from '../entities/write-context.ts';
import { readCollection } from '../table/read.ts';

/** A forced removal in several transactions that has begun and has not finished. */
export interface ForcedRemoval {
  kind: ObjectKind;
  id: string;
  /** The removal that all its transactions are recorded under. */
  removalId: string;
  /** Who asked for it, and in which request. A removal that is resumed is recorded as theirs. */
  actor: Actor;
  requestId: string;
  begunAt: Date;
}

const itemSchema = z.object({
  kind: z.enum(objectKinds),
  id: z.string(),
  removal_id: z.string(),
  actor: actorSchema,
  request_id: z.string(),
  begun_at: z.iso.datetime(),
});

function toForcedRemoval(item: Item): ForcedRemoval {
  const { kind, id, actor, ...rest } = z.parse(itemSchema, item);
  return {
    kind,
    id,
    actor,
    removalId: rest.removal_id,
    requestId: rest.request_id,
    begunAt: new Date(rest.begun_at),
  };
}

/** Records that a removal begins, in the transaction that closes the object. The transaction that removes the object deletes it. */
export function forcedRemovalStep(
  { kind, id }: Pick<ForcedRemoval, 'kind' | 'id'>,
  { writeContext, removalId }: { writeContext: WriteContext; removalId: string },
): TransactItem {
  const Item = {
    ...forcedRemovalKey(kind, id),
    kind,
    id,
    removal_id: removalId,
    actor: writeContext.actor,
    request_id: writeContext.requestId,
    begun_at: writeContext.clock().toISOString(),
  };
  return { Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' }, onConditionFailed: () => new StaleRead() };
}

/** The forced removal of this object that has begun; undefined when there is none. One strongly consistent read. */
export async function findForcedRemoval(
  { client, name }: Table,
  kind: ObjectKind,
  id: string,
): Promise<ForcedRemoval | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: forcedRemovalKey(kind, id), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toForcedRemoval(Item);
}

/** All forced removals that have begun. One strongly consistent query. */
export async function listForcedRemovals(table: Table): Promise<ForcedRemoval[]> {
  return (await readCollection(table, FORCED_REMOVALS_PARTITION)).map(toForcedRemoval);
}
