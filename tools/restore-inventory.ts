import { createHash } from 'node:crypto';
import { BatchWriteCommand, type BatchWriteCommandInput, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { growChangeShards, inEveryShard } from '../functions/store/history/change-shards.ts';
import { isAccessItem, isKeyItem } from '../functions/store/table/keys.ts';
import { backOff } from '../shared/core/monotonic-clock.ts';
import { timeOfDay } from '../shared/core/time-of-day.ts';
import type { Item, Key, Table } from '../shared/db/table.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const MAX_BATCH_WRITE = 25;

/** How often what the table did not take of a batch is sent again; the waits come to about a minute. */
const MAX_BATCH_ROUNDS = 12;
const MAX_WAIT_MS = 8000;

const keySchema = z.object({ pk: z.string(), sk: z.string() });

interface Options {
  /** False only counts. */
  apply: boolean;
  /** Also restores API keys and enrolment tokens, of which a table contains the digests. */
  withKeys?: boolean;
  clock?: () => Date;
}

/** The counts of a restoration, in items of the table. */
export interface Restoration {
  put: number;
  removed: number;
  /** The same in both tables already. */
  same: number;
}

const nameOf = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);

/** Distinguishes states of an item without storing the item: a table need not fit into memory. */
function digest(item: Item): string {
  const canonical = JSON.stringify(item, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(canonical).digest('base64');
}

const isRestored = (item: Item, withKeys: boolean) => {
  const key = z.parse(keySchema, item);
  return !isAccessItem(key) || (withKeys && isKeyItem({ ...key, kind: item['kind'] }));
};

/** Page by page, all items to restore. */
async function* restoredItems({ client, name }: Table, withKeys: boolean): AsyncGenerator<Item[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: name,
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    yield (page.Items ?? []).filter((item) => isRestored(item, withKeys));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

type Write = NonNullable<NonNullable<BatchWriteCommandInput['RequestItems']>[string]>[number];

async function writeBatch(table: Table, writes: readonly Write[]): Promise<void> {
  const { client, name } = table;
  let rest = [...writes];
  for (let round = 0; rest.length > 0; round += 1) {
    if (round === MAX_BATCH_ROUNDS) throw new Error(`The table ${name} is throttled. Run the command again.`);
    if (round > 0) await backOff(table, Math.min(MAX_WAIT_MS, 50 * 2 ** round));
    const reply = await client.send(new BatchWriteCommand({ RequestItems: { [name]: rest } }));
    rest = reply.UnprocessedItems?.[name] ?? [];
  }
}

async function writeAll(table: Table, writes: readonly Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += MAX_BATCH_WRITE)
    await writeBatch(table, writes.slice(start, start + MAX_BATCH_WRITE));
}

/**
 * Makes the nodes, services and agents of one table equal to those of another, such as one restored from a backup. By
 * default keys, accounts and secrets stay as they are: a key that was removed since the backup must not come back.
 * Nothing else may write to the table at the same time. After an interruption, run it again.
 *
 * @throws Error when there is nothing in `from`: an empty inventory is rather a wrong table than a wish.
 */
export async function restoreInventory(
  { from, to }: { from: Table; to: Table },
  { apply, withKeys = false, clock = timeOfDay }: Options,
): Promise<Restoration> {
  if (from.name === to.name) throw new Error('The two tables must be different.');
  // The other table may have changes in more partitions than this one has.
  const { length: shards } = await inEveryShard(from, () => Promise.resolve());
  if (apply && shards > (await inEveryShard(to, () => Promise.resolve())).length)
    await growChangeShards(to, shards, clock());
  const present = new Map<string, string>();
  for await (const items of restoredItems(to, withKeys))
    for (const item of items) present.set(nameOf(z.parse(keySchema, item)), digest(item));
  const restoration: Restoration = { put: 0, removed: 0, same: 0 };
  for await (const items of restoredItems(from, withKeys)) {
    const differing = items.filter((item) => present.get(nameOf(z.parse(keySchema, item))) !== digest(item));
    for (const item of items) present.delete(nameOf(z.parse(keySchema, item)));
    if (apply)
      await writeAll(
        to,
        differing.map((Item) => ({ PutRequest: { Item } })),
      );
    restoration.put += differing.length;
    restoration.same += items.length - differing.length;
  }
  if (restoration.put + restoration.same === 0) throw new Error(`The table ${from.name} contains no inventory.`);
  const gone = [...present.keys()].map((name) => z.parse(z.tuple([z.string(), z.string()]), JSON.parse(name)));
  if (apply)
    await writeAll(
      to,
      gone.map(([pk, sk]) => ({ DeleteRequest: { Key: { pk, sk } } })),
    );
  restoration.removed = gone.length;
  return restoration;
}
