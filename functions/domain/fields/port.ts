import * as z from 'zod/mini';

/** A TCP port. */
export const portSchema = z.int().check(z.minimum(1), z.maximum(65535));
