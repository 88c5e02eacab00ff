import * as z from 'zod/mini';
import { ABSENT, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { endAfter } from '../../../shared/db/seconds.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { RESTORE_DAYS } from '../../domain/records/retention.ts';
import type { ObjectChange } from './change-record.ts';
import {
  type ObjectKind,
  removalIdOf,
  removalIn,
  removalKey,
  removalParts,
  REMOVALS_PARTITION,
  removalsFrom,
  timeOfRemoval,
  TTL_ATTRIBUTE,
} from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { type Actor, actorKinds, type WriteContext } from '../entities/write-context.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { queryUpTo, readCollection } from '../table/read.ts';
import { idOf, orderOf, type Entity } from '../entities/entity.ts';

/** How long a removal can be restored, in seconds. */
export const RESTORE_SECONDS = RESTORE_DAYS * 86_400;

/** A short description of a removed object. */
export interface RemovedObject {
  kind: ObjectKind;
  id: string;
  /** The type of an agent; the name of a node or service. */
  name: string;
  /** The change that removed it; it contains the whole object. */
  changeId: string;
}

/** The objects that one transaction of a removal removed. A removal of several transactions has several of these. */
export interface Removal {
  removalId: string;
  key: { pk: string; sk: string };
  removedAt: Date;
  actor: Actor;
  requestId: string;
  objects: RemovedObject[];
}

const removalItem = z.object({
  pk: z.string(),
  sk: z.string(),
  actor_kind: z.enum(actorKinds),
  actor_id: z.string(),
  actor_name: z.string(),
  request_id: z.string(),
  objects: z.array(z.tuple([z.enum(objectKinds), z.string(), z.string(), z.string()])),
});

export const newRemovalId = (milliseconds: number) => removalIdOf(milliseconds, newTransactionName());

const nameOf = (entity: Entity) => (entity.kind === 'agent' ? entity.object.agent_type : orderOf(entity));

interface Written {
  changeId: string;
  change: ObjectChange;
}

/** Records the objects that a transaction removes, so that they can be restored; empty when it removes none. */
export function removalSteps(
  writes: readonly Written[],
  { writeContext: { actor, requestId }, removalId }: { writeContext: WriteContext; removalId: string | undefined },
  at: number,
): TransactItem[] {
  const gone = writes.flatMap(({ changeId, change: { before, after } }) =>
    before !== undefined && after === undefined ? [{ changeId, before }] : [],
  );
  const [first] = gone;
  if (first === undefined) return [];
  const Item: Item = {
    ...removalKey(removalId ?? newRemovalId(at), first.changeId),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: requestId,
    objects: gone.map(({ changeId, before }) => [before.kind, idOf(before), nameOf(before), changeId]),
    [TTL_ATTRIBUTE]: endAfter(new Date(at), RESTORE_SECONDS),
  };
  return [{ Put: { Item, ConditionExpression: ABSENT }, own: true }];
}

type Entry = [RemovedObject['kind'], id: string, name: string, changeId: string];

const toEntry = ({ kind, id, name, changeId }: RemovedObject): Entry => [kind, id, name, changeId];

/** Deletes the record of a removal when all its objects are restored. */
export const forgetRemoval = ({ key }: Removal): TransactItem => ({
  Delete: { Key: key, ConditionExpression: PRESENT },
  onConditionFailed: stale,
});

/** Removes one restored object from the record, so that it cannot be restored twice. */
export function withoutReturned(removal: Removal, returned: RemovedObject): { left: Removal; step: TransactItem } {
  const left = { ...removal, objects: removal.objects.filter((object) => object !== returned) };
  if (left.objects.length === 0) return { left, step: forgetRemoval(removal) };
  const Update = {
    Key: removal.key,
    UpdateExpression: 'SET objects = :left',
    ConditionExpression: 'objects = :objects',
    ExpressionAttributeValues: { ':left': left.objects.map(toEntry), ':objects': removal.objects.map(toEntry) },
  };
  return { left, step: { Update, onConditionFailed: stale } };
}

function toRemoval(item: Item): Removal {
  const { pk, sk, objects, ...by } = z.parse(removalItem, item);
  const removalId = removalIn(sk);
  return {
    removalId,
    key: { pk, sk },
    removedAt: new Date(timeOfRemoval(removalId)),
    actor: { kind: by.actor_kind, id: by.actor_id, name: by.actor_name },
    requestId: by.request_id,
    objects: objects.map(([kind, id, name, changeId]) => ({ kind, id, name, changeId })),
  };
}

const oldest = (now: Date) => now.getTime() - RESTORE_SECONDS * 1000;

/** The removals that can be restored, newest first. One strongly consistent query. */
export async function listRemovals(table: Table, { size, after }: PageOptions, now: Date): Promise<Page<Removal>> {
  const { items, more } = await queryUpTo(table, {
    KeyConditionExpression: 'pk = :removals AND sk >= :oldest',
    ExpressionAttributeValues: { ':removals': REMOVALS_PARTITION, ':oldest': removalsFrom(oldest(now)) },
    ScanIndexForward: false,
    ConsistentRead: true,
    size,
    ...(after === undefined ? {} : { ExclusiveStartKey: { pk: REMOVALS_PARTITION, sk: after[0] } }),
  });
  const removals = items.map(toRemoval);
  const last = removals.at(-1);
  return { objects: removals, next: more && last !== undefined ? [last.key.sk, last.removalId] : undefined };
}

/** All parts of a removal that can still be restored; empty when no such removal exists. */
export async function readRemoval(table: Table, removalId: string, now: Date): Promise<Removal[]> {
  if (!/^[0-9a-z]{15}$/.test(removalId) || timeOfRemoval(removalId) < oldest(now)) return [];
  return (await readCollection(table, REMOVALS_PARTITION, removalParts(removalId))).map(toRemoval);
}
