import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { and, equals, isAtMost, orAbsent } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { jobNames, type JobState, jobStates } from '../../domain/records/jobs.ts';
import { jobKey, type SingleJob } from '../table/keys.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { readItems } from '../table/read.ts';

/**
 * A job that works in parts, each of bounded time. Its item contains the place at which the last part ended, the lease of
 * the part in progress, and the state. A part that is interrupted is repeated from its place after the lease has ended.
 */
export interface ResumableJob<Place> {
  name: SingleJob;
  /** Parsed when it is read: another version may have stored it. */
  place: () => z.ZodMiniType<Place>;
}

/** How a part ended. */
export interface PartEnd<Place> {
  /** `waiting`: the next part continues. `stopped`: an operator has to look at it; the next part begins anew. */
  state: Exclude<JobState, 'running'>;
  /** For the next part; undefined: it begins anew. */
  place: Place | undefined;
  /** Why it stopped. */
  reason?: string;
}

export interface PartOptions {
  now: Date;
  /** The longest time of a part. Until then no other part of the job begins. */
  leaseMs: number;
  /** The part begins only if the last one ended before this time, in milliseconds since 1970. */
  endedBefore?: number | undefined;
}

const itemSchema = lazily(() =>
  z.object({
    lease: z._default(z.string(), ''),
    busy_until: z._default(z.number(), 0),
    /** The place. */
    text: z.optional(z.instanceof(Uint8Array)),
    state: z._default(openEnum(['waiting', 'done', 'stopped']), 'done'),
    reason: z.optional(z.string()),
    /** When the first part since the last end began, and when the last part ended. Milliseconds since 1970. */
    begun_at: z.optional(z.number()),
    done_at: z.optional(z.number()),
    /** When the part in progress began. */
    claimed_at: z.optional(z.number()),
  }),
);

type JobItem = z.output<ReturnType<typeof itemSchema>>;

const pack = (value: unknown) => deflateRawSync(JSON.stringify(value));
const unpack = (text: Uint8Array): unknown => JSON.parse(inflateRawSync(text).toString());

interface Claim {
  lease: string;
  item: JobItem;
}

/** Claims the next part; undefined while another one works on it, or when the last one ended too recently. One write. */
async function claim(
  table: Table,
  job: SingleJob,
  { now, leaseMs, endedBefore }: PartOptions,
): Promise<Claim | undefined> {
  const time = now.getTime();
  const lease = newTransactionName();
  const isFree = orAbsent(isAtMost('busy_until', time));
  const { item, refusal } = await writeItem(
    table,
    {
      update: jobKey(job),
      set: { busy_until: time + leaseMs, lease, claimed_at: time },
      condition: endedBefore === undefined ? isFree : and(isFree, orAbsent(isAtMost('done_at', endedBefore))),
    },
    { ReturnValues: 'ALL_NEW' },
  );
  if (refusal === undefined) return { lease, item: z.parse(itemSchema(), item) };
  // The client repeats a write whose reply was lost, and the repetition finds the lease of the first attempt.
  return refusal.Item?.['lease'] === lease ? { lease, item: z.parse(itemSchema(), refusal.Item) } : undefined;
}

/** Stores the end of a part. A part whose lease has ended stores nothing. */
async function end<Place>(
  table: Table,
  job: SingleJob,
  { lease, item }: Claim,
  { now, state, place, reason }: PartEnd<Place> & { now: Date },
): Promise<void> {
  const begun = item.state === 'waiting' ? (item.begun_at ?? item.claimed_at) : item.claimed_at;
  const put = {
    ...jobKey(job),
    ...{ busy_until: 0, state, done_at: now.getTime(), begun_at: begun },
    ...(reason === undefined ? {} : { reason }),
    ...(place === undefined ? {} : { text: pack(place) }),
  };
  await writeItem(table, { put, condition: equals('lease', lease) });
}

