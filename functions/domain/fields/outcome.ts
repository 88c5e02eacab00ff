import * as z from 'zod/mini';

export const outcomes = ['added', 'changed', 'unchanged'] as const;

/** What became of an object that was declared. */
export type Outcome = (typeof outcomes)[number];

/** What an object in the reply to an upsert has on top. */
export const outcomeShape = {
  outcome: z.enum(outcomes).check(z.meta({ description: 'What the request did.' })),
};
