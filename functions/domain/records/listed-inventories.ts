import * as z from 'zod/mini';

/** The environment of the function. */
export const listEnvironmentSchema = z.object({
  IDENTITY_PROVIDERS: z.string(),
  /** The ARN of the secret with the list of inventories: the environment of a function has 4 KB. */
  INVENTORIES: z.string(),
});

export type ListEnvironment = z.output<typeof listEnvironmentSchema>;

/** The inventories as the deployment lists them. `table` is the name. */
export const listedSchema = z.array(
  z.object({ name: z.string(), url: z.string(), providers: z.array(z.string()), table: z.string() }),
);

export type ListedInventories = z.output<typeof listedSchema>;
