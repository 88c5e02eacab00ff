import * as z from 'zod/mini';
import { states } from '../../domain/fields/liveness.ts';
import { attentionKinds, attentionReasons, placeLabels } from '../../domain/records/summary.ts';

/** How many objects of a finding have the value of a label. */
const placeSchema = z.tuple([z.enum(placeLabels), z.string(), z.int()]);

export type LabelCount = z.output<typeof placeSchema>;

export const findingSchema = z.object({
  reason: z.enum(attentionReasons),
  kind: z.enum(attentionKinds),
  count: z.int(),
  /** Where they are, and the number of objects whose places are counted. */
  places: z._default(z.array(placeSchema), []),
  located: z._default(z.int(), 0),
  examples: z.array(z.object({ id: z.string(), name: z.optional(z.string()) })),
});

export type Finding = z.output<typeof findingSchema>;

/** Nodes in a zone of a region, by state. The zone is empty for nodes without one. */
export const zoneSchema = z.tuple([z.string(), z.string(), z.partialRecord(z.enum(states), z.int())]);

export type Zone = z.output<typeof zoneSchema>;
