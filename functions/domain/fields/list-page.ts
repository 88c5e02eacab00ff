import * as z from 'zod/mini';

export function pageOf<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.array(schema).check(z.meta({ description: 'The objects, in the order of the list.' }));
}

/** The number of all objects of a list, on request. */
export const totalShape = {
  total: z.optional(
    z.int().check(
      z.minimum(0),
      z.meta({
        description: 'How many objects match. Absent if counting took too long.',
      }),
    ),
  ),
  total_at: z.optional(z.iso.datetime().check(z.meta({ description: 'When they were counted, if not now.' }))),
};

/** The fields of every page of a list besides its objects. */
export const nextPageShape = {
  next_page_token: z.optional(
    z.string().check(
      z.meta({
        description: 'The page_token of the next page. Pages can be short; the list ends when it is absent.',
      }),
    ),
  ),
};
