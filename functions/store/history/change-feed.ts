import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Item, Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { fitting } from '../../../shared/core/reply-size.ts';
import type { RecordKind } from '../../domain/records/change.ts';
import { type Change, changeIdIn, toRecord } from './change-record.ts';
import { changeShardsKnown, inEveryShard } from './change-shards.ts';
import { feedTimeKnown, latestChange, noteFeedTime } from './feed-time.ts';
import { changeShardPartition, changesFrom, STATE_CHANGES_PARTITION, timeOfChange } from '../table/keys.ts';
import { queryPage } from '../table/read.ts';
import { recordSeconds } from '../table/record-retention.ts';

/**
 * A change becomes visible at most this long after its own time, or never: its write is sent for 13 s at most (see
 * shared/db/table.ts), and the time of the feed never decreases (see feed-time.ts). The order of older changes is
 * final.
 */
export const RECENT_MS = 20_000;

/**
 * The most changes that a cursor lists individually. When more fall into the last RECENT_MS, a follower stays that far
 * behind.
 */
const MAX_NAMED = 500;

/**
 * If a clock is ahead and then set back by up to this time while no changes are made, a follower misses no later
 * changes.
 */
const IDLE_MS = 12 * 3_600_000;

/**
 * Bytes of the hash of an id: two changes of a cursor are confused with odds of 1 in 10^9, and only if one of them is
 * late.
 */
const NAME_BYTES = 5;

/** How often the recent changes are read again before a page is returned without them. */
const MAX_LOOKS = 6;

/** The position of a follower: it has all changes before this time, and of the later ones those that are named. */
export interface FeedPosition {
  /** Milliseconds since 1970. */
  time: number;
  names: ReadonlySet<string>;
}

/** The records that a follower reads: changes of objects, of states, or both. */
export interface FeedContents {
  objects: boolean;
  states: boolean;
}

export interface FeedPage {
  changes: Change<RecordKind>[];
  next: FeedPosition;
  /** More changes exist than this page contains. */
  more: boolean;
}

const nameOf = (changeId: string) =>
  createHash('sha256').update(changeId).digest().subarray(0, NAME_BYTES).toString('base64url');

/** By time, then by transaction and index; the partition is the last criterion. */
const orderOf = (changeId: string) => changeId.slice(1) + changeId.slice(0, 1);

const inOrder = (left: { changeId: string }, right: { changeId: string }) =>
  orderOf(left.changeId) < orderOf(right.changeId) ? -1 : 1;

interface FeedEntry {
  changeId: string;
  item: Item;
}

interface Reading {
  entries: FeedEntry[];
  /** More items exist. */
  more: boolean;
}

interface Range {
  contents: FeedContents;
  from: number;
  /** Of each partition. */
  most: number;
}

/** The first changes of one partition from a time on; `more` when others follow. */
async function readPartition(table: Table, partition: string, { from, most }: Range): Promise<Reading> {
  const { items, more } = await queryPage(table, {
    partition,
    sort: [changesFrom(from)],
    ConsistentRead: true,
    Limit: most,
  });
  return { entries: items.map((item) => ({ changeId: changeIdIn(item), item })), more };
}

/** The changes of all partitions in order, up to the point where the result is complete; `more` when others follow. */
async function read(table: Table, range: Range): Promise<Reading> {
  const { objects, states } = range.contents;
  const [ofObjects, ofStates] = await Promise.all([
    objects ? inEveryShard(table, (shard) => readPartition(table, changeShardPartition(shard), range)) : [],
    Promise.all(states ? [readPartition(table, STATE_CHANGES_PARTITION, range)] : []),
  ]);
  const shards = [...ofObjects, ...ofStates];
  // Beyond the last change that was read from an incomplete partition, its next change is unknown.
  const ends = shards.flatMap(({ entries, more }) => {
    const last = entries.at(-1);
    return more && last !== undefined ? [orderOf(last.changeId)] : [];
  });
  const end = ends.sort()[0];
  const all = shards.flatMap(({ entries }) => entries).sort(inOrder);
  return {
    entries: end === undefined ? all : all.filter(({ changeId }) => orderOf(changeId) <= end),
    more: end !== undefined,
  };
}

/**
 * The recent changes, before which others may still become visible. Read the shards twice. Any cause of a change in
 * the first pass was committed before it, so the second pass contains it. Return changes up to the first one that only
 * the second pass has. A cause always has an earlier time: see `AFTER_THE_LAST` in dependents-counter.ts.
 */
async function readLive(
  table: Table,
  start: FeedPosition,
  { first, ...range }: Range & { first: Reading | undefined },
): Promise<Reading> {
  const look = () => read(table, { ...range, most: MAX_NAMED + range.most });
  let before = first ?? (await look());
  if (withoutNamed(before.entries, start).length === 0) return before;
  for (let looks = 1; looks < MAX_LOOKS; looks += 1) {
    const again = await look();
    const seen = new Set(before.entries.map(({ changeId }) => changeId));
    const newcomer = again.entries.findIndex(({ changeId }) => !seen.has(changeId));
    const entries = newcomer === -1 ? again.entries : again.entries.slice(0, newcomer);
    const more = again.more || newcomer !== -1;
    if (!more || withoutNamed(entries, start).length > 0) return { entries, more };
    before = again;
  }
  // Changes are written faster than they are read. They will soon be older than RECENT_MS.
  return { entries: [], more: true };
}

function withoutNamed(entries: readonly FeedEntry[], { names }: FeedPosition): FeedEntry[] {
  return entries.filter(({ changeId }) => !names.has(nameOf(changeId)));
}

