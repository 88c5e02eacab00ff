import { ConditionalCheckFailedException } from '../../../shared/db/table-errors.ts';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ranks } from '../../../shared/auth/roles.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { accountKey, passwordMarkKey } from '../table/keys.ts';

/** The name of the only account, with which the first API key is added. */
export const ACCOUNT_NAME = 'admin';

const common = {
  name: z.string(),
  role: z.enum(ranks),
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
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: accountKey(name), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : z.parse(accountSchema, Item);
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
    { Put: { Item: { ...account, ...accountKey(name) } } },
    { Put: { Item: { ...passwordMarkKey(name), user_name: name, account_version } } },
  ]);
}

/**
 * Adds the account, or makes it refer to this secret. An account that already refers to it stays as it is. A password
 * hash is replaced, because the deployed authorizer does not verify hashes.
 */
export async function ensureSecretAccount(table: Table, account: Account & { secret_arn: string }): Promise<void> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...account, ...accountKey(account.name) },
        ConditionExpression: 'attribute_not_exists(secret_arn) OR secret_arn <> :arn',
        ExpressionAttributeValues: { ':arn': account.secret_arn },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
