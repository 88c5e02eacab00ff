import * as z from 'zod/mini';

export function pageOf<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.array(schema).check(z.meta({ description: 'The objects, in the order of the list.' }));
}

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
