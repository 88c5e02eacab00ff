import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { ABSENT, and, equals, isAtMost, or, absent, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { endAfter } from '../../../shared/core/seconds.ts';
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
import type { Position } from '../../../shared/db/page-token.ts';
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
  change_id: string;
}

/** A removal with all its objects. */
export interface Removal {
  removalId: string;
  removedAt: Date;
  actor: Actor;
  requestId: string;
  objects: RemovedObject[];
}

/** The objects that one transaction of a removal removed. A removal of several transactions has several parts. */
export interface RemovalPart extends Removal {
  key: { pk: string; sk: string };
  /** The request that restores the removal object by object, and the time until which no other request may. */
  restoring: z.output<typeof restoringSchema> | undefined;
}

const restoringSchema = z.object({
  name: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
});

const removalItem = z.object({
  pk: z.string(),
  sk: z.string(),
  actor_kind: openEnum(actorKinds),
  actor_id: z.string(),
  actor_name: z.string(),
  request_id: z.string(),
  objects: z.array(z.tuple([openEnum(objectKinds), z.string(), z.string(), z.string()], z.unknown())),
  restoring: z.optional(restoringSchema),
});

export const newRemovalId = (milliseconds: number) => removalIdOf(milliseconds, newTransactionName());

const nameOf = (entity: Entity) => (entity.kind === 'agent' ? entity.object.agent_type : orderOf(entity));

interface ChangeWrite {
  changeId: string;
  change: ObjectChange;
}

/** Records the objects that a transaction removes, so that they can be restored; empty when it removes none. */
export function removalSteps(
  writes: readonly ChangeWrite[],
  { writeContext: { actor, requestId }, removalId }: { writeContext: WriteContext; removalId: string | undefined },
  at: number,
): TransactItem[] {
  const gone = writes.flatMap(({ changeId, change: { before, after } }) =>
    before !== undefined && after === undefined ? [{ changeId, before }] : [],
  );
  const [first] = gone;
  if (first === undefined) return [];
  const item = {
    ...removalKey(removalId ?? newRemovalId(at), first.changeId),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: requestId,
    objects: gone.map(({ changeId, before }) => [before.kind, idOf(before), nameOf(before), changeId]),
    [TTL_ATTRIBUTE]: endAfter(new Date(at), RESTORE_SECONDS),
  };
  return [{ put: item, condition: ABSENT, exclusive: true }];
}

type RemovalEntry = [RemovedObject['kind'], id: string, name: string, changeId: string];

const toEntry = ({ kind, id, name, change_id }: RemovedObject): RemovalEntry => [kind, id, name, change_id];

/** Deletes a part of a removal when all its objects are restored. */
export const forgetRemoval = ({ key }: RemovalPart): TransactItem => ({
  delete: key,
  condition: PRESENT,
  onConditionFailed: stale,
});

/** Removes one restored object from the record, so that it cannot be restored twice. */
export function withoutReturned(
  removal: RemovalPart,
  returned: RemovedObject,
): { left: RemovalPart; step: TransactItem } {
  const left = { ...removal, objects: removal.objects.filter((object) => object !== returned) };
  if (left.objects.length === 0) return { left, step: forgetRemoval(removal) };
  const step = {
    update: removal.key,
    set: { objects: left.objects.map(toEntry) },
    condition: equals('objects', removal.objects.map(toEntry)),
    onConditionFailed: stale,
  };
  return { left, step };
}

/** Reserves the restoration of a removal for one request, in one of its parts. */
export const reserveRestoration = (
  { key }: RemovalPart,
  { name, until, now }: { name: string; until: number; now: Date },
  refusal: () => Error,
): TransactItem => ({
  update: key,
  set: { restoring: { name, until } },
  condition: and(PRESENT, or(absent('restoring'), isAtMost(['restoring', 'until'], now.getTime()))),
  onConditionFailed: refusal,
});

/** Ends the reservation. */
export const endRestoration = ({ key }: RemovalPart, name: string): TransactItem => ({
  update: key,
  remove: ['restoring'],
  condition: equals(['restoring', 'name'], name),
  onConditionFailed: stale,
});

function toPart(item: Item): RemovalPart {
  const { pk, sk, objects, restoring, ...by } = z.parse(removalItem, item);
  const removalId = removalIn(sk);
  return {
    removalId,
    key: { pk, sk },
    restoring,
    removedAt: new Date(timeOfRemoval(removalId)),
    actor: { kind: by.actor_kind, id: by.actor_id, name: by.actor_name },
    requestId: by.request_id,
    objects: objects.map(([kind, id, name, change_id]) => ({ kind, id, name, change_id })),
  };
}

const oldest = (now: Date) => now.getTime() - RESTORE_SECONDS * 1000;

/** The parts of removals that can be restored, newest first. One strongly consistent query. */
async function queryParts(table: Table, size: number, after: string | undefined, now: Date) {
  const { items, more } = await queryUpTo(table, {
    partition: REMOVALS_PARTITION,
    sort: [removalsFrom(oldest(now))],
    ScanIndexForward: false,
    ConsistentRead: true,
    size,
    ExclusiveStartKey: after === undefined ? undefined : { pk: REMOVALS_PARTITION, sk: after },
  });
  return { parts: items.map(toPart), more };
}

/** @param parts of one removal, in their order. */
function wholeOf(parts: readonly RemovalPart[]): Removal[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { removalId, removedAt, actor, requestId } = first;
  return [{ removalId, removedAt, actor, requestId, objects: parts.flatMap(({ objects }) => objects) }];
}

/**
 * The removals that can be restored, newest first, each with the objects of all its parts. One strongly consistent
 * query, and another two if the last removal of the page has further parts. Such a page has fewer removals.
 */
export async function listRemovals(table: Table, { size, after }: PageOptions, now: Date): Promise<Page<Removal>> {
  const { parts, more } = await queryParts(table, size, after?.[0], now);
  const byId = Map.groupBy(parts.toReversed(), ({ removalId }) => removalId);
  const last = parts.at(-1);
  const position = (part: RemovalPart): Position => [part.key.sk, part.removalId];
  let next = more && last !== undefined ? position(last) : undefined;
  if (next !== undefined && last !== undefined) {
    const whole = await readRemoval(table, last.removalId, now);
    const [first = last] = whole;
    if (whole.length > (byId.get(last.removalId)?.length ?? 0)) {
      byId.set(last.removalId, whole);
      next = (await queryParts(table, 1, first.key.sk, now)).parts.length > 0 ? position(first) : undefined;
    }
  }
  return { objects: [...byId.values()].toReversed().flatMap(wholeOf), next };
}

/** All parts of a removal that can still be restored; empty when no such removal exists. */
export async function readRemoval(table: Table, removalId: string, now: Date): Promise<RemovalPart[]> {
  if (!/^[0-9a-z]{15}$/.test(removalId) || timeOfRemoval(removalId) < oldest(now)) return [];
  return (await readCollection(table, REMOVALS_PARTITION, removalParts(removalId))).map(toPart);
}
