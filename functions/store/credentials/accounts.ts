import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { ranks } from '../../../shared/auth/roles.ts';
import { differs, orAbsent } from '../../../shared/db/conditions.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { accountKey, passwordMarkKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

/** The name of the only account, with which the first API key is added. */
export const ACCOUNT_NAME = 'admin';

const common = {
  name: z.string(),
  role: openEnum(ranks),
  created_at: z.string(),
  /** When the account got its password, or its reference to a secret. */
  updated_at: z.string(),
};

/** Either the hash of the password, or the ARN of a secret in Secrets Manager that contains the password. */
const accountSchema = z.union([
  z.object({ ...common, password_hash: z.string(), secret_arn: z.optional(z.never()) }),
  z.object({ ...common, secret_arn: z.string(), password_hash: z.optional(z.never()) }),
]);

export type Account = z.output<typeof accountSchema>;

/** The account with this user name. One strongly consistent read. */
export async function findAccount(table: Table, name: string): Promise<Account | undefined> {
  const item = await readItem(table, accountKey(name));
  return item === undefined ? undefined : z.parse(accountSchema, item);
}

/**
 * The time since which the user has the present password. A session stores it, so that the session ends when the
 * password changes.
 *
 * @param secretSetAt when the secret that the account refers to got its present value.
 */
export function versionOfAccount({ updated_at: pointedAt }: Account, secretSetAt: Date | undefined): string {
  return secretSetAt !== undefined && secretSetAt > new Date(pointedAt) ? secretSetAt.toISOString() : pointedAt;
}

/**
 * Adds the account, or gives it a new password, which ends its sessions: they have an earlier `account_version`.
 * Unconditional: the last write wins.
 */
export async function putAccount(table: Table, account: Account): Promise<void> {
  const { name, updated_at: account_version } = account;
  await transact(table, [
    { put: { ...account, ...accountKey(name) } },
    { put: { ...passwordMarkKey(name), user_name: name, account_version } },
  ]);
}

/**
 * Adds the account, or makes it refer to this secret. An account that already refers to it stays as it is. A password
 * hash is replaced, because the deployed authorizer does not verify hashes.
 */
export async function ensureSecretAccount(table: Table, account: Account & { secret_arn: string }): Promise<void> {
  await writeItem(table, {
    put: { ...account, ...accountKey(account.name) },
    condition: orAbsent(differs('secret_arn', account.secret_arn)),
  });
}
