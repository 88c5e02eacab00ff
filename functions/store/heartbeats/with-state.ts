import type { Item, Table } from '../../../shared/db/table.ts';
import { type Heartbeats, readHeartbeats, toHeartbeat, withReport, withState } from './heartbeat.ts';
import { heartbeatKey, type ObjectKind } from '../table/keys.ts';
import { getVisibleObject } from '../entities/get.ts';
import { type EntityOf, type Entity, type EntityFields, withoutInternalFields } from '../entities/entity.ts';
import { readItems } from '../table/read.ts';
import type { Scope } from '../entities/key-scope.ts';

interface Asked<Kind extends ObjectKind> {
  kind: Kind;
  id: string;
  scope: Scope;
  now: Date;
}

/**
 * The object with this id, with its present state. Two strongly consistent reads, for a node in parallel.
 *
 * @throws ApiError `notFound`, `permissionDenied`.
 */
export async function getReply<Kind extends ObjectKind>(
  table: Table,
  { kind, id, scope, now }: Asked<Kind>,
): Promise<EntityFields<Kind>['object']> {
  if (kind !== 'node') return toReply(table, await getVisibleObject(table, kind, id, scope), now);
  const [stored, items] = await Promise.all([
    getVisibleObject(table, kind, id, scope),
    readItems(table, [heartbeatKey(id)]),
  ]);
  return withState<Kind>(stored, new Map(items.map((item) => [id, toHeartbeat(item)])), now);
}

/** An object that was read, with its state. One round of strongly consistent batch reads. */
export async function toReply<Kind extends ObjectKind>(
  table: Table,
  stored: EntityOf<Kind>,
  now: Date,
): Promise<EntityFields<Kind>['object']> {
  return withState(stored, await readHeartbeats(table, [stored]), now);
}

/**
 * The object that a write results in, with the fields that its agent process reported. `begin` starts the read of the
 * heartbeat while the write is in progress. Replies to writes contain no state.
 */
export function reportedAlongside(table: Table, now: Date) {
  let reading: Promise<Heartbeats> | undefined;
  return {
    /** Takes a heartbeat of the object's node that was read already. */
    take: (item: Item | undefined): void => {
      const heartbeats = (item === undefined ? [] : [toHeartbeat(item)]).map((one) => [one.nodeId, one] as const);
      reading = Promise.resolve(new Map(heartbeats));
    },
    begin(entity: Entity): void {
      reading ??= readHeartbeats(table, [entity]);
      // `end` throws a failed read. When the write itself fails, nobody awaits the read; the handler prevents an
      // unhandled rejection.
      reading.catch(() => undefined);
    },
    async end<Kind extends ObjectKind>(stored: EntityOf<Kind>): Promise<EntityFields<Kind>['object']> {
      const heartbeats = await (reading ?? readHeartbeats(table, [stored]));
      return withoutInternalFields(Object.assign({}, stored.object, withReport(stored, heartbeats, now)));
    },
  };
}
