import * as z from 'zod/mini';
import type { Table } from '../../../shared/db/table.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { readHeartbeats } from '../heartbeats/heartbeat.ts';
import { allHeartbeats } from '../heartbeats/heartbeat-range.ts';
import { listByIndex } from '../lists/pages.ts';
import { Counter, tallySchema } from './tally.ts';

/** Limits of one part of a count. */
export interface CountLimits {
  /** Objects, rounded up to a page of the index. */
  objects: number;
  /** Heartbeats of each of the 16 partitions, which are read as a whole if this suffices. */
  heartbeats: number;
}

/** 20,000 objects: some 800 read units with as many heartbeats, and 11,000 where these are read one by one. */
export const countLimits: CountLimits = { objects: 20_000, heartbeats: 1250 };

/** No page of 1 MB contains more objects. */
const PAGE_SIZE = 10_000;

/** How far a count has come: the kind, and the place in its list. */
export const progressSchema = z.object({
  begunAt: z.number(),
  kind: z.enum(objectKinds),
  after: z.optional(z.tuple([z.string(), z.string()])),
  tally: tallySchema,
});

export type Progress = z.output<typeof progressSchema>;

export const newCount = (now: Date): Progress => ({
  begunAt: now.getTime(),
  kind: 'node',
  tally: new Counter().result(),
});

/**
 * Continues a count of all objects until it ends or reaches a limit. Eventually consistent. Objects that are added,
 * removed or renamed between two parts may be counted twice or not at all.
 */
export async function countPart(
  table: Table,
  { begunAt, tally, ...place }: Progress,
  now: Date,
  limits: CountLimits = countLimits,
): Promise<{ progress: Progress; isDone: boolean }> {
  const counter = new Counter(tally);
  const known = await allHeartbeats(table, limits.heartbeats);
  let { kind, after } = place;
  for (let read = 0; read < limits.objects;) {
    const listing = { kind, type: undefined, range: '', filter: () => true };
    const { objects, next } = await listByIndex(table, listing, { size: PAGE_SIZE, after });
    const heartbeats = known ?? (await readHeartbeats(table, objects, false));
    for (const entity of objects) counter.add(entity, heartbeats, now);
    read += objects.length;
    after = next;
    if (next !== undefined) continue;
    const following = objectKinds[objectKinds.indexOf(kind) + 1];
    if (following === undefined) return { progress: { begunAt, kind, tally: counter.result() }, isDone: true };
    kind = following;
  }
  return { progress: { begunAt, kind, after, tally: counter.result() }, isDone: false };
}
