import * as z from 'zod/mini';

/** Default of `max_removals_percent`, the safety threshold of a cleanup and of a reconciliation. */
export const MAX_REMOVALS_PERCENT = 20;

/** Schema of `max_removals_percent`. */
export const removalsPercent = (description: string) =>
  z.number().check(z.minimum(0), z.maximum(100), z.meta({ description }));
