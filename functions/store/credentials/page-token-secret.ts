import { createSecretKey, type KeyObject } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ABSENT } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import { pageTokenSecretKey } from '../table/keys.ts';

const secretSchema = z.object({ value: z.string() });

/** The secret of each table. It never changes while it exists, so a process reads it once. */
const known = new WeakMap<Table, KeyObject>();

async function read(table: Table): Promise<KeyObject> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: pageTokenSecretKey, ConsistentRead: true }),
  );
  // A text would be made a key for each token, which takes longer than all else of it.
  return createSecretKey(z.parse(secretSchema, Item).value, 'utf8');
}

/** The secret that signs page tokens. One read for each process. */
export async function pageTokenSecret(table: Table): Promise<KeyObject> {
  // Caches the value rather than the promise: a read that hangs, or fails at its request's deadline, would affect other
  // requests.
  const secret = known.get(table) ?? (await read(table));
  known.set(table, secret);
  return secret;
}

/** Adds the secret if none exists; part of the set-up of a table. */
export async function ensurePageTokenSecret(table: Table, newSecret: () => string): Promise<void> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...pageTokenSecretKey, value: newSecret() },
        ConditionExpression: ABSENT,
      }),
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
  }
}
