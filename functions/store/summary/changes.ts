import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import type { Table } from '../../../shared/db/table.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { changeActions } from '../../domain/records/change.ts';
import { CHANGE_HOURS, LATEST_CHANGES } from '../../domain/records/summary.ts';
import { actorSchema } from '../entities/write-context.ts';
import { type Change, changeIdIn, toChange } from '../history/change-record.ts';
import { RECENT_MS } from '../history/change-feed.ts';
import { inEveryShard } from '../history/change-shards.ts';
import { changeShardPartition, changesFrom, timeOfChange } from '../table/keys.ts';
import { queryPage } from '../table/read.ts';

const HOUR_MS = 3_600_000;

/** Changes of each partition that one pass counts: some 2,500 of 1 KB, 310 read units. */
const MAX_COUNTED = 2500;

const hourSchema = z.tuple([z.number(), openEnum(objectKinds), openEnum(changeActions), z.int()]);

/** The number of changes of a kind, by action, in the hour that begins at the time in milliseconds since 1970. */
export type ChangesOfHour = z.output<typeof hourSchema>;

export const changeCountSchema = z.object({
  /** The changes before this time are counted, in milliseconds since 1970. */
  until: z.number(),
  hours: z.array(hourSchema),
});

export type ChangeCount = z.output<typeof changeCountSchema>;

const keySchema = z.object({ kind: openEnum(objectKinds), action: openEnum(changeActions) });

interface ChangeEntry {
  time: number;
  kind: ChangesOfHour[1];
  action: ChangesOfHour[2];
}

/** The changes of one partition from a time on, and the time before which they are complete: Infinity, or that of the last one. */
async function readShard(table: Table, shard: number, from: number): Promise<{ changes: ChangeEntry[]; end: number }> {
  const { items, more } = await queryPage(table, {
    partition: changeShardPartition(shard),
    sort: [changesFrom(from)],
    attributes: ['pk', 'sk', 'kind', 'action'],
    Limit: MAX_COUNTED,
  });
  const changes = items.map((item) => ({ time: timeOfChange(changeIdIn(item)), ...z.parse(keySchema, item) }));
  const last = more ? changes.at(-1) : undefined;
  return { changes, end: last?.time ?? Number.POSITIVE_INFINITY };
}

const rankOf = ([hour, kind, action]: ChangesOfHour) => [
  hour,
  objectKinds.indexOf(kind),
  changeActions.indexOf(action),
];

/** By hour, kind and action. */
function inOrder(left: ChangesOfHour, right: ChangesOfHour): number {
  const others = rankOf(right);
  return (
    rankOf(left)
      .map((rank, index) => rank - (others[index] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  );
}

function added(hours: readonly ChangesOfHour[], changes: readonly ChangeEntry[], oldest: number): ChangesOfHour[] {
  const byKey = new Map(
    hours.map((hourCount): [string, ChangesOfHour] => [hourCount.slice(0, 3).join(), [...hourCount]]),
  );
  for (const { time, kind, action } of changes) {
    const hour = time - (time % HOUR_MS);
    const key = [hour, kind, action].join();
    const existing = byKey.get(key);
    if (existing === undefined) byKey.set(key, [hour, kind, action, 1]);
    else existing[3] += 1;
  }
  return [...byKey.values()].filter(([hour]) => hour >= oldest).sort(inOrder);
}

/**
 * Continues the count of the changes of the last hours. Only those that are old enough to be final are counted for good:
 * later ones may become visible among the recent ones, which are counted anew each time.
 */
export async function countChanges(
  table: Table,
  former: ChangeCount | undefined,
  now: Date,
): Promise<{ count: ChangeCount; hours: ChangesOfHour[]; isComplete: boolean }> {
  const time = now.getTime();
  // The hour in which they begin is counted as a whole.
  const oldest = time - (time % HOUR_MS) - CHANGE_HOURS * HOUR_MS;
  const from = Math.max(oldest, former?.until ?? 0);
  const end = Math.max(from, time - RECENT_MS);
  const shards = await inEveryShard(table, (shard) => readShard(table, shard, from));
  const reach = Math.min(...shards.map((shard) => shard.end));
  const until = Math.min(end, reach);
  const changes = shards.flatMap((shard) => shard.changes);
  const hours = added(
    former?.hours ?? [],
    changes.filter((change) => change.time < until),
    oldest,
  );
  const recent = changes.filter((change) => change.time >= until && change.time < reach);
  return {
    count: { until, hours },
    hours: added(hours, recent, oldest),
    isComplete: reach === Number.POSITIVE_INFINITY,
  };
}

/** A change without its fields. */
export const latestSchema = z.object({
  change_id: z.string(),
  time: z.string(),
  actor: actorSchema,
  request_id: z.string(),
  kind: openEnum(objectKinds),
  id: z.string(),
  action: openEnum(changeActions),
  revision: z.int(),
  previous: z.optional(z.string()),
});

/** The latest changes, newest first, without their fields. One query of each partition. */
export async function latestChanges(table: Table): Promise<Change[]> {
  const shards = await inEveryShard(table, async (shard) => {
    const { items } = await queryPage(table, {
      partition: changeShardPartition(shard),
      ScanIndexForward: false,
      Limit: LATEST_CHANGES,
    });
    return items.map(toChange);
  });
  return shards
    .flat()
    .sort((left, right) => (left.time < right.time ? 1 : -1))
    .slice(0, LATEST_CHANGES)
    .map(({ before: _, after: __, ...change }) => change);
}
