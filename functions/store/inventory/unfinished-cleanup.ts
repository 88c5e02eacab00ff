import * as z from 'zod/mini';
import { DeleteCommand, GetCommand, PutCommand } from '../../../shared/db/commands.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type CleanupPlace, cleanupPlace } from './cleanup.ts';
import { unfinishedCleanupKey } from '../table/keys.ts';

/** An older cleanup begins anew: in a restored table, or after the schedule was off, its count is of another inventory. */
const MAX_AGE_MS = 24 * 3_600_000;

const itemSchema = z.object({ place: cleanupPlace });

/** How far the scheduled cleanup has come; undefined if it has finished. One strongly consistent read. */
export async function unfinishedCleanup(table: Table, now: Date): Promise<CleanupPlace | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: unfinishedCleanupKey, ConsistentRead: true }),
  );
  if (Item === undefined) return undefined;
  const { place } = z.parse(itemSchema, Item);
  return now.getTime() - place.asOf > MAX_AGE_MS ? undefined : place;
}

/** Keeps how far the scheduled cleanup has come. Only that one writes it, one run after the other: the last write wins. */
export async function keepUnfinishedCleanup(table: Table, place: CleanupPlace | undefined): Promise<void> {
  await table.client.send(
    place === undefined
      ? new DeleteCommand({ TableName: table.name, Key: unfinishedCleanupKey })
      : new PutCommand({ TableName: table.name, Item: { ...unfinishedCleanupKey, place } }),
  );
}
