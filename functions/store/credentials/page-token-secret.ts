import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from '../../../shared/db/table.ts';
import { pageTokenSecretKey } from '../table/keys.ts';

const secretSchema = z.object({ value: z.string() });

/** What a process has read: the secret never changes while it is there. */
const known = new WeakMap<Table, string>();

async function read(table: Table): Promise<string> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: pageTokenSecretKey, ConsistentRead: true }),
  );
  return z.parse(secretSchema, Item).value;
}

/** What are page tokens signed with? One read in the life of a process. */
export async function pageTokenSecret(table: Table): Promise<string> {
  // Not the reading itself is kept: one that hangs, or belongs to a request that is too late, would hold up all others.
  const secret = known.get(table) ?? (await read(table));
  known.set(table, secret);
  return secret;
}

/** Makes the secret when there is none yet; part of setting up a table. */
export async function ensurePageTokenSecret(table: Table, newSecret: () => string): Promise<void> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...pageTokenSecretKey, value: newSecret() },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
  }
}
