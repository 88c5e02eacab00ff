import * as z from 'zod/mini';
import { adminAccountUses } from '../../../domain/access/admin-account.ts';
import { createDependencies, type Dependencies } from '../../../runtime/dependencies.ts';
import { identityProvidersOf } from '../../../runtime/identity-providers.ts';
import { setUpWithSecret } from '../../../runtime/initialise-table.ts';
import { NoOtherAdmin, requireOtherAdmin } from '../../../store/credentials/other-admins.ts';
import { ShardCountError } from '../../../store/history/change-shards.ts';
import { checkTableFormat, TableFormatError } from '../../../store/table/format.ts';
import { customResource } from '../custom-resource.ts';

// CloudFormation passes numbers as text.
const propertiesSchema = z.object({
  SecretArn: z.optional(z.string()),
  ChangeShards: z.optional(z.coerce.number()),
  AdminAccount: z.optional(z.enum(adminAccountUses)),
});

/** The checks before the functions of the requests are replaced. @throws TableFormatError, NoOtherAdmin */
export async function checkBefore(use: string | undefined, dependencies: Dependencies): Promise<void> {
  await checkTableFormat(dependencies.table);
  if (use !== 'disabled') return;
  const providers = identityProvidersOf(dependencies).map(({ name }) => name);
  await requireOtherAdmin(dependencies.table, providers);
}

/**
 * Without a secret, only checks that this version can read the table, and that an account `admin` that is to be disabled is not the
 * only Admin: before the functions of the requests are replaced.
 * Otherwise initialises the table at deployment: from then on the password in the secret is valid. Sets the number of partitions of
 * changes; fails if it is smaller than before.
 */
export const handler = customResource({
  provide: async (properties) => {
    const { SecretArn, ChangeShards, AdminAccount } = z.parse(propertiesSchema, properties);
    if (SecretArn === undefined) await checkBefore(AdminAccount, createDependencies());
    else await setUpWithSecret(createDependencies(), SecretArn, ChangeShards);
  },
  isFinal: (error) =>
    error instanceof TableFormatError || error instanceof ShardCountError || error instanceof NoOtherAdmin,
});
