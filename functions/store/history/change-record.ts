import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { ABSENT } from '../../../shared/db/conditions.ts';
import { endAfter } from '../../../shared/core/seconds.ts';
import type { Item } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { changeActions, type RecordKind, recordKinds } from '../../domain/records/change.ts';
import {
  changeKey,
  type ObjectKind,
  STATE_CHANGES_PARTITION,
  stateChangeIdIn,
  timeOfChange,
  timeOfSortKey,
  TTL_ATTRIBUTE,
} from '../table/keys.ts';
import { type Actor, actorKinds, type WriteContext } from '../entities/write-context.ts';
import { idOf, type Entity, withoutInternalFields } from '../entities/entity.ts';
import type { Writable } from '../entities/key-scope.ts';
import { recordSeconds } from '../table/record-retention.ts';

/** One change of one object, before it gets an id. */
export interface ObjectChange {
  /** The object before; undefined when it is added. */
  before?: Writable;
  /** The object after; undefined when it is removed. */
  after?: Writable;
}

/** The record of a change: the object, the actor, the fields. */
export interface Change<Kind extends RecordKind = ObjectKind> {
  change_id: string;
  /** RFC 3339. */
  time: string;
  actor: Actor;
  request_id: string;
  kind: Kind;
  id: string;
  action: (typeof changeActions)[number];
  /** The revision after the change; of a removal, the last one; of a state, that of the node. */
  revision: number;
  /** All fields of a removed object; of a changed one, the fields that differ, before. */
  before?: Item;
  /** All fields of an added object; of a changed one, the fields that differ, after. */
  after?: Item;
  /** The change of the same object before this one. */
  previous?: string;
}

const recordItem = z.object({
  pk: z.string(),
  sk: z.string(),
  kind: openEnum(recordKinds),
  id: z.string(),
  action: openEnum(changeActions),
  revision: z.int(),
  actor_kind: openEnum(actorKinds),
  actor_id: z.string(),
  actor_name: z.string(),
  request_id: z.string(),
  previous: z.optional(z.string()),
  /**
   * `before` and `after` as compressed JSON, so that a change usually fits into one write unit, and two large objects
   * into an item.
   */
  fields: z.custom<Uint8Array>((value) => ArrayBuffer.isView(value)),
});

const fieldsSchema = z.object({
  before: z.optional(z.record(z.string(), z.unknown())),
  after: z.optional(z.record(z.string(), z.unknown())),
});

function differing(left: Item, other: Item): Item {
  return Object.fromEntries(
    Object.entries(left).filter(([name, value]) => name !== 'revision' && !isDeepStrictEqual(value, other[name])),
  );
}

const bare = ({ object }: Entity): Item => withoutInternalFields(object);

function fieldsOf({ before, after }: ObjectChange): z.output<typeof fieldsSchema> {
  const was = before === undefined ? undefined : bare(before);
  const is = after === undefined ? undefined : bare(after);
  if (was === undefined || is === undefined) return { before: was, after: is };
  return { before: differing(was, is), after: differing(is, was) };
}

/**
 * The change before this one: the last change of the object, or its removal when it is restored; undefined for a new
 * object.
 */
export function lastChangeOf({ before, after }: ObjectChange): string | undefined {
  return (before ?? after)?.object.last_change;
}

/**
 * Compresses with a window as long as the text, of 1 to 32 KB. zlib's default is for a text of any length: for a short
 * one, most of the time would be spent on preparing its memory.
 */
function compressed(json: string): Uint8Array {
  const windowBits = Math.min(15, Math.max(10, Math.ceil(Math.log2(Buffer.byteLength(json)))));
  return deflateRawSync(json, { windowBits, memLevel: windowBits - 7, chunkSize: 2 ** windowBits });
}

/** The record of the change, to write in the transaction that makes it. */
export function changeStep(changeId: string, change: ObjectChange, writeContext: WriteContext): TransactItem {
  const { before, after } = change;
  const stored = after ?? before;
  if (stored === undefined) throw new Error('a change of nothing');
  const previous = lastChangeOf(change);
  return recordStep({
    ...changeKey(changeId),
    kind: stored.kind,
    id: idOf(stored),
    action: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    revision: stored.object.revision,
    ...actorAttributes(writeContext),
    ...(previous === undefined ? {} : { previous }),
    fields: packed(fieldsOf(change)),
  });
}

/** The attributes of a record that name the actor and the request. */
export const actorAttributes = ({ actor, requestId }: Pick<WriteContext, 'actor' | 'requestId'>) => ({
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  request_id: requestId,
});

/** The fields of a record as its item contains them. */
export const packed = (fields: z.output<typeof fieldsSchema>) => compressed(JSON.stringify(fields));

/** The step that writes a record, with the time after which it is no longer kept. */
export function recordStep(attributes: z.output<typeof recordItem>): TransactItem {
  const time = new Date(timeOfSortKey(attributes.sk));
  return {
    put: { ...attributes, [TTL_ATTRIBUTE]: endAfter(time, recordSeconds()) },
    condition: ABSENT,
    exclusive: true,
  };
}

export function changeIdIn({ pk, sk }: Item): string {
  if (pk === STATE_CHANGES_PARTITION) return stateChangeIdIn({ sk: String(sk) });
  return `${String(pk).slice(changeKey('').pk.length)}${String(sk)}`;
}

const isOfObject = (change: Change<RecordKind>): change is Change => change.kind !== 'state';

export function toChange(item: Item): Change {
  const change = toRecord(item);
  if (!isOfObject(change)) throw new Error('a change of a state in the place of a change of an object');
  return change;
}

/** The change in an item: of an object, or of a state. */
export function toRecord(item: Item): Change<RecordKind> {
  const { kind, id, action, revision, previous, ...stored } = z.parse(recordItem, item);
  const changeId = changeIdIn(item);
  const text = inflateRawSync(stored.fields).toString();
  const { before, after } = z.parse(fieldsSchema, JSON.parse(text));
  return {
    change_id: changeId,
    time: new Date(timeOfChange(changeId)).toISOString(),
    actor: { kind: stored.actor_kind, id: stored.actor_id, name: stored.actor_name },
    request_id: stored.request_id,
    kind,
    id,
    action,
    revision,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(previous === undefined ? {} : { previous }),
  };
}
