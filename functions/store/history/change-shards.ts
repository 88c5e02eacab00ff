import * as z from 'zod/mini';
import { ABSENT, equals, or, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { changeShardsKey, FIRST_CHANGE_SHARDS } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

/** The number of partitions of changes. */
interface ChangeShards {
  shards: number;
  /** The number before it grew last. */
  before: number;
  /** When it grew last, in milliseconds since 1970. */
  grownAt: number;
}

const itemSchema = z.object({ shards: z.int(), before: z.int(), grown_at: z.int() });

const toChangeShards = (item: Item): ChangeShards => {
  const { grown_at: grownAt, ...counts } = z.parse(itemSchema, item);
  return { ...counts, grownAt };
};

const first: ChangeShards = { shards: FIRST_CHANGE_SHARDS, before: FIRST_CHANGE_SHARDS, grownAt: 0 };

/**
 * How long after the growth the first change is written to a new partition. The item is written up to 21 s after its
 * `grown_at` (patience for contention, and the time of a write). A request of a version without this item, which reads
 * four partitions, takes up to 29 s. Clocks differ by less than 20 s (feed-time.ts).
 */
export const GROWTH_DELAY_MS = 120_000;

/** CloudFormation may set the former number again for so long, when it rolls back a deployment that failed later. */
export const ROLLBACK_MS = 3_600_000;

/**
 * How often a process that writes looks for a larger number. Until it finds it, it writes to fewer partitions, which
 * readers read as well.
 */
const LOOK_MS = 600_000;

/** As last read by this process, by the name of the table; `at` by the monotonic clock. */
const knownOf = new Map<string, ChangeShards & { at: number }>();

const knownTo = ({ name }: Table): ChangeShards => knownOf.get(name) ?? first;

/** The largest number of partitions that this process knows. */
export const changeShardsKnown = (table: Table): number => knownTo(table).shards;

async function readChangeShards(table: Table): Promise<ChangeShards> {
  const item = await readItem(table, changeShardsKey);
  const read = item === undefined ? first : toChangeShards(item);
  const latestKnown = knownTo(table);
  // A reply may arrive after that of a later read.
  const latest = read.shards < latestKnown.shards ? latestKnown : read;
  knownOf.set(table.name, { ...latest, at: monotonicMs(table) });
  return latest;
}

/**
 * Reads every partition of changes, in parallel with the number of them. The number is read each time, strongly
 * consistent, so the result contains every partition that a change was written to before the call. If there are more
 * than this process knew, all are read again: the reads of one result are never further apart than one call takes.
 */
export async function inEveryShard<T>(table: Table, read: (shard: number) => Promise<T>): Promise<T[]> {
  const shardCount = changeShardsKnown(table);
  const shards = Array.from({ length: shardCount }, (_, shard) => read(shard));
  const [current, ...results] = await Promise.all([readChangeShards(table), ...shards]);
  return current.shards > shardCount ? inEveryShard(table, read) : results;
}

/**
 * The number of partitions that a change may be written to.
 *
 * @param clock of the writer.
 */
export function changeShardsToWrite(table: Table, clock: Date): number {
  const { shards, before, grownAt } = knownTo(table);
  return clock.getTime() < grownAt + GROWTH_DELAY_MS ? before : shards;
}

/** Looks for a larger number if the last look was long ago. A failure has no effect: the known partitions are enough. */
export async function lookForGrowth(table: Table): Promise<void> {
  const at = knownOf.get(table.name)?.at;
  if (at === undefined || monotonicMs(table) - at < LOOK_MS) return;
  await readChangeShards(table).catch(() => undefined);
}

/** The number was not changed. */
export class ShardCountError extends Error {}

/**
 * Increases the number of partitions. The former number again, within ROLLBACK_MS of the growth, has no effect.
 *
 * @throws ShardCountError for a smaller number, and for a further growth within GROWTH_DELAY_MS.
 */
export async function growChangeShards(table: Table, wanted: number, now: Date): Promise<void> {
  await retryOnContention(table, async () => {
    const { shards, before, grownAt } = await readChangeShards(table);
    const since = now.getTime() - grownAt;
    if (wanted === shards || (wanted === before && since < ROLLBACK_MS)) return;
    if (wanted < shards)
      throw new ShardCountError(
        `${wanted} partitions of changes are fewer than the ${shards} of this table. The number can only grow, because ` +
          `the changes in the others would be lost. Set ${shards} or more, or omit the setting.`,
      );
    if (since < GROWTH_DELAY_MS)
      throw new ShardCountError(
        'The number of partitions of changes grew less than two minutes ago. Increase it again in two minutes.',
      );
    const { refusal } = await writeItem(table, {
      put: { ...changeShardsKey, shards: wanted, before: shards, grown_at: now.getTime() },
      condition: or(ABSENT, equals('shards', shards)),
    });
    // The next attempt reads the number that is stored: of this write, if its first reply was lost.
    if (refusal !== undefined) throw stale();
  });
}

/** For tests of a restart: a new process knows the number of a new table. */
export function forgetChangeShards({ name }: Table): void {
  knownOf.delete(name);
}
