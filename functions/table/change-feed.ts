import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Item, Table } from '../../shared/db/table.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { type Change, changeIdIn, toChange } from './changes.ts';
import { CHANGE_LANES, CHANGE_SECONDS, changeLanePartition, changesFrom, timeOfChange } from './keys.ts';
import { fitting } from './lists.ts';
import { queryPage } from './read.ts';

/**
 * A change is there no later than this after its own time, or never: what writes it is sent for 13 s at most (see
 * shared/db/table.ts), and clocks of functions differ by less than a second. What is older is settled: its order is final.
 */
export const SETTLED_MS = 20_000;

/** As many changes as a cursor names one by one; with more in the last SETTLED_MS a follower is so far behind. */
const MAX_NAMED = 500;

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

/** What one partition has from one time up to another, the first ones; `more` when that is not all. */
async function readLane(
  table: Table,
  lane: number,
  { from, to, most }: { from: number; to: number | undefined; most: number },
): Promise<{ found: Found[]; more: boolean }> {
  const { items, more } = await queryPage(table, {
    KeyConditionExpression: `pk = :pk AND sk ${to === undefined ? '>= :from' : 'BETWEEN :from AND :to'}`,
    ExpressionAttributeValues: {
      ':pk': changeLanePartition(lane),
      ':from': changesFrom(from),
      // Sort keys go on after the time, so this is the end of the millisecond before.
      ...(to === undefined ? {} : { ':to': changesFrom(to) }),
    },
    ConsistentRead: true,
    Limit: most,
  });
  return { found: items.map((item) => ({ changeId: changeIdIn(item), item })), more };
}

/** What all partitions have together, in order, as far as it is known to be all; `more` when that is not to the end. */
async function read(
  table: Table,
  range: { from: number; to: number | undefined; most: number },
): Promise<{ found: Found[]; more: boolean }> {
  const lanes = await Promise.all(Array.from({ length: CHANGE_LANES }, (_, lane) => readLane(table, lane, range)));
  // Past the end of a partition that has more, one of its changes might come next.
  const ends = lanes.flatMap(({ found, more }) => {
    const last = found.at(-1);
    return more && last !== undefined ? [orderOf(last.changeId)] : [];
  });
  const end = ends.sort()[0];
  const all = lanes.flatMap(({ found }) => found).sort(inOrder);
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
  { from, most }: { from: number; most: number },
): Promise<{ found: Found[]; more: boolean }> {
  const look = () => read(table, { from, to: undefined, most: MAX_NAMED + most });
  let before = await look();
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
 * partition, all at the same time; at the end of the feed once more for each look at the last moments.
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
    throw new ApiError('gone', 'Changes since then are not kept any more. Read the inventory anew, from since=now on.');
  const { time, names } = position ?? { time: oldest, names: new Set<string>() };
  const start: FeedPosition = { time, names };
  const settled = Math.max(time, now.getTime() - SETTLED_MS);

  // Who asks often is spared a second range: what has just settled is read along with the last moments.
  const isClose = time >= settled - SETTLED_MS;
  // Changes are spread evenly, so a part of a page from each partition is most of a page; and one more than is known already.
  const part = Math.ceil(most / CHANGE_LANES) + names.size;
  const old = isClose ? nothing : await read(table, { from: time, to: settled, most: part });
  const isFull = old.more || withoutNamed(old.found, start).length >= most;
  const live = isFull ? nothing : await readLive(table, start, { from: isClose ? time : settled, most });
  const found = [...old.found, ...live.found];
  const news = withoutNamed(found, start);
  const isRecent = ({ changeId }: Found) => timeOfChange(changeId) >= settled;
  const named = found.filter(isRecent).length - news.filter(isRecent).length;
  const settledNews = news.filter((one) => !isRecent(one)).length;
  const page = shown(news.slice(0, Math.min(most, settledNews + Math.max(0, MAX_NAMED - named))));
  const isCut = isFull || live.more;
  const more = isCut || page.length < news.length;
  // Up to the first one that is not on the page, or that may come after the last one that was read.
  const left = news[page.length] ?? (isCut ? found.at(-1) : undefined);
  const reached = left !== undefined ? timeOfChange(left.changeId) : more && isClose ? time : settled;
  return {
    changes: page.map(({ change }) => change),
    next: positionAt(Math.min(settled, reached), found, page, start),
    more,
  };
}

const nothing: { found: Found[]; more: boolean } = { found: [], more: false };

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
export function presentPosition(now: Date): FeedPosition {
  return { time: now.getTime() - SETTLED_MS, names: new Set() };
}

const namesSchema = z.array(z.string());

/** A position as the two texts that a token is made of. */
export function positionToTexts({ time, names }: FeedPosition): [string, string] {
  return [String(time), [...names].join('')];
}

export function positionFromTexts([time, names]: readonly [string, string]): FeedPosition {
  return { time: Number(time), names: new Set(z.parse(namesSchema, names.match(/.{7}/g) ?? [])) };
}
