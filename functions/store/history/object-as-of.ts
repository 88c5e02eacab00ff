import type { Item, Table } from '../../../shared/db/table.ts';
import { type FieldChange, fieldsBefore } from '../../domain/records/net-fields.ts';
import { changeActions } from '../../domain/records/change.ts';
import { MAX_CHANGES_AFTER, type presences } from '../../domain/records/as-of.ts';
import { type ObjectKind, objectKey, timeOfChange } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { entityIn, notFound, withoutInternalFields } from '../entities/entity.ts';
import { readChange } from './object-history.ts';

export interface AsOf {
  presence: (typeof presences)[number];
  /** Milliseconds since 1970, as `until`; see the contract. */
  from?: number | undefined;
  until?: number | undefined;
  /** The stored fields of an object that is present. */
  fields?: Item;
}

interface ObjectOfPast {
  kind: ObjectKind;
  id: string;
  /** The change that removed it. */
  removal: string | undefined;
}

/** The fields of an object, or undefined for an absent one, and the change that made it so. */
interface ObjectAfterChange {
  fields: Item | undefined;
  changeId: string | undefined;
}

/** The present object; of a removed one, its removal. @throws ApiError `notFound`. */
async function presentObject(table: Table, { kind, id, removal }: ObjectOfPast, now: Date): Promise<ObjectAfterChange> {
  const item = await readItem(table, objectKey(kind, id));
  if (item !== undefined) {
    const { object } = entityIn(kind, item);
    return { fields: withoutInternalFields<Item>(object), changeId: object.last_change };
  }
  const change = removal === undefined ? undefined : await readChange(table, removal, now);
  if (change?.action !== 'removed' || change.kind !== kind || change.id !== id) throw notFound(kind, id);
  return { fields: undefined, changeId: removal };
}

/** The object at a time before the earliest change that can be read: not added, or unknown. @param earliest the time of that change. */
function beforeKnown(fields: Item | undefined, time: Date, earliest: number): AsOf {
  // An import keeps `created_at`, which is before the add of the object here.
  const created = Date.parse(String(fields?.['created_at']));
  return created > time.getTime()
    ? { presence: 'not_added', until: created }
    : { presence: 'unknown', until: earliest };
}

/**
 * An object as of a time: the present object, or its removal, and back over the changes since then. One read for the
 * object, one for each change, and one for the removal of a removed object.
 *
 * @throws ApiError `notFound`, also for a removed object without its removal.
 */
export async function readAsOf(
  table: Table,
  object: ObjectOfPast,
  { time, now }: { time: Date; now: Date },
): Promise<AsOf> {
  let { fields, changeId } = await presentObject(table, object, now);
  let until: number | undefined;
  /** The changes of `fields` since the time, the first one first. */
  let changes: FieldChange[] = [];
  const past = () => (fields === undefined ? undefined : fieldsBefore(fields, changes));
  for (let reads = 0; changeId !== undefined && timeOfChange(changeId) > time.getTime(); reads += 1) {
    const change = reads < MAX_CHANGES_AFTER ? await readChange(table, changeId, now) : undefined;
    if (change === undefined) return beforeKnown(past(), time, timeOfChange(changeId));
    until = timeOfChange(changeId);
    const { action, before, revision, previous } = change;
    if (!changeActions.includes(action)) return { presence: 'unknown', until };
    if (action === 'added' && previous === undefined) return { presence: 'not_added', until };
    if (action === 'changed') changes.unshift({ ...change, before: { ...before, revision: revision - 1 } });
    else [fields, changes] = [before, []];
    changeId = previous;
  }
  const reconstructed = past();
  // An object from before there were records of changes has the time of its last change only.
  const from = changeId === undefined ? Date.parse(String(reconstructed?.['updated_at'])) : timeOfChange(changeId);
  if (reconstructed === undefined) return { presence: 'removed', from, until };
  if (from > time.getTime()) return beforeKnown(reconstructed, time, until ?? from);
  return { presence: 'present', from, until, fields: reconstructed };
}
