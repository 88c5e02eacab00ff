import type { Item, Table } from '../../../shared/db/table.ts';
import { type Heartbeats, readHeartbeats, toHeartbeat, withReport, withState } from './heartbeat.ts';
import { heartbeatKey, type ObjectKind } from '../table/keys.ts';
import { showObject } from '../entities/get.ts';
import { type Known, type Stored, type StoredOf, withoutMark } from '../entities/entity.ts';
import { readItems } from '../table/read.ts';
import type { Scope } from '../entities/key-scope.ts';

interface Asked<Kind extends ObjectKind> {
  kind: Kind;
  id: string;
  scope: Scope;
  now: Date;
}

/**
 * The object with this id, as of now, with its state. Two strongly consistent reads; of a node both at once.
 *
 * @throws ApiError `notFound`, `permissionDenied`.
 */
export async function getShown<Kind extends ObjectKind>(
  table: Table,
  { kind, id, scope, now }: Asked<Kind>,
): Promise<StoredOf<Kind>['object']> {
  if (kind !== 'node') return shown(table, await showObject(table, kind, id, scope), now);
  const [stored, items] = await Promise.all([showObject(table, kind, id, scope), readItems(table, [heartbeatKey(id)])]);
  return withState<Kind>(stored, new Map(items.map((item) => [id, toHeartbeat(item)])), now);
}

/** An object as it was read, with its state. One round of strongly consistent batch reads. */
export async function shown<Kind extends ObjectKind>(
  table: Table,
  stored: Known<Kind>,
  now: Date,
): Promise<StoredOf<Kind>['object']> {
  return withState(stored, await readHeartbeats(table, [stored]), now);
}

/**
 * The object that a change leads to, with what its agent process reported, which is read while the change is made: `begin`
 * starts the read. Replies to writes show no state.
 */
export function reportedAlongside(table: Table, now: Date) {
  let reading: Promise<Heartbeats> | undefined;
  return {
    /** The heartbeat of its node, which somebody has read already. */
    take: (item: Item | undefined): void => {
      const heartbeats = (item === undefined ? [] : [toHeartbeat(item)]).map((one) => [one.nodeId, one] as const);
      reading = Promise.resolve(new Map(heartbeats));
    },
    begin(stored: Stored): void {
      reading ??= readHeartbeats(table, [stored]);
      // Whoever waits for it hears of the failure; nobody waits when the change itself fails.
      reading.catch(() => undefined);
    },
    async end<Kind extends ObjectKind>(stored: Known<Kind>): Promise<StoredOf<Kind>['object']> {
      const heartbeats = await (reading ?? readHeartbeats(table, [stored]));
      return withoutMark(Object.assign({}, stored.object, withReport(stored, heartbeats, now)));
    },
  };
}
