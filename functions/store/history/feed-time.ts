import type { Table } from '../../../shared/db/table.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { changeIdIn } from './change-record.ts';
import { forgetChangeShards, inEveryShard, lookForGrowth } from './change-shards.ts';
import { changeShardPartition, changesFrom, STATE_CHANGES_PARTITION, timeOfChange } from '../table/keys.ts';
import { queryPage } from '../table/read.ts';

/**
 * The time of the feed never decreases, even when clocks do. It is the clock's time unless the feed is ahead of it;
 * then it continues from the latest change that this process knows of (a hybrid logical clock), at half the speed of
 * real time, so that the clock catches up.
 */
interface FeedClock {
  /** Milliseconds since 1970. */
  latest: number;
  /** When `latest` was the time, by the monotonic clock. */
  at: number;
  /** The time of the last change that this process has read or made: its next one is later. */
  last: number;
  /** Whether the latest change has been read from the table. */
  isRead: boolean;
}

/** By the name of the table. */
const knownOf = new Map<string, FeedClock>();

/**
 * A clock that is behind the feed by less does not cause another read: the clocks of a deployment's functions differ by
 * about this.
 */
const DOUBT_MS = 1000;

const passed = (table: Table, { latest, at }: FeedClock) => Math.floor(latest + (monotonicMs(table) - at) / 2);

const unknownAt = (table: Table): FeedClock => ({ latest: 0, at: monotonicMs(table), last: 0, isRead: false });

function note(table: Table, known: Partial<FeedClock>): void {
  knownOf.set(table.name, { ...(knownOf.get(table.name) ?? unknownAt(table)), ...known });
}

/** The time of the feed, as far as this process knows. */
export function feedTimeKnown(table: Table, clock: Date): number {
  const entry = knownOf.get(table.name);
  return entry === undefined ? clock.getTime() : Math.max(clock.getTime(), passed(table, entry));
}

/** Records that the feed, or a follower, may have reached this time. */
export function noteFeedTime(table: Table, milliseconds: number): void {
  const entry = knownOf.get(table.name);
  if (entry !== undefined && passed(table, entry) >= milliseconds) return;
  note(table, { latest: milliseconds, at: monotonicMs(table) });
}

/** Records the time of a change that exists or is about to be made: the next one of this process is later. */
export function noteChange(table: Table, milliseconds: number): void {
  noteFeedTime(table, milliseconds);
  note(table, { last: Math.max(milliseconds, knownOf.get(table.name)?.last ?? 0) });
}

/**
 * The time of the latest change in any partition, also of a state; undefined without changes. One strongly consistent query for each
 * partition, in parallel.
 */
export async function latestChange(table: Table): Promise<number | undefined> {
  const last = (partition: string) =>
    queryPage(table, {
      partition,
      sort: [changesFrom(0)],
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    });
  const [shards, states] = await Promise.all([
    inEveryShard(table, (shard) => last(changeShardPartition(shard))),
    last(STATE_CHANGES_PARTITION),
  ]);
  const times = [...shards, states].flatMap(({ items }) => items.map((item) => timeOfChange(changeIdIn(item))));
  if (times.length === 0) return undefined;
  const latest = Math.max(...times);
  noteChange(table, latest);
  return latest;
}

/**
 * The time for a change that is about to be made: later than every change that the table contained at the last read, and
 * than those of this process, at the same reading of the clock too: an object that is removed and added again at once has
 * its changes in this order.
 *
 * The table is read before the first change of a process, and before every change while the clock is behind the feed.
 */
export async function feedTime(table: Table, clock: Date): Promise<number> {
  const entry = knownOf.get(table.name);
  if (entry?.isRead !== true) await readOnce(table);
  else if (clock.getTime() < passed(table, entry) - DOUBT_MS) await latestChange(table);
  else await lookForGrowth(table);
  const time = Math.max(feedTimeKnown(table, clock), (knownOf.get(table.name)?.last ?? 0) + 1);
  noteChange(table, time);
  return time;
}

const readings = new Map<string, Promise<unknown>>();

/** The first changes of a process may be simultaneous: they share one read. */
async function readOnce(table: Table): Promise<void> {
  const shared = readings.get(table.name);
  const reading = shared ?? latestChange(table).finally(() => readings.delete(table.name));
  readings.set(table.name, reading);
  // When the shared read fails, the others read themselves: it may have failed at the deadline of the request that
  // began it.
  await (shared === undefined ? reading : reading.catch(() => latestChange(table)));
  note(table, { isRead: true });
}

/** For tests of a restart: a new process knows no feed time, and the partitions of a new table. */
export function forgetFeedTime(table: Table): void {
  knownOf.delete(table.name);
  forgetChangeShards(table);
}
