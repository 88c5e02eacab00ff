import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { isAtMost, orAbsent } from '../../../shared/db/conditions.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { jobStatus, type ResumableJob } from '../jobs/resumable-job.ts';
import { summaryKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { changeCountSchema, latestSchema } from './changes.ts';
import { progressSchema } from './count.ts';
import { propertyCountsSchema } from './property-counts.ts';
import { nodeStatesSchema } from './node-states.ts';
import { resultSchema } from './tally.ts';

const storedSchema = z.object({ computed_at: z.number(), text: z.instanceof(Uint8Array) });

const contentsSchema = z.object({
  count: resultSchema,
  /** Milliseconds since 1970. */
  countedAt: z.number(),
  /** Absent in a summary of an older version. */
  nodeStates: z.optional(nodeStatesSchema),
  /** Absent in a summary of an older version. */
  propertyCounts: z.optional(propertyCountsSchema),
  /** The estimated size of the list of all targets. Absent in a summary of an older version. */
  listBytes: z.optional(z.number()),
  /** Whether the first count has not ended, so that the next request continues it at once. */
  isPartial: z.boolean(),
  hasAllChanges: z.boolean(),
  findings: resultSchema.shape.findings,
  /** Absent in a summary of an older version. */
  jobs: z._default(z.array(jobStatus()), []),
  hours: changeCountSchema.shape.hours,
  latest: z.array(latestSchema),
});

export type Contents = z.output<typeof contentsSchema>;

export interface KeptSummary extends Contents {
  /** Milliseconds since 1970. */
  at: number;
}

const pack = (value: object) => deflateRawSync(JSON.stringify(value));
const unpack = (text: Uint8Array): unknown => JSON.parse(inflateRawSync(text).toString());

/**
 * The last summary, eventually consistent unless `isConsistent`; undefined also for one that a newer version has stored in
 * a form of its own: it is computed anew. One read, of some 10 KB at most.
 */
export async function readKept(table: Table, isConsistent = false): Promise<KeptSummary | undefined> {
  const item = await readItem(table, summaryKey, isConsistent);
  if (item === undefined) return undefined;
  const { computed_at: at, text } = z.parse(storedSchema, item);
  const { data } = z.safeParse(contentsSchema, unpack(text));
  return data && { at, ...data };
}

/** The state that one computation stores for the next one. */
const workSchema = z.object({
  /** The count that has not ended. */
  progress: z.optional(progressSchema),
  changes: z.optional(changeCountSchema),
});

export type Work = z.output<typeof workSchema>;

/** Computes the summary. Its place is what one computation leaves for the next one. */
export const countJob: ResumableJob<Work> = { name: 'count', place: () => workSchema };

/** Stores the summary, unless a later one is stored. */
export async function keepSummary(table: Table, { at, ...contents }: KeptSummary): Promise<void> {
  await writeItem(table, {
    put: { ...summaryKey, computed_at: at, text: pack(contents) },
    condition: orAbsent(isAtMost('computed_at', at)),
  });
}
