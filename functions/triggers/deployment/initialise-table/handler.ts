import * as z from 'zod/mini';
import { createDependencies } from '../../../runtime/dependencies.ts';
import { setUpWithSecret } from '../../../runtime/initialise-table.ts';
import { customResource } from '../custom-resource.ts';

const propertiesSchema = z.object({ SecretArn: z.string() });

/** Initialises the table at deployment: from then on the password in the secret is valid. */
export const handler = customResource({
  provide: (properties) => setUpWithSecret(createDependencies(), z.parse(propertiesSchema, properties).SecretArn),
});
