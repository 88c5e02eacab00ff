import type { Table } from '../../../shared/db/table.ts';
import { changeIdIn } from './change-record.ts';
import { CHANGE_SHARDS, changeShardPartition, changesFrom, timeOfChange } from '../table/keys.ts';
import { queryPage } from '../table/read.ts';

/**
 * The time of the feed never goes back, whatever the clocks do. It is the clock's unless the feed is ahead of that: then it goes on from
 * the latest change that this process knows of, as fast as time passes (a hybrid logical clock).
 */
interface Known {
  /** Milliseconds since 1970. */
  latest: number;
  /** When it was that late, by `performance.now()`, which no change of the clock moves. */
  at: number;
  /** Whether the table has been asked. */
  isRead: boolean;
}

/** By the name of the table. */
const knownOf = new Map<string, Known>();

/** Clocks that are behind by less are no reason to ask the table again: the functions of a deployment differ by so much. */
const DOUBT_MS = 1000;

const passed = ({ latest, at }: Known) => Math.floor(latest + performance.now() - at);

/** What time it is for the feed, as far as this process knows. */
export function feedTimeKnown(table: Table, clock: Date): number {
  const known = knownOf.get(table.name);
  return known === undefined ? clock.getTime() : Math.max(clock.getTime(), passed(known));
}

/** Takes in that the feed is as late as this, or that a follower may be. */
export function noteFeedTime(table: Table, milliseconds: number): void {
  const known = knownOf.get(table.name);
  if (known !== undefined && passed(known) >= milliseconds) return;
  knownOf.set(table.name, { latest: milliseconds, at: performance.now(), isRead: known?.isRead ?? false });
}

/** When the latest change in each partition was made; one strongly consistent query for each, all at the same time. */
export async function latestChange(table: Table): Promise<number | undefined> {
  const shards = Array.from({ length: CHANGE_SHARDS }, (_, shard) =>
    queryPage(table, {
      KeyConditionExpression: 'pk = :pk AND sk >= :from',
      ExpressionAttributeValues: { ':pk': changeShardPartition(shard), ':from': changesFrom(0) },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const times = (await Promise.all(shards)).flatMap(({ items }) => items.map((item) => timeOfChange(changeIdIn(item))));
  if (times.length === 0) return undefined;
  const latest = Math.max(...times);
  // Whatever comes now comes after it.
  noteFeedTime(table, latest + 1);
  return latest;
}

/**
 * The time for a change that is about to be made: after every change that the table had when it was last asked. It is
 * asked before the first change of a process, and before each one while the clock is behind the feed.
 */
export async function feedTime(table: Table, clock: Date): Promise<number> {
  const known = knownOf.get(table.name);
  if (known?.isRead !== true) await readOnce(table, clock);
  else if (clock.getTime() < passed(known) - DOUBT_MS) await latestChange(table);
  const time = feedTimeKnown(table, clock);
  noteFeedTime(table, time);
  return time;
}

const readings = new Map<string, Promise<unknown>>();

/** The first changes of a process may be many at the same time: one of them asks for all. */
async function readOnce(table: Table, clock: Date): Promise<void> {
  const shared = readings.get(table.name);
  const reading = shared ?? latestChange(table).finally(() => readings.delete(table.name));
  readings.set(table.name, reading);
  // Nobody depends on a request whose time may be up.
  await (shared === undefined ? reading : reading.catch(() => latestChange(table)));
  const known = knownOf.get(table.name) ?? { latest: clock.getTime(), at: performance.now() };
  knownOf.set(table.name, { ...known, isRead: true });
}

/** What a process knows ends with it: for tests of a restart. */
export function forgetFeedTime(table: Table): void {
  knownOf.delete(table.name);
}
