import * as z from 'zod/mini';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { statePassKey } from '../table/keys.ts';

const itemSchema = z.object({ after: z.string() });

/** The node id up to which the last pass over the states came; undefined if it finished. One strongly consistent read. */
export async function unfinishedPass(table: Table): Promise<string | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: statePassKey, ConsistentRead: true }),
  );
  return Item === undefined ? undefined : z.parse(itemSchema, Item).after;
}

/**
 * Keeps how far a pass has come. The last write wins: of two passes at once, one may read a range again, or leave it to
 * the next but one.
 */
export async function keepUnfinishedPass(table: Table, after: string | undefined): Promise<void> {
  await table.client.send(
    after === undefined
      ? new DeleteCommand({ TableName: table.name, Key: statePassKey })
      : new PutCommand({ TableName: table.name, Item: { ...statePassKey, after } }),
  );
}