/** The number of partitions that contain what a follower reads. */
const partitionsOf = (table: Table, { objects, states }: FeedContents) =>
  (objects ? changeShardsKnown(table) : 0) + (states ? 1 : 0);

const ofObjectsOnly: FeedContents = { objects: true, states: false };

/**
 * The changes since a position, in an order in which every change follows the changes that it depends on. One query for
 * each partition, in parallel; once more for each further pass over the recent changes, if there are new ones.
 *
 * @param contents what to read. A position is one of time, so it is valid for any contents.
 * @throws ApiError `gone` when the retention time of changes since then has passed.
 */
export async function readFeed(
  table: Table,
  position: FeedPosition | undefined,
  { most, now, contents = ofObjectsOnly }: { most: number; now: Date; contents?: FeedContents },
): Promise<FeedPage> {
  const oldest = now.getTime() - recordSeconds() * 1000;
  if (position !== undefined && position.time < oldest)
    throw new ApiError(
      'gone',
      'Changes from this cursor are no longer kept. Read the inventory again, then continue with since=now.',
    );
  const { time, names } = position ?? { time: oldest, names: new Set<string>() };
  const start: FeedPosition = { time, names };
  // For a frequent reader one query contains all recent changes. Older changes are spread evenly over the
  // partitions, so a share of a page from each partition is most of a page.
  const isClose = time >= feedTimeKnown(table, now) - 2 * RECENT_MS;
  const part = isClose ? MAX_NAMED + most : Math.ceil(most / partitionsOf(table, contents)) + names.size;
  const first = await read(table, { contents, from: time, most: part });
  const latest = first.entries.at(-1);
  if (latest !== undefined) noteFeedTime(table, timeOfChange(latest.changeId));
  const recentFrom = Math.max(time, feedTimeKnown(table, now) - RECENT_MS);
  const isRecent = ({ changeId }: FeedEntry) => timeOfChange(changeId) >= recentFrom;
  const recent = first.entries.filter(isRecent);
  const isFull = first.more && recent.length === 0;
  const readEntries = first.more ? undefined : { entries: recent, more: false };
  const live = isFull
    ? nothing
    : await readLive(table, start, { contents, from: recentFrom, most, first: readEntries });
  const entries = [...first.entries.filter((entry) => !isRecent(entry)), ...live.entries];
  const news = withoutNamed(entries, start);
  const named = entries.filter(isRecent).length - news.filter(isRecent).length;
  const olderNews = news.filter((entry) => !isRecent(entry)).length;
  const page = fittingChanges(news.slice(0, Math.min(most, olderNews + Math.max(0, MAX_NAMED - named))));
  const isCut = isFull || live.more;
  const more = isCut || page.length < news.length;
  // The first change that is not on the page, or else the last one that was read, after which others may follow.
  const left = news[page.length] ?? (isCut ? entries.at(-1) : undefined);
  const end = isCut ? recentFrom : Math.max(time, endOf(entries.at(-1)?.changeId, now));
  const reached = left === undefined ? end : timeOfChange(left.changeId);
  return {
    changes: page.map(({ change }) => change),
    next: positionAt(Math.min(recentFrom, reached), entries, page, start),
    more,
  };
}

const nothing: Reading = { entries: [], more: false };

/**
 * The time up to which a cursor may advance when no changes follow this one. A clock that was ahead may be set back;
 * changes then continue after this one. To stay within the retention time, the cursor follows the clock at a distance
 * of half a day.
 */
function endOf(changeId: string | undefined, now: Date): number {
  const behind = now.getTime() - IDLE_MS;
  return changeId === undefined ? behind : Math.max(behind, timeOfChange(changeId) + 1);
}

/** As many changes as fit into one reply. */
function fittingChanges(entries: readonly FeedEntry[]): { changeId: string; change: Change<RecordKind> }[] {
  const changes = entries.map(({ changeId, item }) => ({ changeId, change: toRecord(item) }));
  return changes.slice(0, fitting(changes));
}

/**
 * The position after everything before `time` and after the changes of the page. Changes before `time` need no names.
 */
function positionAt(
  time: number,
  read: readonly { changeId: string }[],
  page: readonly { changeId: string }[],
  start: FeedPosition,
): FeedPosition {
  const isBefore = ({ changeId }: { changeId: string }) => timeOfChange(changeId) < time;
  const named = new Set(start.names);
  for (const entry of read) if (isBefore(entry)) named.delete(nameOf(entry.changeId));
  for (const entry of page) if (!isBefore(entry)) named.add(nameOf(entry.changeId));
  return { time, names: named };
}

/**
 * The position for a follower that reads the inventory next. It receives the recent changes again, because the
 * indexes that lists read may not contain them yet.
 */
export async function presentPosition(table: Table, now: Date): Promise<FeedPosition> {
  const latest = await latestChange(table);
  const end = Math.max(now.getTime() - IDLE_MS, latest === undefined ? 0 : latest + 1);
  return { time: Math.min(feedTimeKnown(table, now) - RECENT_MS, end), names: new Set() };
}

const namesSchema = z.array(z.string());

/** A position as two strings, for a page token. */
export function positionToTexts({ time, names }: FeedPosition): [string, string] {
  return [String(time), [...names].join('')];
}

export function positionFromTexts([time, names]: readonly [string, string]): FeedPosition {
  return { time: Number(time), names: new Set(z.parse(namesSchema, names.match(/.{7}/g) ?? [])) };
}
