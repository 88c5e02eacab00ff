import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Item, Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { type Change, changeIdIn, toChange } from './change-record.ts';
import { feedTimeKnown, latestChange, noteFeedTime } from './feed-time.ts';
import { CHANGE_SHARDS, CHANGE_SECONDS, changeShardPartition, changesFrom, timeOfChange } from '../table/keys.ts';
import { fitting } from '../table/page.ts';
import { queryPage } from '../table/read.ts';

/**
 * A change is there no later than this after its own time, or never: what writes it is sent for 13 s at most (see
 * shared/db/table.ts), and the feed's time never goes back (see feed-time.ts). What is older is settled: its order is final.
 */
export const SETTLED_MS = 20_000;

/** As many changes as a cursor names one by one; with more in the last SETTLED_MS a follower is so far behind. */
const MAX_NAMED = 500;

/** The farthest that a clock can go ahead and come back while nothing changes, without a follower missing what comes then. */
const IDLE_MS = 12 * 3_600_000;

/** Of the hash of an id: two of a cursor's changes are taken for one with odds of 1 in 10^9, and only if one is late. */
const NAME_BYTES = 5;

/** So often the changes of the last moments are read again before a page goes without them. */
const MAX_LOOKS = 6;

/** Where a follower is: it has every change from before this time, and of those since then the ones that are named. */
export interface FeedPosition {
  /** Milliseconds since 1970. */
  time: number;
  names: ReadonlySet<string>;
}

export interface FeedPage {
  changes: Change[];
  next: FeedPosition;
  /** There are changes that this page had no room for. */
  more: boolean;
}

const nameOf = (changeId: string) =>
  createHash('sha256').update(changeId).digest().subarray(0, NAME_BYTES).toString('base64url');

/** By time, then by transaction and place in it; the partition tells apart what is left. */
const orderOf = (changeId: string) => changeId.slice(1) + changeId.slice(0, 1);

const inOrder = (left: { changeId: string }, right: { changeId: string }) =>
  orderOf(left.changeId) < orderOf(right.changeId) ? -1 : 1;

interface Found {
  changeId: string;
  item: Item;
}

interface Reading {
  found: Found[];
  /** That is not all. */
  more: boolean;
}

/** What one partition has from a time on, the first ones; `more` when that is not all. */
async function readShard(
  table: Table,
  shard: number,
  { from, most }: { from: number; most: number },
): Promise<Reading> {
  const { items, more } = await queryPage(table, {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': changeShardPartition(shard), ':from': changesFrom(from) },
    ConsistentRead: true,
    Limit: most,
  });
  return { found: items.map((item) => ({ changeId: changeIdIn(item), item })), more };
}

/** What all partitions have together, in order, as far as it is known to be all; `more` when that is not to the end. */
async function read(table: Table, range: { from: number; most: number }): Promise<Reading> {
  const shards = await Promise.all(Array.from({ length: CHANGE_SHARDS }, (_, shard) => readShard(table, shard, range)));
  // Past the end of a partition that has more, one of its changes might come next.
  const ends = shards.flatMap(({ found, more }) => {
    const last = found.at(-1);
    return more && last !== undefined ? [orderOf(last.changeId)] : [];
  });
  const end = ends.sort()[0];
  const all = shards.flatMap(({ found }) => found).sort(inOrder);
  return {
    found: end === undefined ? all : all.filter(({ changeId }) => orderOf(changeId) <= end),
    more: end !== undefined,
  };
}

/**
 * The changes of the last moments, where some may still come in before others. A second look has all without which those of
 * the first could not have been made: that was there before them, with earlier times (see `AFTER_THE_LAST` in plan.ts). So
 * what both looks have is in order up to the first one that only the second has.
 */
async function readLive(
  table: Table,
  start: FeedPosition,
  { from, most, first }: { from: number; most: number; first: Reading | undefined },
): Promise<Reading> {
  const look = () => read(table, { from, most: MAX_NAMED + most });
  let before = first ?? (await look());
  if (withoutNamed(before.found, start).length === 0) return before;
  for (let looks = 1; looks < MAX_LOOKS; looks += 1) {
    const again = await look();
    const known = new Set(before.found.map(({ changeId }) => changeId));
    const newcomer = again.found.findIndex(({ changeId }) => !known.has(changeId));
    const found = newcomer === -1 ? again.found : again.found.slice(0, newcomer);
    const more = again.more || newcomer !== -1;
    if (!more || withoutNamed(found, start).length > 0) return { found, more };
    before = again;
  }
  // They come in faster than they are read: they will have settled soon.
  return { found: [], more: true };
}

function withoutNamed(found: readonly Found[], { names }: FeedPosition): Found[] {
  return found.filter(({ changeId }) => !names.has(nameOf(changeId)));
}

