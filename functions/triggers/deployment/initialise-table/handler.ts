import * as z from 'zod/mini';
import { createDependencies } from '../../../runtime/dependencies.ts';
import { setUpWithSecret } from '../../../runtime/initialise-table.ts';
import { ShardCountError } from '../../../store/history/change-shards.ts';
import { checkTableFormat, TableFormatError } from '../../../store/table/format.ts';
import { customResource } from '../custom-resource.ts';

// CloudFormation passes numbers as text.
const propertiesSchema = z.object({ SecretArn: z.optional(z.string()), ChangeShards: z.optional(z.coerce.number()) });

/**
 * Without a secret, only checks that this version can read the table: before the functions of the requests are replaced.
 * Otherwise initialises the table at deployment: from then on the password in the secret is valid. Sets the number of partitions of
 * changes; fails if it is smaller than before.
 */
export const handler = customResource({
  provide: async (properties) => {
    const { SecretArn, ChangeShards } = z.parse(propertiesSchema, properties);
    if (SecretArn === undefined) await checkTableFormat(createDependencies().table);
    else await setUpWithSecret(createDependencies(), SecretArn, ChangeShards);
  },
  isFinal: (error) => error instanceof TableFormatError || error instanceof ShardCountError,
});
