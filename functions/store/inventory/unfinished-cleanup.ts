import * as z from 'zod/mini';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { type CleanupPlace, cleanupPlace } from './cleanup.ts';
import { stoppedCleanupKey, unfinishedCleanupKey } from '../table/keys.ts';

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

const stoppedSchema = z.object({ at: z.number(), objects: z.int() });

/** The scheduled cleanup that the safety threshold stopped, if that was the last one: its time, in milliseconds since 1970, and the objects that it would have removed. */
export async function stoppedCleanup(table: Table): Promise<z.output<typeof stoppedSchema> | undefined> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: stoppedCleanupKey }));
  return Item === undefined ? undefined : z.parse(stoppedSchema, Item);
}

/** Keeps whether the safety threshold stopped the last scheduled cleanup. */
export async function keepStoppedCleanup(
  table: Table,
  stopped: z.output<typeof stoppedSchema> | undefined,
): Promise<void> {
  if (stopped === undefined && (await stoppedCleanup(table)) === undefined) return;
  await table.client.send(
    stopped === undefined
      ? new DeleteCommand({ TableName: table.name, Key: stoppedCleanupKey })
      : new PutCommand({ TableName: table.name, Item: { ...stoppedCleanupKey, ...stopped } }),
  );
}
