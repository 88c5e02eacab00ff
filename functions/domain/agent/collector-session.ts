import * as z from 'zod/mini';

/** The memory of the service about one start of a collector, or of another agent that speaks OpAMP. Times in ms since 1970. */
export const collectorSessionSchema = z.object({
  /** Raised by every write, which is conditional on it. */
  writes: z.int(),
  sequence: z.number(),
  /** The times of its requests in the last minute. */
  requests: z.array(z.number()),
  /** The agent in the inventory; absent until it has described itself. */
  agent_id: z.optional(z.string()),
  seen_at: z.optional(z.number()),
  /** Digest of what its description declares, and the time of the last description. */
  declared: z.optional(z.string()),
  described_at: z.optional(z.number()),
  version: z.optional(z.string()),
  /** When the service last asked for the full state. */
  asked_at: z.optional(z.number()),
  /** The interval of heartbeats that the service offered last, in seconds, and when. */
  offered: z.optional(z.number()),
  offered_at: z.optional(z.number()),
  /** When it last offered the interval for a description that got no offer. */
  repeated_at: z.optional(z.number()),
  /** Whether it announced that it takes the digest of the targets of its host. */
  takes_targets: z.optional(z.boolean()),
  /** The digest that it got last. */
  targets: z.optional(z.string()),
});

export type CollectorSession = z.output<typeof collectorSessionSchema>;
