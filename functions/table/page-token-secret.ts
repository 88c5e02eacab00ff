import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from '../../shared/db/table.ts';
import { pageTokenSecretKey } from './keys.ts';

const secretSchema = z.object({ value: z.string() });

/** Read once per process: the secret never changes while it is there. */
const known = new WeakMap<Table, Promise<string>>();

async function read(table: Table): Promise<string> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: pageTokenSecretKey, ConsistentRead: true }),
  );
  return z.parse(secretSchema, Item).value;
}

/** What are page tokens signed with? One read in the life of a process. */
export function pageTokenSecret(table: Table): Promise<string> {
  const reading = known.get(table) ?? read(table);
  known.set(table, reading);
  // A read that failed is not remembered.
  reading.catch(() => known.delete(table));
  return reading;
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