/**
 * What changed since then, in an order in which nothing comes before what it needed to be there. One query for each
 * partition, all at the same time; once more for each look at the last moments when there is something new in them.
 *
 * @throws ApiError `gone` when changes since then may not be kept any more.
 */
export async function readFeed(
  table: Table,
  position: FeedPosition | undefined,
  { most, now }: { most: number; now: Date },
): Promise<FeedPage> {
  const oldest = now.getTime() - CHANGE_SECONDS * 1000;
  if (position !== undefined && position.time < oldest)
    throw new ApiError(
      'gone',
      'Changes from this cursor are no longer kept. Read the inventory again, then continue with since=now.',
    );
  const { time, names } = position ?? { time: oldest, names: new Set<string>() };
  const start: FeedPosition = { time, names };
  // Who asks often has all the last moments in one look. Of older changes, which are spread evenly, a part of a page from each
  // partition is most of a page.
  const isClose = time >= feedTimeKnown(table, now) - 2 * SETTLED_MS;
  const part = isClose ? MAX_NAMED + most : Math.ceil(most / CHANGE_SHARDS) + names.size;
  const first = await read(table, { from: time, most: part });
  const latest = first.found.at(-1);
  if (latest !== undefined) noteFeedTime(table, timeOfChange(latest.changeId));
  const settled = Math.max(time, feedTimeKnown(table, now) - SETTLED_MS);
  const isRecent = ({ changeId }: Found) => timeOfChange(changeId) >= settled;
  const recent = first.found.filter(isRecent);
  const isFull = first.more && recent.length === 0;
  const known = first.more ? undefined : { found: recent, more: false };
  const live = isFull ? nothing : await readLive(table, start, { from: settled, most, first: known });
  const found = [...first.found.filter((one) => !isRecent(one)), ...live.found];
  const news = withoutNamed(found, start);
  const named = found.filter(isRecent).length - news.filter(isRecent).length;
  const settledNews = news.filter((one) => !isRecent(one)).length;
  const page = shown(news.slice(0, Math.min(most, settledNews + Math.max(0, MAX_NAMED - named))));
  const isCut = isFull || live.more;
  const more = isCut || page.length < news.length;
  // Up to the first one that is not on the page, or that may come after the last one that was read.
  const left = news[page.length] ?? (isCut ? found.at(-1) : undefined);
  const end = isCut ? settled : Math.max(time, endOf(found.at(-1)?.changeId, now));
  const reached = left === undefined ? end : timeOfChange(left.changeId);
  return {
    changes: page.map(({ change }) => change),
    next: positionAt(Math.min(settled, reached), found, page, start),
    more,
  };
}

const nothing: Reading = { found: [], more: false };

/**
 * How far a cursor may go when there is nothing after this change: a clock that was ahead may go back, and then changes continue from
 * here. A cursor still has to keep up with what is kept, so it follows the clock half a day behind.
 */
function endOf(changeId: string | undefined, now: Date): number {
  const behind = now.getTime() - IDLE_MS;
  return changeId === undefined ? behind : Math.max(behind, timeOfChange(changeId) + 1);
}

/** As many as one reply can carry. */
function shown(found: readonly Found[]): { changeId: string; change: Change }[] {
  const changes = found.map(({ changeId, item }) => ({ changeId, change: toChange(item) }));
  return changes.slice(0, fitting(changes));
}

/** Past everything before `time`, and past what is on the page; what has been read and is before it needs no name. */
function positionAt(
  time: number,
  read: readonly { changeId: string }[],
  page: readonly { changeId: string }[],
  start: FeedPosition,
): FeedPosition {
  const isBefore = ({ changeId }: { changeId: string }) => timeOfChange(changeId) < time;
  const named = new Set(start.names);
  for (const one of read) if (isBefore(one)) named.delete(nameOf(one.changeId));
  for (const one of page) if (!isBefore(one)) named.add(nameOf(one.changeId));
  return { time, names: named };
}

/**
 * Where a follower begins who reads the inventory next. The changes of the last moments are still to come: indexes, which
 * lists are read from, may lag behind them.
 */
export async function presentPosition(table: Table, now: Date): Promise<FeedPosition> {
  const latest = await latestChange(table);
  const end = Math.max(now.getTime() - IDLE_MS, latest === undefined ? 0 : latest + 1);
  return { time: Math.min(feedTimeKnown(table, now) - SETTLED_MS, end), names: new Set() };
}

const namesSchema = z.array(z.string());

/** A position as the two texts that a token is made of. */
export function positionToTexts({ time, names }: FeedPosition): [string, string] {
  return [String(time), [...names].join('')];
}

export function positionFromTexts([time, names]: readonly [string, string]): FeedPosition {
  return { time: Number(time), names: new Set(z.parse(namesSchema, names.match(/.{7}/g) ?? [])) };
}
