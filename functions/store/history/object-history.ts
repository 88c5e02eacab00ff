import type { Position } from '../../../shared/db/page-token.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type Change, toChange } from './change-record.ts';
import { changeKey, type ObjectKind, timeOfChange } from '../table/keys.ts';
import type { PageOptions } from '../table/page.ts';
import { readItem } from '../table/read.ts';
import { getVisibleObject } from '../entities/get.ts';
import type { Scope } from '../entities/key-scope.ts';
import { nouns } from '../entities/entity.ts';
import { recordSeconds } from '../table/record-retention.ts';

const isKept = (changeId: string, now: Date) => timeOfChange(changeId) >= now.getTime() - recordSeconds() * 1000;

/**
 * A change. One strongly consistent read.
 *
 * @returns undefined if it is past its retention (DynamoDB may delete it days later), or missing because the table was
 *   restored from a backup.
 */
export async function readChange(table: Table, changeId: string, now: Date): Promise<Change | undefined> {
  const item = isKept(changeId, now) ? await readItem(table, changeKey(changeId)) : undefined;
  return item && toChange(item);
}

/**
 * The changes of an object, newest first. One read for the object, and one for each change: a change refers to the one
 * before it, so no index has to be written with every change.
 *
 * @throws ApiError `notFound`, `permissionDenied`.
 */
export async function readHistory(
  table: Table,
  { kind, id, scope }: { kind: ObjectKind; id: string; scope: Scope },
  { size, after, now }: PageOptions & { now: Date },
): Promise<{ objects: Change[]; next: Position | undefined }> {
  // Also for later pages: the caller must still be permitted to see the object.
  const { object } = await getVisibleObject(table, kind, id, scope);
  const objects: Change[] = [];
  let changeId = after === undefined ? object.last_change : after[0];
  while (changeId !== undefined && objects.length < size) {
    const change = await readChange(table, changeId, now);
    if (change === undefined) return { objects, next: undefined };
    if (change.id !== id) throw new Error(`a change of another object than the ${nouns[kind]}`);
    objects.push(change);
    changeId = change.previous;
  }
  return { objects, next: changeId === undefined || !isKept(changeId, now) ? undefined : [changeId, id] };
}
