import * as z from 'zod/mini';

export const outcomes = ['added', 'changed', 'unchanged'] as const;

/** What became of an object that was declared. */
export type Outcome = (typeof outcomes)[number];

function outcomeSchema() {
  return z.object({
    outcome: z.enum(outcomes).check(z.meta({ description: 'What was done to make the object what was declared.' })),
  });
}

/** An object in a reply, with what was done to make it so. */
export function withOutcome<Schema extends z.core.$ZodType>(schema: Schema, meta: { id: string; description: string }) {
  const both = z.intersection(schema, outcomeSchema());
  z.globalRegistry.add(both, meta);
  return both;
}
