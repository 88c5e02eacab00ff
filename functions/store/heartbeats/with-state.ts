import type { Item, Table } from '../../../shared/db/table.ts';
import { type Heartbeats, readHeartbeats, toHeartbeat, withReport, withState } from './heartbeat.ts';
import { heartbeatKey, nameOfKey, objectKey, type ObjectKind } from '../table/keys.ts';
import { getVisibleObject, readObject } from '../entities/get.ts';
import { type EntityOf, type Entity, type EntityFields, withoutInternalFields } from '../entities/entity.ts';
import { type Read, readAhead } from '../table/read.ts';
import { checkScope, type Scope } from '../entities/key-scope.ts';

interface Asked<Kind extends ObjectKind> {
  kind: Kind;
  id: string;
  scope: Scope;
  now: Date;
}

/**
 * The object with this id, with its present state. Strongly consistent: one batch read for a node, else two reads.
 *
 * @throws ApiError `notFound`, `permissionDenied`.
 */
export async function getReply<Kind extends ObjectKind>(
  table: Table,
  { kind, id, scope, now }: Asked<Kind>,
): Promise<EntityFields<Kind>['object']> {
  if (kind !== 'node') return toReply(table, await getVisibleObject(table, kind, id, scope), now);
  const items = await readAhead(table, [objectKey(kind, id), heartbeatKey(id)]);
  const read: Read = (key) => Promise.resolve(items.get(nameOfKey(key)));
  const stored = await readObject(read, kind, id);
  checkScope(scope, stored);
  const heartbeat = await read(heartbeatKey(id));
  const heartbeats = new Map(heartbeat === undefined ? [] : [[id, toHeartbeat(heartbeat)]]);
  return withState<Kind>(stored, heartbeats, now);
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
