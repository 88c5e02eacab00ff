import * as z from 'zod/mini';

export const outcomes = ['added', 'changed', 'unchanged'] as const;

/** The outcome of an upsert. */
export type Outcome = (typeof outcomes)[number];

/** The additional field of an object in the reply to an upsert. */
export const outcomeShape = {
  outcome: z.enum(outcomes).check(z.meta({ description: 'What the request did.' })),
};
