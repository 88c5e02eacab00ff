import * as z from 'zod/mini';
import { createDependencies } from '../../../runtime/dependencies.ts';
import { setUpWithSecret } from '../../../runtime/initialise-table.ts';
import { customResource } from '../custom-resource.ts';

// CloudFormation passes numbers as text.
const propertiesSchema = z.object({ SecretArn: z.string(), ChangeShards: z.optional(z.coerce.number()) });

/**
 * Initialises the table at deployment: from then on the password in the secret is valid. Sets the number of partitions of
 * changes; fails if it is smaller than before.
 */
export const handler = customResource({
  provide: async (properties) => {
    const { SecretArn, ChangeShards } = z.parse(propertiesSchema, properties);
    await setUpWithSecret(createDependencies(), SecretArn, ChangeShards);
  },
});
