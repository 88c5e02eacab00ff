import type { Item, Table } from '../../../shared/db/table.ts';
import { type Heartbeats, readHeartbeats, toHeartbeats } from './heartbeat.ts';
import { nodeStateFields, toReplyWith, withReport } from './shown-state.ts';
import { heartbeatKey, objectKey, type ObjectKind } from '../table/keys.ts';
import { getVisibleObject } from '../entities/get.ts';
import {
  type EntityOf,
  type Entity,
  type EntityFields,
  entityIn,
  listedJson,
  notFound,
  withoutInternalFields,
} from '../entities/entity.ts';
import { shownJson, withFields } from '../entities/shown-json.ts';
import { readItems } from '../table/read.ts';
import { type Scope, type Visible, visible, type VisibleObject } from '../entities/key-scope.ts';

interface ObjectLookup {
  kind: ObjectKind;
  id: string;
  scope: Scope;
  now: Date;
}

/** An object as JSON, for a reply. */
export interface ObjectJson {
  json: string;
  revision: number;
}

/** The text of a stored node is the reply, but for its state. */
async function getNode(table: Table, { id, scope, now }: Omit<ObjectLookup, 'kind'>): Promise<ObjectJson> {
  const [key, heartbeatOfNode] = [objectKey('node', id), heartbeatKey(id)];
  const items = await readItems(table, [key, heartbeatOfNode]);
  const item = items.find(({ pk }) => pk === key.pk);
  if (item === undefined) throw notFound('node', id);
  const stored = visible(scope, entityIn('node', item));
  const [heartbeat] = await toHeartbeats(
    table,
    items.filter(({ pk }) => pk === heartbeatOfNode.pk),
  );
  const fields = nodeStateFields(heartbeat, now);
  return { json: withFields(listedJson(stored), fields), revision: Number(item['revision']) };
}

/**
 * The object with this id, with its present state. Strongly consistent: one batch read for a node, else two reads; one
 * more read, of a unit, if a relay reports for its node.
 *
 * @throws ApiError `notFound`, `permissionDenied`.
 */
export async function getReply(table: Table, { kind, ...asked }: ObjectLookup): Promise<ObjectJson> {
  if (kind === 'node') return getNode(table, asked);
  const stored = await getVisibleObject(table, kind, asked.id, asked.scope);
  const heartbeats = await readHeartbeats(table, [stored]);
  return { json: shownJson(toReplyWith(stored, heartbeats, asked.now)), revision: stored.object.revision };
}

/** An object that was read, with its state. One round of strongly consistent batch reads, or two. */
export async function withState<Kind extends ObjectKind>(
  table: Table,
  stored: Visible<EntityOf<Kind>>,
  now: Date,
): Promise<EntityFields<Kind>['object'] & VisibleObject> {
  return Object.assign({}, stored.object, toReplyWith(stored, await readHeartbeats(table, [stored]), now));
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
      const items = item === undefined ? [] : [item];
      reading = toHeartbeats(table, items).then(
        (heartbeats) => new Map(heartbeats.map((heartbeat) => [heartbeat.nodeId, heartbeat])),
      );
      reading.catch(() => undefined);
    },
    begin(entity: Entity): void {
      reading ??= readHeartbeats(table, [entity]);
      // `end` throws a failed read. When the write itself fails, nobody awaits the read; the handler prevents an
      // unhandled rejection.
      reading.catch(() => undefined);
    },
    async end<Kind extends ObjectKind>(
      stored: Visible<EntityOf<Kind>>,
    ): Promise<EntityFields<Kind>['object'] & VisibleObject> {
      const heartbeats = await (reading ?? readHeartbeats(table, [stored]));
      return withoutInternalFields(Object.assign({}, stored.object, withReport(stored, heartbeats, now)));
    },
  };
}