/** Gives the lease back, of a part that failed. */
async function release(table: Table, job: SingleJob, { lease }: Claim): Promise<void> {
  await writeItem(table, { update: jobKey(job), set: { busy_until: 0 }, condition: equals('lease', lease) });
}

/** A part of a job that has begun. */
export interface Part<Place> {
  /** Where the last part ended; undefined: the job begins, also after a part of a newer version that stored another place. */
  place: Place | undefined;
  /** Stores how it ended. */
  end: (end: PartEnd<Place>, now: Date) => Promise<void>;
  /** Gives the part back, because it failed: another one may repeat it at once. */
  release: () => Promise<void>;
}

/** Begins a part; undefined while another one works on the job, or if it is not due. */
export async function beginPart<Place>(
  table: Table,
  { name, place: schema }: ResumableJob<Place>,
  options: PartOptions,
): Promise<Part<Place> | undefined> {
  const claimed = await retryOnContention(table, () => claim(table, name, options));
  if (claimed === undefined) return undefined;
  const { text, state } = claimed.item;
  return {
    place: text === undefined || state === 'stopped' ? undefined : z.safeParse(schema(), unpack(text)).data,
    end: (outcome, now) => retryOnContention(table, () => end(table, name, claimed, { ...outcome, now })),
    release: () => release(table, name, claimed),
  };
}

/**
 * Does one part of a job. An error gives the part back and leaves the place.
 *
 * @returns the end of the part; undefined if none began.
 */
export async function runPart<Place, End extends PartEnd<Place>>(
  table: Table,
  job: ResumableJob<Place>,
  { clock, leaseMs }: { clock: () => Date; leaseMs: number },
  work: (place: Place | undefined) => Promise<End>,
): Promise<End | undefined> {
  const part = await beginPart(table, job, { now: clock(), leaseMs });
  if (part === undefined) return undefined;
  try {
    const outcome = await work(part.place);
    await part.end(outcome, clock());
    return outcome;
  } catch (error) {
    // If this fails as well, the first error says why, and the lease ends by its time.
    await part.release().catch(() => undefined);
    throw error;
  }
}

/** The state of a job, as a summary stores it. */
export const jobStatus = lazily(() =>
  z.object({
    job: openEnum(jobNames),
    state: openEnum(jobStates),
    /** Milliseconds since 1970. */
    begunAt: z.number(),
    /** When its last part ended. */
    updatedAt: z.optional(z.number()),
    /** Of a job that exists more than once: the object or the plan, and the name of the caller that began it. */
    id: z.optional(z.string()),
    kind: z.optional(openEnum(objectKinds)),
    actor: z.optional(z.string()),
    /** Steps: all, and those that are done. */
    total: z.optional(z.int()),
    done: z.optional(z.int()),
    /** Why it stopped. */
    reason: z.optional(z.string()),
  }),
);

export type JobStatus = z.output<ReturnType<typeof jobStatus>>;

function statusOf(job: SingleJob, item: unknown, now: Date): JobStatus {
  const {
    state,
    busy_until: busyUntil,
    begun_at: begun,
    claimed_at: claimed,
    done_at: ended,
    reason,
  } = z.parse(itemSchema(), item);
  const isRunning = busyUntil > now.getTime();
  return {
    job,
    state: isRunning ? 'running' : state,
    begunAt: (isRunning && state !== 'waiting' ? claimed : begun) ?? ended ?? 0,
    updatedAt: ended,
    reason: isRunning ? undefined : reason,
  };
}

/** The states of these jobs, without those that never ran. One eventually consistent batch read. */
export async function readJobs(table: Table, names: readonly SingleJob[], now: Date): Promise<JobStatus[]> {
  const items = await readItems(table, names.map(jobKey), false);
  return names.flatMap((name) => {
    const { pk, sk } = jobKey(name);
    const item = items.find((candidate) => candidate['pk'] === pk && candidate['sk'] === sk);
    return item === undefined ? [] : [statusOf(name, item, now)];
  });
}
