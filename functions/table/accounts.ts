import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { roles } from '../../shared/auth/roles.ts';
import type { Table } from '../../shared/db/table.ts';
import { accountKey } from './keys.ts';

/** The one account there is so far: the first key is made with it. */
export const ACCOUNT_NAME = 'admin';

const accountSchema = z.object({
  name: z.string(),
  role: z.enum(roles),
  password_hash: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type Account = z.output<typeof accountSchema>;

/** Who has this user name? One strongly consistent read. */
export async function findAccount(table: Table, name: string): Promise<Account | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: accountKey(name), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : z.parse(accountSchema, Item);
}

/** Adds the account, or gives it a new password; on purpose without a condition: the last one to set a password wins. */
export async function putAccount(table: Table, account: Account): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...account, ...accountKey(account.name) } }));
}
